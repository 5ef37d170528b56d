// One number for a result, the same for the native command and for the module: of a run the hash of its last state, of
// everything else a hash of the figures that the command prints as JSON, without times of the clock; of an entry of the
// gallery its verdict and its lines, to 12 digits: some angles of its figures come from the system's sine and cosine, which
// differ in the last.

export function commandFor(kind: string, file: string, law: string): string[] {
  switch (kind) {
    case 'world': return ['run', file, '--no-file', '--json', '--threads', '1', '--law', law]
    case 'impact': return ['impact', file, '--json', '--law', law]
    case 'chain': return ['chain', file, '--json']
    case 'outcomes': return ['impact', file, '--json', '--law', law]
    default: return ['tower', file, '--json']
  }
}

export function fingerprint(kind: string, out: string): string {
  if (kind === 'world') return JSON.parse(out).hash
  if (kind === 'gallery') {
    const { id, verdict, lines: found } = JSON.parse(out) as { id: string; verdict: string; lines: { what: string; ours: number | null }[] }
    const figures = found.filter(({ what }) => !/\btime for /.test(what)).map((line) => ({ ...line, ours: line.ours && Number(line.ours.toPrecision(12)) }))
    out = JSON.stringify([id, verdict, figures], null, 1)
  }
  const lines = out.split('\n').filter((line) => !/_ms|seconds|"scratch_bytes"|"version"|"compiler"/.test(line))
  let hash = 0xcbf29ce484222325n // FNV-1a
  for (const letter of new TextEncoder().encode(lines.join('\n')))
    hash = ((hash ^ BigInt(letter)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(16).padStart(16, '0')
}
