// Every scene of the live site in a real browser, from the folder: opens, shows bodies, and ends in the hash of the native
// run; one page on a phone's screen; every law on the cradle and the pool break.
//   node live.mjs SITE [PART OF A NAME...]     names are those of the scenes, gallery/ENTRY, and page/ with laws, sliders, phone
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser, processorTime, Report } from './browser.mjs'

const [site, ...parts] = process.argv.slice(2)
const wanted = (name) => parts.length === 0 || parts.some((part) => name.includes(part))
globalThis.CAROM_SCENES = undefined
const list = readFileSync(join(site, 'scenes.js'), 'utf8')
new Function(list)() // sets CAROM_SCENES, CAROM_LAWS
const scenes = globalThis.CAROM_SCENES
const laws = globalThis.CAROM_LAWS
const address = (query) => `${pathToFileURL(resolve(site, 'live.html'))}?${new URLSearchParams(query)}`
const { browser, context } = await openBrowser()
const report = new Report()

async function open(query, page) {
  const said = []
  const start = processorTime()
  page.on('pageerror', (error) => said.push(error.message))
  await page.goto(address(query))
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 120000 })
  report.check('the page opens', (await page.evaluate(() => document.documentElement.dataset.ready)) === 'true',
    await page.evaluate(() => document.querySelector('.failed')?.textContent ?? ''))
  report.check('without an error', said.length === 0, said)
  console.log(`        begins after ${(processorTime() - start).toFixed(2)} s of a processor`)
  return page
}

// Waits for the hash of each law and compares it with the native one.
async function hashes(page, path) {
  await page.waitForFunction(
    () => [...document.querySelectorAll('.hashes p')].every((row) => row.dataset.hash), null, { timeout: 300000 })
  return page.evaluate(() => [...document.querySelectorAll('.hashes p')].map((row) => [row.dataset.hash, row.dataset.equal]))
    .then((rows) => rows.forEach(([hash, equal]) =>
      report.check(`${path}: the native hash`, equal === 'true' || (equal === '' && Object.keys(scenes[path].hashes).length === 0), [hash, scenes[path].hashes])))
}

for (const path of Object.keys(scenes).filter(wanted))
  await report.run(path, async () => {
    const page = await context.newPage()
    await open({ scene: path }, page)
    if (Object.keys(scenes[path].hashes).length) await hashes(page, path) // without one the run is too long to wait for
    await page.close()
  })

// The gallery of the papers: every entry is computed in the page, to the figures of the native command.
const gallery = readFileSync(join(site, 'gallery-data.js'), 'utf8')
new Function(gallery)()
const entries = globalThis.CAROM_GALLERY.filter(({ id }) => wanted(`gallery/${id}`))
if (entries.length) await report.run('the gallery of the papers', async () => {
  const page = await context.newPage()
  await page.goto(`${pathToFileURL(resolve(site, 'gallery.html'))}`)
  for (const { id, native } of entries) {
    await page.locator(`#${id} button`).click()
    await page.waitForFunction((one) => /done|failed/.test(document.getElementById(one).dataset.state ?? ''), id, { timeout: 600000 })
    const [state, equal, words] = await page.locator(`#${id}`).evaluate((row) =>
      [row.dataset.state, row.dataset.equal, row.querySelector('.state').textContent])
    report.check(`${id}: computed in the page`, state === 'done', words)
    report.check(`${id}: the native figures`, native && equal === 'true', words)
  }
  await page.close()
})

if (wanted('page/laws')) await report.run('every law', async () => {
  for (const path of ['impact/cradle.json', 'impact/pool-break.json'])
    for (let i = 0; i < laws.length; i += 7) { // side by side
      const page = await context.newPage()
      await open([['scene', path], ...laws.slice(i, i + 7).map((law) => ['law', law])], page)
      await hashes(page, path)
      await page.close()
    }
})
if (wanted('page/sliders')) await report.run('sliders', async () => {
  const page = await context.newPage()
  await open({ scene: 'impact/cradle.json', law: 'qce', set: 'row.restitution=0.5' }, page)
  if (!(await page.locator('nav.live > details').evaluate((bar) => bar.open))) await page.locator('nav.live > details > summary').click()
  const slider = page.locator('nav.live input[name=restitution]')
  await slider.waitFor()
  report.check('the slider stands where it was put', (await slider.inputValue()) === '0.5')
  await page.close()
})
if (wanted('page/phone')) await report.run('a phone', async () => {
  const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  const page = await open({ scene: 'impact/pool-break.json' }, await phone.newPage())
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  report.check('nothing is wider than the screen', wide <= 360, wide)
  await phone.close()
})
await browser.close()
process.exit(report.end() ? 0 : 1)
