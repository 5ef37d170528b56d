// What one can switch, save and reach by keyboard or on a phone. Usage: node controls.mjs CAROM SOURCE PICTURES WORK
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { full, openBrowser, openLink, Report, serve, shooter } from './browser.mjs'
import { difference, pixelsOf } from './pixels.mjs'

const [, , carom, source, pictures, work] = process.argv
const report = new Report()
const { browser, context } = await openBrowser()
const page = await context.newPage()
page.on('pageerror', (error) => report.problems.push(error.message))
const data = (key) => page.evaluate((name) => document.body.dataset[name], key)
const until = (test, argument) => page.waitForFunction(test, argument)
const text = (selector) => page.locator(selector).first().textContent()
const keep = shooter(pictures)
const shoot = (name) => keep(page, name)
const look = () => pixelsOf(page)
const open = (link) => openLink(page, link)

// A box of grains at rest, with its contacts recorded or not.
function grains(name, contacts) {
  const scene = {
    carom: 1, kind: 'world', step: 0.002, duration: 0.3, events: 0, resting_speed: 100,
    materials: { grit: { restitution: 0, friction: 0.4 } }, output: { every: 0.1, contacts },
    bodies: [{ name: 'box', shape: { container: { inside: [0.05, 0.05, 0.2], thickness: 0.01 } }, kind: 'fixed', material: 'grit' }],
    generators: [{ grid: { count: [4, 4, 6], spacing: [0.0111, 0.0111, 0.0111], jitter: 0.0005, seed: 1,
      body: { name: 'grain', shape: { sphere: 0.005 }, density: 2500, position: [-0.017, -0.017, 0.01], material: 'grit' } } }],
  }
  const path = join(work, name)
  writeFileSync(`${path}.json`, JSON.stringify(scene))
  execFileSync(carom, ['run', `${path}.json`, '--out', `${path}.carom`, '--quiet'], { stdio: 'ignore' })
  return `${path}.carom`
}
const { link: packed } = await serve(carom, [grains('packed', true)])
const { link: bare } = await serve(carom, [grains('bare', false)])

await report.run('force chains: bars with a scale', async () => {
  await open(`${packed}#t=0.3001`)
  const before = await look()
  await page.keyboard.press('k')
  await until(() => Number(document.body.dataset.arrows) > 50)
  await until(() => /force of a contact/.test(document.querySelector('.legend').textContent))
  report.check('in newtons', /[0-9] [mµ]?N /.test(await text('.legend')), await text('.legend'))
  report.check('another picture', difference(before, await look()) > 100)
  await shoot('30-force-chains')
})

await report.run('where no contacts were recorded the page says how to record them', async () => {
  await open(`${bare}#t=0.3001`)
  await page.keyboard.press('k')
  await until(() => /No contacts were recorded/.test(document.querySelector('.legend').textContent))
  report.check('how', (await text('.legend')).includes('"contacts": true'), await text('.legend'))
  report.check('no bars', (await data('arrows')) === '0')
})

await report.run('walls and cut: by key and by address', async () => {
  await open(packed)
  const usual = await look()
  await page.keyboard.press('w')
  await until(() => document.body.dataset.walls === 'all')
  const all = await look()
  report.check('solid walls are another picture', difference(usual, all) > 200, difference(usual, all))
  await page.keyboard.press('w')
  await until(() => document.body.dataset.walls === 'none' && location.hash.includes('walls=none'))
  await page.evaluate(() => (location.hash = '#cut=y&cutat=0.5&walls=none'))
  await until(() => document.body.dataset.cut === 'y')
  const half = await look()
  await page.evaluate(() => (location.hash = '#walls=none'))
  await until(() => document.body.dataset.cut === 'off')
  report.check('a cut takes bodies away', difference(half, await look()) > 100, difference(half, await look()))
})

await report.run('the name of what is under the pointer', async () => {
  await open(packed)
  const box = await page.locator('.stages canvas').boundingBox()
  for (let y = 0.3; y < 0.8; y += 0.02) {
    await page.mouse.move(box.x + 0.5 * box.width, box.y + y * box.height)
    await page.waitForTimeout(70)
    if (await page.locator('.tip').isVisible()) break
  }
  report.check('a name', /grain|box/.test(await text('.tip')), await text('.tip'))
})

// A ball that lies still in the middle of the picture.
const still = join(work, 'still.json')
writeFileSync(still, JSON.stringify({ carom: 1, kind: 'world', step: 0.01, duration: 1, gravity: [0, 0, 0], output: { every: 0.1 },
  bodies: [{ name: 'ball', shape: { sphere: 0.5 }, mass: 1 }] }))
const { link: lying } = await serve(carom, [still])
const middle = async () => {
  const box = await page.locator('.stages canvas').boundingBox()
  return [box.x + box.width / 2, box.y + box.height / 2]
}

