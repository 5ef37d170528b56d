// A picture of the viewer. Usage: node shot.mjs CAROM OUT.png WIDTHxHEIGHT HASH ARGUMENTS OF CAROM VIEW...
import { openBrowser, serve } from './browser.mjs'

const [, , carom, out, size, hash, ...args] = process.argv
const [width, height] = size.split('x').map(Number)
const { link, child } = await serve(carom, args)
const { browser, context } = await openBrowser()
const page = await context.newPage()
await page.setViewportSize({ width, height })
await page.goto(link + hash)
await page.waitForFunction(() => document.body.dataset.frame && document.body.dataset.running === '0')
await page.evaluate((wanted) => (location.hash = wanted), hash)
await page.waitForTimeout(800)
await page.screenshot({ path: out })
await browser.close()
child.removeAllListeners('exit')
child.kill('SIGTERM')
