// The static site of `make web`: node web/site/build.mjs MODULE.wasm.gz CAROM OUT
// CAROM is the native command, for the hashes beside the browser's and the list of scenes. Everything is classic scripts
// and texts, so that the pages work from a folder, without a server or network.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const [wasm, carom, out] = process.argv.slice(2).map((path) => resolve(path))
if (!out) {
  console.error('usage: node build.mjs MODULE.wasm.gz CAROM OUT')
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
const absent = {} // and why
const files = {}
const LARGE = 400 // bodies beyond which a scene is not offered: pages are for looking
const KINDS = { impact: 'impact', world: 'world', benchmark: 'world', tower_space: 'world', chain: 'chain', tower: 'tower', outcomes: 'outcomes' }
for (const [folder, kind] of Object.entries(KINDS))
  for (const name of readdirSync(join(root, 'scenes', folder)).filter((one) => one.endsWith('.json'))) {
    const path = `${folder}/${name}`
    const text = readFileSync(join(root, 'scenes', path), 'utf8')
    const checked = spawnSync(carom, ['check', join(root, 'scenes', path)], { encoding: 'utf8' })
    const bodies = Number(/(\d+) bod/.exec(checked.stdout ?? '')?.[1] ?? 0)
    const why = checked.status !== 0 ? 'needs files that are not in the project'
      : bodies > LARGE ? `${bodies} bodies: more than a page computes while one looks`
      : /"(mesh|map|modes|from)"\s*:/.test(text) ? 'needs a mesh or a bounce map beside it' : ''
    if (why) {
      absent[path] = why
      continue
    }
    if (folder === 'chain' && spawnSync(carom, ['view', join(root, 'scenes', path), '--page', '-'], { stdio: 'ignore' }).status !== 0) {
      absent[path] = 'for time stepping only: results, and nothing to see'
      continue
    }
    scenes[path] = {
      kind, title: name.replace('.json', ''), text,
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
const limit = 20 // s of a processor: a scene whose native run takes longer has no hash, and its page says so
for (const [path, scene] of Object.entries(scenes)) {
  if (kept[path]?.text === scene.text) {
    scene.hashes = kept[path].hashes
    continue
  }
  for (const law of scene.kind === 'impact' ? laws : [scene.law]) {
    const command = commandFor(scene.kind, path, law)
    const run = spawnSync('bash', ['-c', `ulimit -t ${limit}; exec "$@"`, 'bash', carom, ...command],
      { cwd: join(root, 'scenes'), encoding: 'utf8', env: { ...process.env, CAROM_CACHE: '' } })
    if (run.stdout && run.status !== null)
      try { scene.hashes[law] = fingerprint(scene.kind, run.stdout) } catch { /* no figures: no hash */ }
  }
  kept[path] = { text: scene.text, hashes: scene.hashes }
  writeFileSync(keep, JSON.stringify(kept)) // a build that is stopped goes on from here
}

// -- the gallery of the papers ------------------------------------------------------------------------
// Native results at small sizes; the command keeps them where program and scenes are the same.
const nativeGallery = `${out}.gallery`
const made = spawnSync(carom, ['gallery', '--quick', '--out', nativeGallery],
  { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, CAROM_CACHE: '' } })
if (made.status !== 0 && made.status !== 1) throw new Error(`carom gallery ended with ${made.status}`)
const gallery = execFileSync(carom, ['gallery', '--list'], { encoding: 'utf8' }).trim().split('\n').slice(1).map((line) => {
  const [id, paper, what, title] = line.split(/ {2,}/)
  let native = null
  try {
    const text = readFileSync(join(nativeGallery, `${id}.json`), 'utf8')
    native = { hash: fingerprint('gallery', text), seconds: JSON.parse(text).seconds }
  } catch { /* no result: none to compare with */ }
  return { id, paper, what, title, native }
})
const gallerySceneFiles = {}
for (const folder of readdirSync(join(root, 'scenes')))
  for (const name of readdirSync(join(root, 'scenes', folder)))
    gallerySceneFiles[`scenes/${folder}/${name}`] = readFileSync(join(root, 'scenes', folder, name), 'utf8')

// the one mesh that is not of the project, where Debian's glmark2-data is installed
const mesh = '/usr/share/glmark2/models/bunny.obj'
const galleryMeshes = existsSync(mesh) ? { [mesh]: gzipSync(readFileSync(mesh), { level: 9 }).toString('base64') } : {}

// -- pages ------------------------------------------------------------------------------------------
const live = await bundle(join(here, 'live.ts'), 'iife')
const worker = await bundle(join(here, 'worker.ts'), 'iife')
writeFileSync(join(out, 'live.js'), live('.js'))
writeFileSync(join(out, 'live.css'), live('.css'))
writeFileSync(join(out, 'scenes.js'), script('CAROM_SCENES', scenes) + script('CAROM_FILES', files) + script('CAROM_LAWS', laws))
writeFileSync(join(out, 'module.js'),
  script('CAROM_MODULE', readFileSync(wasm).toString('base64')) + script('CAROM_WORKER', worker('.js')))
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
const papers = [...new Set(gallery.map((entry) => entry.paper))]
const entries = papers.map((paper) => `<h2>${escape(paper)}</h2>\n${gallery.filter((entry) => entry.paper === paper).map((entry) =>
  `<section id="${entry.id}"><h3>${escape(entry.what)}: ${escape(entry.title)}</h3>
<p><button>compute</button> <span class="state"></span></p><iframe hidden title="${escape(entry.title)}"></iframe></section>`).join('\n')}`)
writeFileSync(join(out, 'gallery.js'), (await bundle(join(here, 'gallery.ts'), 'iife'))('.js'))
writeFileSync(join(out, 'gallery-data.js'), script('CAROM_GALLERY', gallery) + script('CAROM_GALLERY_SCENES', gallerySceneFiles) +
  script('CAROM_GALLERY_MESHES', galleryMeshes))
writeFileSync(join(out, 'gallery.html'), frame('The gallery of the papers, live', '<link rel="stylesheet" href="pages.css">', `<main>
<p><a href="index.html">Carom</a></p>
<h1>The gallery of the papers, live</h1>
<p>The figures and tables of the five papers, computed in this page: what the paper shows, what comes out, and a verdict by a
stated criterion. Sizes are those of <code>carom gallery --quick</code>, which each page names: in full the entries take 80
minutes of a processor together, the longest twenty (<code>make gallery</code>).</p>
${entries.join('\n')}
</main>
${['gallery-data', 'module', 'gallery'].map((name) => `<script src="${name}.js"></script>`).join('\n')}`))
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
<h2>The gallery of the papers</h2>
<p><a href="gallery.html">${gallery.length} figures and tables</a> of five papers, computed in the page, with a verdict each.</p>
${cards.join('\n')}
<h2>Not here, and why</h2>
<ul>${Object.entries(absent).map(([path, why]) => `<li>${escape(path.replace('.json', ''))}: ${escape(why)}</li>`).join('\n')}</ul>
<p>They run with the command: <code>carom view FILE</code>.</p>
</main>`))
cpSync(join(here, 'pages.css'), join(out, 'pages.css'))
const hashed = Object.values(scenes).filter((scene) => Object.keys(scene.hashes).length).length
console.log(`${gallery.length} entries of the gallery, ${Object.keys(scenes).length} scenes, ${hashed} with native hashes, ${lessons.length} lessons: ${out}/index.html`)
