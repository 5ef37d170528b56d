// Every page of the documentation site in a real browser, on a phone's and on a desk's screen: nothing is wider than the
// screen, every formula is set, nothing is asked of the network.
//   node docs.mjs HTML-FOLDER
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser, Report } from './browser.mjs'

const folder = resolve(process.argv[2])
const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html') && !/^(api|live|files)\//.test(name)).sort()
const { browser } = await openBrowser()
const report = new Report()
for (const width of [360, 1440]) {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  const asked = []
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || asked.push(request.url()))
  for (const name of pages)
    await report.run(`${name}, ${width} px`, async () => {
      await page.goto(pathToFileURL(join(folder, name)).href)
      await page.waitForFunction(() => [...document.querySelectorAll('.arithmatex')].every((one) => one.querySelector('.katex')))
      const found = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, wrong: document.querySelectorAll('.katex-error').length }))
      report.check('nothing is wider than the screen', found.wide <= width, found.wide)
      report.check('every formula is set', found.wrong === 0, found.wrong)
    })
  report.check('nothing is asked of the network', asked.length === 0, asked)
}
await browser.close()
process.exit(report.end() ? 0 : 1)
