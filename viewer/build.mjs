// Bundles the page and writes it as C: node build.mjs OUT.c
import { build } from 'esbuild'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2]
if (!out) {
  console.error('usage: node build.mjs OUT.c')
  process.exit(2)
}
const result = await build({
  entryPoints: { viewer: join(here, 'src/main.ts') },
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'inline',
  charset: 'utf8',
  write: false,
  outdir: '/',
})
const made = (ending) => Buffer.from(result.outputFiles.find((file) => file.path.endsWith(ending)).contents)
const assets = [
  ['/', 'text/html; charset=utf-8', readFileSync(join(here, 'index.html'))],
  ['/viewer.js', 'text/javascript; charset=utf-8', made('.js')],
  ['/viewer.css', 'text/css; charset=utf-8', made('.css')],
]
// Each part ends with a zero byte that its size does not count.
const list = (bytes) => {
  const lines = []
  for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(','))
  return lines.join(',\n')
}
let text = '// Written by viewer/build.mjs from viewer/.\n#include "view/view_assets.h"\n'
assets.forEach(([, , bytes], i) => {
  text += `static const unsigned char part${i}[] = {\n${list(bytes)},0 };\n`
})
text += 'const carom_view_asset carom_view_assets[CAROM_VIEW_ASSETS] = {\n'
assets.forEach(([path, type, bytes], i) => {
  text += `    { "${path}", "${type}", part${i}, ${bytes.length} },\n`
})
text += '};\n'
writeFileSync(out, text)
