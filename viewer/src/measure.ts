// How far and how fast things go in a source, from frames spread over it; few where they are large.
import type { Stage } from './stage'

export async function measure(stage: Stage): Promise<void> {
  const { source } = stage
  const count = source.about.frames
  const max = Math.max(3, Math.min(60, Math.floor(60000 / source.about.bodies.length)))
  const share = Math.min(max, count)
  const wanted = Array.from({ length: share }, (_, i) => Math.floor((i * (count - 1)) / Math.max(share - 1, 1)))
  await Promise.all(wanted.map((frame) => source.load(frame)))
  stage.measure(wanted.flatMap((frame) => source.frame(frame) ?? []))
  stage.measured = count
  if (stage.paint.usual === source.about.values?.name) {
    const some = wanted.filter((_, i) => i % Math.ceil(share / 12) === 0)
    for (const values of await Promise.all(some.map((frame) => source.provider.values(source.number, frame)))) stage.paint.foresee(values)
  }
}

// A run that has doubled its length, or has ended, may have gone further than was measured.
export function outgrown({ source, measured }: Stage): boolean {
  const { running, frames } = source.about
  return frames !== measured && (!running || frames >= 2 * measured)
}