await report.run('a body of a run is thrown, and the throw taken back', async () => {
  await open(`${lying}#plots=0&body=0:0`)
  await until(() => document.body.dataset.running === '0')
  const [x, y] = await middle()
  await page.keyboard.down('Shift')
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 80, y, { steps: 3 })
  await until(() => /throw it at/.test(document.querySelector('.tip').textContent))
  await shoot('31-throw')
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await until(() => document.body.dataset.generation === '1')
  await until(() => /speed [0-9.]*[1-9]/.test(document.querySelector('.card').textContent))
  await page.keyboard.press('u')
  await until(() => document.body.dataset.generation === '2' && /speed 0.0000 /.test(document.querySelector('.card').textContent))
})

await report.run('a ruler across a ball', async () => {
  await open(`${lying}#plots=0`)
  const [x, y] = await middle()
  await page.keyboard.press('d')
  await page.mouse.click(x - 40, y)
  await page.mouse.click(x + 40, y)
  await until(() => /^[0-9.]+ m /.test(document.querySelector('.ruler').textContent))
  const long = parseFloat(await text('.ruler'))
  report.check('shorter than its diameter', long > 0.05 && long < 1, long)
  await shoot('32-ruler')
  await page.keyboard.press('Escape')
  await until(() => document.querySelector('.ruler').hidden)
})

await report.run('loop: the end is followed by the start', async () => {
  await open(`${packed}#loop=1&t=0.299&speed=0.1`)
  report.check('in the bar', (await page.locator('#loop').getAttribute('aria-pressed')) === 'true')
  await page.keyboard.press('Space')
  await until(() => document.body.dataset.frame === '0' && document.body.dataset.playing === '1')
  await page.keyboard.press('Space')
})

await report.run('a picture and a video to keep', async () => {
  await open(packed)
  const [png] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('i')])
  const bytes = readFileSync(await png.path())
  report.check('a PNG', png.suggestedFilename().endsWith('.png') && bytes.subarray(1, 4).toString() === 'PNG', png.suggestedFilename())
  await open(`${packed}#speed=0.2`)
  // it ends with the run
  const [video] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('m')])
  const start = readFileSync(await video.path()).subarray(0, 4).toString('hex')
  report.check('a WebM video', video.suggestedFilename().endsWith('.webm') && start === '1a45dfa3', start)
})

await report.run('speeds at the balls of an impact, its law large', async () => {
  const { link } = await serve(carom, [join(source, 'scenes/impact/three-balls.json'), '--law', 'qce', '--law', 'wave'])
  await open(link)
  report.check('laws', (await page.locator('.title .large').allTextContents()).join() === 'qce,wave')
  report.check('numbers', (await page.locator('.tag:visible').count()) >= 4, await page.locator('.tag:visible').count())
  report.check('in seconds or milliseconds', /^\d+(\.\d+)? m?s before the impact$/.test(await text('.now-words')), await text('.now-words'))
  await shoot('31-impact')
})

await report.run('by keyboard alone: focus, Enter, Escape', async () => {
  await open(packed)
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.tagName)
  const order = []
  for (let i = 0; i < 18; ++i) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  report.check('the picture and the bar in reading order', order.indexOf('play') > 0 && order.indexOf('scrub') > order.indexOf('play') && order.indexOf('picture') > order.indexOf('scrub'), order)
  await page.locator('#show-plots').focus()
  await page.keyboard.press('Enter')
  await until(() => document.querySelector('.side').hidden)
  report.check('Enter does not play', (await data('playing')) === '0')
  await page.keyboard.press('h')
  await page.waitForSelector('.help:not([hidden])')
  report.check('help takes the focus', (await page.evaluate(() => document.activeElement.textContent)) === 'Close')
  await page.keyboard.press('Escape')
  report.check('and gives it back', (await focused()) === 'show-plots', await focused())
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select')].filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim()).length)
  report.check('everything has a name', unnamed === 0, unnamed)
})

await report.run('sizes from a phone to a wall: the bar is whole, plots are a drawer where it is narrow', async () => {
  for (const [width, height] of full ? [[360, 640], [768, 1024], [1024, 768], [2560, 1440]] : [[360, 640], [768, 1024]]) {
    await page.setViewportSize({ width, height })
    await open(packed)
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('.bar > *')].filter((one) => {
        const { left, right, bottom, width: wide } = one.getBoundingClientRect()
        return wide > 0 && (left < 0 || right > innerWidth + 1 || bottom > innerHeight + 1)
      }).map((one) => one.id))
    report.check(`${width} px: the bar is whole`, outside.length === 0, outside)
    report.check(`${width} px: no scroll bars`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    report.check(`${width} px: plots`, (await page.locator('.side').isVisible()) === width >= 760)
    await shoot(`32-size-${width}`)
    if (width > 360) continue
    await page.locator('#show-plots').click()
    await page.waitForSelector('.side .u-over')
    const { y } = await page.locator('.side').boundingBox()
    report.check('360 px: the drawer leaves the picture', y > 0.35 * height, y)
    await shoot('33-drawer')
    await page.keyboard.press('Escape')
    await until(() => document.querySelector('.side').hidden)
  }
  await page.setViewportSize({ width: 960, height: 600 })
})

await browser.close()
process.exit(report.end() ? 0 : 1)
