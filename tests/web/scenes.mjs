// Every scene shows its subject. Usage: node scenes.mjs CAROM SOURCE PICTURES WORK [NAME...]
// With THUMBS=FOLDER in the environment it only makes small pictures, for docs/scenes.md (tools/scenes).
//
// Each scene is opened on a phone and on a desk, at its start. Only what moves is painted by mass, speed or body: pixels
// that change with the quantity are those of what moves. Names are paths below scenes/, without .json; none: all
// of them. In full (CAROM_EFFORT), or with SHEETS in the environment, PICTURES gets what was seen and sheets of it, to look at.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { full, openBrowser, openLink, Report, serve } from './browser.mjs'
import { changed, pixelsOf } from './pixels.mjs'

const [, , carom, source, pictures, , ...only] = process.argv
const folder = join(source, 'scenes')
const UNSEEN = ['bounce/kernel', 'chain/frame', 'chain/two_walls', 'sweep/rod'] // numbers without a body: refused with the reason
const EMPTY = ['world/hopper'] // nothing is there at the start: it is poured
const all = readdirSync(folder).flatMap((room) => readdirSync(join(folder, room)).map((file) => `${room}/${file.replace(/\.json$/, '')}`))
const names = only.length ? only : all.filter((name) => !UNSEEN.includes(name)).sort()
const SIZES = [[360, 640], [1440, 900]]
const seen = full || Boolean(process.env.SHEETS) // pictures are kept
const sizesOf = (name) => (seen ? SIZES : [SIZES[names.indexOf(name) % 2]])
const LEAST = 3 // of 5760: a ball on a track of two turns is no larger

const report = new Report()
const { browser, context } = await openBrowser()
const page = await context.newPage()
page.on('pageerror', (error) => report.problems.push(`${report.flow}: ${error.message}`))
mkdirSync(pictures, { recursive: true })
const pictureOf = (name, width) => join(pictures, `scene-${name.replace('/', '-')}-${width}.png`)

async function look(link, name, width, height) {
  await page.setViewportSize({ width, height })
  await page.goto('about:blank')
  await openLink(page, `${link}#plots=0`)
  if (seen) await page.screenshot({ path: pictureOf(name, width) })
  const time = await page.evaluate(() => document.querySelector('#scrub')?.value ?? '0')
  report.check(`${width} px: waits at the start`, Number(time) === 0, time)
  const painted = {}
  for (const quantity of ['mass', 'speed', 'body']) {
    await openLink(page, `${link}#colour=${quantity}&plots=0&labels=none`)
    painted[quantity] = await pixelsOf(page)
  }
  const count = changed(painted.mass, painted.speed, painted.body)
  console.log(`        ${name} ${width} px: ${count} of 5760`)
  report.check(`${width} px: what moves is seen`, EMPTY.includes(name) ? count === 0 : count >= LEAST, count)
}

// The picture alone.
async function thumb(link, name) {
  await page.setViewportSize({ width: 400, height: 300 })
  await openLink(page, `${link}#plots=0&labels=none`)
  await page.addStyleTag({ content: '.title, .legend, .begin, .lil-gui, .notice { visibility: hidden !important }' })
  const path = join(process.env.THUMBS, `${name.replace('/', '-')}.jpg`)
  await page.locator('.stages').screenshot({ path, type: 'jpeg', quality: 72 })
}

for (const name of names)
  await report.run(name, async () => {
    const { link, child } = await serve(carom, [join(folder, `${name}.json`)])
    if (process.env.THUMBS) await thumb(link, name)
    else for (const [width, height] of sizesOf(name)) await look(link, name, width, height)
    await page.goto('about:blank')
    child.end()
  })

if (!only.length && !process.env.THUMBS)
  for (const name of UNSEEN)
    await report.run(`${name}: nothing to see`, async () => {
      const words = await serve(carom, [join(folder, `${name}.json`)]).then(() => '', (error) => error.message)
      report.check('said with what to do instead', /Fix: /.test(words), words)
    })

// Sheets of twenty, for the eye.
async function sheet(part, number, width, height) {
  const cells = part.filter((name) => existsSync(pictureOf(name, width))).map((name) => {
    const data = readFileSync(pictureOf(name, width)).toString('base64')
    return `<figure><img src="data:image/png;base64,${data}" width="${width}" height="${height}"><figcaption>${name}</figcaption></figure>`
  })
  const page = await context.newPage()
  await page.setViewportSize({ width: 1600, height: 1200 })
  await page.setContent(`<style>body{display:grid;grid-template-columns:repeat(${width > height ? 4 : 7},1fr);gap:6px;margin:6px}
    img{width:100%;height:auto;display:block}figure{margin:0}figcaption{font:13px sans-serif}</style>${cells.join('')}`)
  await page.screenshot({ path: join(pictures, `sheet-${width}-${String(number).padStart(2, '0')}.png`), fullPage: true })
  await page.close()
}

if (seen && !process.env.THUMBS)
  for (const [width, height] of SIZES) {
    const each = width > height ? 20 : 28
    for (let i = 0; i * each < names.length; ++i) await sheet(names.slice(i * each, (i + 1) * each), i, width, height)
  }

await browser.close()
process.exit(report.end() ? 0 : 1)
