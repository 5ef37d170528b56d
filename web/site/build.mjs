// The static site of `make web`: node web/site/build.mjs MODULE.wasm CAROM OUT
// CAROM is the native command, for the hashes beside the browser's and the list of scenes. Everything is classic scripts
// and texts, so that the pages work from a folder, without a server or network.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const [wasm, carom, out] = process.argv.slice(2).map((path) => resolve(path))
if (!out) {
  console.error('usage: node build.mjs MODULE.wasm CAROM OUT')
  process.exit(2)
}
const { build } = createRequire(join(root, 'viewer/package.json'))('esbuild')
const bundle = async (entry, format, more = {}) => {
  const result = await build({
    entryPoints: [entry], bundle: true, minify: true, format, target: 'es2022', charset: 'utf8', write: false, outdir: '/',
    nodePaths: [join(root, 'viewer/node_modules')], legalComments: 'inline', ...more,
  })
  return (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? ''
}
const script = (name, value) => `globalThis.${name} = ${JSON.stringify(value)};\n`

// -- scenes -----------------------------------------------------------------------------------------
const { commandFor, fingerprint } = await import(
  `data:text/javascript,${encodeURIComponent((await bundle(join(here, 'fingerprint.ts'), 'esm'))('.js'))}`)
const scenes = {}
const files = {}
const LARGE = 400 // bodies beyond which a scene is not offered: pages are for looking
for (const folder of ['impact', 'world', 'chain', 'tower', 'outcomes'])
  for (const name of readdirSync(join(root, 'scenes', folder)).filter((one) => one.endsWith('.json'))) {
    const path = `${folder}/${name}`
    const text = readFileSync(join(root, 'scenes', path), 'utf8')
    const checked = spawnSync(carom, ['check', join(root, 'scenes', path)], { encoding: 'utf8' })
    const bodies = Number(/(\d+) bod/.exec(checked.stdout ?? '')?.[1] ?? 0)
    if (checked.status !== 0 || bodies > LARGE || /"(mesh|map|modes|from)"\s*:/.test(text)) continue
    scenes[path] = {
      kind: folder, title: name.replace('.json', ''), text,
      law: /"law"\s*:\s*"([a-z-]+)"/.exec(text)?.[1] ?? 'wave', hashes: {},
    }
  }
const laws = JSON.parse(execFileSync(carom, ['laws', '--json'], { encoding: 'utf8' })).laws.map((law) => law.name)
// Hashes of the native command, kept beside the site: a scene that has not changed since is not run again.
const keep = `${out}.hashes.json`
const version = execFileSync(carom, ['--version'], { encoding: 'utf8' }) + statSync(carom).mtimeMs
mkdirSync(out, { recursive: true })
let kept = {}
try { kept = JSON.parse(readFileSync(keep, 'utf8')) } catch { /* the first time */ }
if (kept.version !== version) kept = { version }
const limit = 20000 // ms: a scene whose native run takes longer has no hash
for (const [path, scene] of Object.entries(scenes)) {
  if (kept[path]?.text === scene.text) {
    scene.hashes = kept[path].hashes
    continue
  }
  for (const law of scene.kind === 'impact' ? laws : [scene.law]) {
    const command = commandFor(scene.kind, path, law)
    const run = spawnSync(carom, command,
      { cwd: join(root, 'scenes'), encoding: 'utf8', timeout: limit, env: { ...process.env, CAROM_CACHE: '' } })
    if (run.stdout && run.status !== null)
      try { scene.hashes[law] = fingerprint(scene.kind, run.stdout) } catch { /* no figures: no hash */ }
  }
  kept[path] = { text: scene.text, hashes: scene.hashes }
  writeFileSync(keep, JSON.stringify(kept)) // a build that is stopped goes on from here
}

// -- pages ------------------------------------------------------------------------------------------
const live = await bundle(join(here, 'live.ts'), 'iife')
const worker = await bundle(join(here, 'worker.ts'), 'iife')
writeFileSync(join(out, 'live.js'), live('.js'))
writeFileSync(join(out, 'live.css'), live('.css'))
writeFileSync(join(out, 'scenes.js'), script('CAROM_SCENES', scenes) + script('CAROM_FILES', files) + script('CAROM_LAWS', laws))
writeFileSync(join(out, 'module.js'),
  script('CAROM_MODULE', gzipSync(readFileSync(wasm), { level: 9 }).toString('base64')) + script('CAROM_WORKER', worker('.js')))
const frame = (title, head, body) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>${body}</body>
</html>
`
writeFileSync(join(out, 'live.html'), frame('Carom', '<link rel="stylesheet" href="live.css">',
  '<div class="waiting" id="waiting" role="status">Loading the page ...<noscript> It needs JavaScript.</noscript></div>\n' +
  ['scenes', 'module', 'live'].map((name) => `<script src="${name}.js"></script>`).join('\n')))

const escape = (text) => text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one])
const lessons = readdirSync(join(here, 'lessons')).filter((name) => name.endsWith('.html')).sort()
const titles = Object.fromEntries(lessons.map((name) => {
  const text = readFileSync(join(here, 'lessons', name), 'utf8')
  return [name, /<h1>(.*?)<\/h1>/.exec(text)[1]]
}))
for (const name of lessons) {
  const text = readFileSync(join(here, 'lessons', name), 'utf8')
  writeFileSync(join(out, name), frame(titles[name], '<link rel="stylesheet" href="pages.css">',
    `<main><p><a href="index.html">Carom</a></p>\n${text}</main>`))
}
const notes = (text) => /"note"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1].replace(/\\"/g, '"') ?? ''
const kinds = [...new Set(Object.values(scenes).map((scene) => scene.kind))]
const cards = kinds.map((kind) => [kind, Object.entries(scenes).filter(([, scene]) => scene.kind === kind)]).map(([kind, list]) =>
  `<h2>${kind}</h2>\n<ul>${list.map(([path, scene]) =>
    `<li><a href="live.html?scene=${encodeURIComponent(path)}">${escape(scene.title)}</a> ${escape(notes(scene.text))}</li>`).join('\n')}</ul>`)
writeFileSync(join(out, 'index.html'), frame('Carom, live', '<link rel="stylesheet" href="pages.css">', `<main>
<h1>Carom, live</h1>
<p>Rigid-body impacts that come out right, computed in this page by the same code as the library, to the same bits: each
scene shows the hash of the native run beside that of your browser.</p>
<h2>Lessons</h2>
<ol>${lessons.map((name) => `<li><a href="${name}">${titles[name]}</a></li>`).join('\n')}</ol>
${cards.join('\n')}
</main>`))
cpSync(join(here, 'pages.css'), join(out, 'pages.css'))
const hashed = Object.values(scenes).filter((scene) => Object.keys(scene.hashes).length).length
console.log(`${Object.keys(scenes).length} scenes, ${hashed} with native hashes, ${lessons.length} lessons: ${out}/index.html`)
