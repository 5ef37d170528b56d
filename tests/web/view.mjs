// What people do with the viewer, in a real browser. Usage: node view.mjs CAROM SOURCE PICTURES WORK
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { full, memory, openBrowser, processorTime, Report, serve, shooter } from './browser.mjs'
import { colours, difference, pixelsOf } from './pixels.mjs'

const [, , carom, source, pictures, work] = process.argv
const scene = (name) => join(source, 'scenes', name)
const file = (name) => join(work, name)
const report = new Report()
const { browser, context } = await openBrowser()

// -- what a page knows ---------------------------------------------------------------------------

const page = await context.newPage()
let silent = false // while requests fail on purpose
page.on('pageerror', (error) => report.problems.push(error.message))
page.on('console', (message) => message.type() === 'error' && !silent && report.problems.push(message.text()))
async function open(link) {
  await page.goto('about:blank')
  silent = false
  await page.goto(link)
  await page.waitForFunction(() => document.body.dataset.frame)
}
const data = (key) => page.evaluate((name) => document.body.dataset[name], key)
const frame = async () => Number(await data('frame'))
const until = (test, argument) => page.waitForFunction(test, argument)
const atFrame = (wanted) => until((number) => document.body.dataset.frame === String(number), wanted)
const hash = () => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))))
const text = (selector) => page.locator(selector).textContent()
const keep = shooter(pictures)
const shoot = (name) => keep(page, name)
const fetchJson = (path) => page.evaluate(async (url) => (await fetch(url)).json(), path)
const look = () => pixelsOf(page)
// Where a body is on the screen, from the camera in the address and the numbers of the server.
const whereIs = (source, body) =>
  page.evaluate(
    async ([number, which]) => {
      const given = new URLSearchParams(location.hash.slice(1))
      const [px, py, pz, tx, ty, tz] = given.get('camera').split(',').map(Number)
      const index = Number(document.body.dataset.frame)
      const reply = await fetch(`/frames?source=${number}&first=${index}&count=1`)
      const at = new Float32Array(await reply.arrayBuffer()).subarray(13 * which, 13 * which + 3)
      const minus = (a, b) => a.map((v, i) => v - b[i])
      const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0)
      const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
      const unit = (a) => a.map((v) => v / Math.hypot(...a))
      const ahead = unit(minus([tx, ty, tz], [px, py, pz]))
      const right = unit(cross(ahead, [0, 0, 1]))
      const up = cross(right, ahead)
      const from = minus([...at], [px, py, pz])
      const box = document.querySelector('.stages').getBoundingClientRect()
      const sources = Number(document.body.dataset.sources)
      const scale = box.height / 2 / Math.tan((17.5 * Math.PI) / 180) / dot(from, ahead)
      const wide = box.width / sources
      return { x: box.left + (number + 0.5) * wide + scale * dot(from, right), y: box.top + box.height / 2 - scale * dot(from, up) }
    },
    [source, body],
  )

// -- what is looked at -----------------------------------------------------------------------------

const run = (name, out, extra = []) => execFileSync(carom, ['run', name, '--out', file(out), '--quiet', ...extra], { stdio: 'ignore' })
const json = (name, value) => (writeFileSync(file(name), JSON.stringify(value)), file(name))

const ball = JSON.parse(readFileSync(scene('world/dropped-ball.json')))
ball.output = { every: 0.02, contacts: true }
run(json('ball.json', ball), 'ball.carom')
const whole = readFileSync(file('ball.carom'))
writeFileSync(file('cut.carom'), whole.subarray(0, Math.floor(0.4 * whole.length) | 7))
// Without a graphics processor 400 spheres are a crowd; 60,000 of them, and memory over 200 frames, are seen in full.
const [GRAINS, FRAMES] = full ? [[50, 40, 30], 200] : [[20, 10, 10], 2]
const grains = {
  carom: 1, kind: 'world', step: 0.01, duration: 0.01 * FRAMES, gravity: [0, 0, 0], output: { every: 0.01 },
  generators: [{ grid: { count: GRAINS, spacing: [0.22, 0.22, 0.22], body: { name: 'grain', shape: { sphere: 0.1 }, velocity: [1, 0, 0] } } }],
}
run(json('grains.json', grains), 'grains.carom')
execFileSync(carom, ['bounce', 'shape:bar:200x20x20mm', '--faces', '600', '--modes', '20', '--unknowns', '4000', '--out', file('bar.bounce')], { stdio: 'ignore' })

const recording = await serve(carom, [file('ball.carom')])
await open(recording.link)

await report.run('open: a ball on a floor, with title, clock and picture', async () => {
  report.check('title', (await page.title()).startsWith('ball'), await page.title())
  report.check('law beside it', (await text('.title')).includes('wave'), await text('.title'))
  report.check('clock', (await text('#clock')).includes('0.000 / 3.000 s'), await text('#clock'))
  report.check('something is drawn', colours(await look()) > 6, colours(await look()))
  await shoot('01-open')
})

await report.run('play and pause with the space bar', async () => {
  await page.keyboard.press('Space')
  await until(() => Number(document.body.dataset.frame) >= 3)
  report.check('plays', (await data('playing')) === '1')
  await page.keyboard.press('Space')
  await until(() => document.body.dataset.playing === '0')
  const still = await frame()
  await page.waitForTimeout(150)
  report.check('stays', (await frame()) === still)
})

await report.run('restart with R, single steps with the arrows', async () => {
  await page.keyboard.press('r')
  await atFrame(0)
  await page.keyboard.press('ArrowRight')
  await atFrame(1)
  await page.keyboard.press('Shift+ArrowRight')
  await atFrame(11)
  await page.keyboard.press('ArrowLeft')
  await atFrame(10)
  report.check('the clock knows', (await text('#clock')).includes('0.200'), await text('#clock'))
  await page.keyboard.press('End')
  await atFrame(150)
  await page.keyboard.press('Home')
  await atFrame(0)
})

await report.run('scrub with the slider: the picture moves', async () => {
  const before = await look()
  await page.locator('#scrub').evaluate((slider) => {
    slider.value = '150'
    slider.dispatchEvent(new Event('input'))
  })
  await until(() => Number(document.body.dataset.frame) === 22)
  report.check('another picture', difference(before, await look()) > 20, difference(before, await look()))
})

await report.run('speed: a quarter is slower', async () => {
  await page.keyboard.press('r')
  // The page's time is ours: no pace of the machine's shows.
  await page.evaluate(() => {
    const { requestAnimationFrame: ask } = window
    let now = performance.now(), asked = []
    performance.now = () => now
    window.requestAnimationFrame = (draw) => asked.push(draw)
    window.pass = (milliseconds) => {
      now += milliseconds
      asked.splice(0).forEach((draw) => draw(now))
    }
    window.giveBack = () => {
      delete performance.now
      window.requestAnimationFrame = ask
      asked.splice(0).forEach((draw) => ask(draw))
    }
    window.waiting = () => asked.length > 0
  })
  await until(() => window.waiting())
  // 0.02 s per frame
  const play = async (speed, pictures, last) => {
    await page.keyboard.press('r')
    await page.selectOption('#speed', speed)
    await page.locator('#play').click()
    await page.evaluate((count) => Array(count).fill(10).forEach(window.pass), pictures)
    await page.locator('#play').click()
    await until((frame) => (window.pass(0), document.body.dataset.frame === String(frame)), last)
    report.check(`time at speed ${speed}`, (await text('#clock')).includes('0.410 /'), await text('#clock'))
  }
  await play('1', 41, 20)
  await play('0.25', 164, 20)
  await page.evaluate(() => window.giveBack())
  report.check('in the address', (await hash()).speed === '0.25', await hash())
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await until(() => document.querySelector('#speed').value === '1')
})

await report.run('pick a body and read its state', async () => {
  await page.keyboard.press('r')
  await atFrame(0)
  const at = await whereIs(0, 1)
  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.card:not([hidden])')
  const card = await text('.card')
  report.check('its name and mass', card.includes('ball') && card.includes('1.0000 kg'), card)
  report.check('its height', /position \(m\)\s+\S+\s+\S+\s+1\.1000/.test(card), card)
  report.check('its material', card.includes('restitution 0.9'), card)
  await page.keyboard.press('Shift+ArrowRight')
  await atFrame(10)
  await until(() => /velocity \(m\/s\).*-1\.9/.test(document.querySelector('.card').textContent))
  await shoot('02-pick')
})

await report.run('contacts, normals, impulses and velocities as arrows', async () => {
  await page.keyboard.press('v')
  await until(() => Number(document.body.dataset.arrows) === 1)
  await page.keyboard.press('v')
  await page.keyboard.press('a')
  await until(() => location.hash.includes('impulses=1'))
  // 1 m of fall takes 0.4515 s: the impact belongs to the frame 0.46 s
  await page.evaluate(() => (location.hash = '#t=0.4601&impulses=1'))
  await atFrame(23)
  await until(() => Number(document.body.dataset.arrows) === 1)
  await page.keyboard.press('n')
  await until(() => Number(document.body.dataset.arrows) === 2)
  await shoot('03-arrows')
  await page.keyboard.press('a')
  await page.keyboard.press('n')
  await until(() => document.body.dataset.arrows === '0')
})

await report.run('colour by everything: speed, energy, height, mass, restitution, friction, depth', async () => {
  const seen = []
  const pixels = []
  for (let i = 0; i < 8; ++i) {
    seen.push(await data('colour'))
    if ([0, 1, 4, 5].includes(i)) pixels[i] = await look()
    await page.keyboard.press('c')
    await until((old) => document.body.dataset.colour !== old, seen[i])
    if (i === 0) {
      report.check('a scale with its unit', (await text('.legend')).includes('m/s'), await text('.legend'))
      await shoot('04-speed')
    }
  }
  report.check('all of them', seen.join(' ') === 'body speed energy height mass restitution friction depth', seen)
  report.check('speed is not body', difference(pixels[0], pixels[1]) > 8, difference(pixels[0], pixels[1]))
  report.check('restitution is not mass', difference(pixels[4], pixels[5]) > 8, difference(pixels[4], pixels[5]))
})

await report.run('plots move with the time, and a click on one goes there', async () => {
  const left = () => page.locator('.plots .now').first().evaluate((line) => line.getBoundingClientRect().left)
  report.check('energy, momentum, overlap with units', (await page.locator('.plots .u-title').allTextContents()).join() === 'energy (J),momentum (kg m/s),overlap (m)')
  await page.keyboard.press('Home')
  await atFrame(0)
  const start = await left()
  await page.keyboard.press('End')
  await atFrame(150)
  const end = await left()
  report.check('the line moved', end - start > 150, [start, end])
  const box = await page.locator('.plots .u-over').first().boundingBox()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await until(() => Math.abs(Number(document.body.dataset.frame) - 75) < 3)
})

await report.run('the address restores the view', async () => {
  await open(`${recording.link}#t=1&speed=0.5&colour=speed&impulses=1&dark=1&body=0:1&camera=0,-6,2,0,0,0.5&plots=0`)
  await until(() => document.body.dataset.frame === '50')
  const now = await hash()
  report.check('time, speed, colours', now.t === '1.00000' && now.speed === '0.5' && now.colour === 'speed' && now.body === '0:1', now)
  report.check('camera', now.camera.split(',').map(Number).join() === '0,-6,2,0,0,0.5', now.camera)
  report.check('dark', (await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark')
  report.check('no plots', await page.locator('.side').isHidden())
  report.check('the body', (await text('.card')).includes('ball'))
  await shoot('05-restored-dark')
})

await report.run('light and dark with L, help with H', async () => {
  const before = await look()
  await page.keyboard.press('l')
  await until(() => document.documentElement.dataset.theme === 'light')
  await page.waitForTimeout(60)
  report.check('the picture is light now', difference(before, await look()) > 5000, difference(before, await look()))
  await page.keyboard.press('h')
  await page.waitForSelector('.help:not([hidden])')
  report.check('the keys are there', (await text('.help')).includes('play or pause'))
  await shoot('06-help')
  await page.keyboard.press('Escape')
  report.check('and away', await page.locator('.help').isHidden())
})

await report.run('drag turns the camera, F sees everything again', async () => {
  const before = (await hash()).camera
  await page.mouse.move(480, 300)
  await page.mouse.down()
  await page.mouse.move(560, 330, { steps: 3 })
  await page.mouse.up()
  await until((old) => new URLSearchParams(location.hash.slice(1)).get('camera') !== old, before)
  report.check('a drag chooses nothing', (await text('.card')).includes('ball'))
  const turned = (await hash()).camera
  await page.keyboard.press('f')
  await until((old) => new URLSearchParams(location.hash.slice(1)).get('camera') !== old, turned)
})

await report.run('on a laptop screen, and on a narrow one, nothing is lost', async () => {
  for (const [width, height] of [[1366, 768], [700, 500]]) {
    await page.setViewportSize({ width, height })
    await until((wide) => document.querySelector('.stages canvas').clientWidth === wide, width)
    const bar = await page.locator('.bar').boundingBox()
    const inside = await page.evaluate(() => [...document.querySelectorAll('.bar > *')].every((one) => one.getBoundingClientRect().right <= innerWidth + 1))
    report.check(`${width}: the bar is whole`, bar.y + bar.height <= height + 1 && inside, bar)
    report.check(`${width}: no scroll bars`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await page.keyboard.press('p')
    await shoot(`07-screen-${width}`)
  }
  await page.setViewportSize({ width: 960, height: 600 })
})

await report.run('the server ends: the page says so', async () => {
  silent = true
  recording.child.end()
  await until(() => /has ended/.test(document.querySelector('.notice')?.textContent ?? ''))
})

await report.run('a trajectory that was cut opens as far as it is whole, and says so', async () => {
  const cut = await serve(carom, [file('cut.carom')])
  await open(cut.link)
  const words = await text('.notice')
  report.check('says so', /cut|ends|whole/.test(words), words)
  await page.keyboard.press('End')
  await until(() => Number(document.body.dataset.frame) > 20)
  report.check('not to the end', (await frame()) < 100, await frame())
  await shoot('08-cut')
})

await report.run('an error page: a foreign token, a source that is not there', async () => {
  const other = await serve(carom, [file('ball.carom'), '--listen', '127.0.0.2'])
  silent = true
  await page.goto(other.link.replace(/\/$/, '/nothing'))
  report.check('words, no page', (await text('body')).includes('there is nothing here'), await text('body'))
  await page.route('**/describe*', (route) => route.fulfill({ status: 500, body: 'the file is damaged' }))
  await page.goto(other.link)
  await page.waitForSelector('.notice:not([hidden])')
  report.check('the reason', (await text('.notice')).includes('the file is damaged'), await text('.notice'))
  await shoot('09-error')
  await page.unroute('**/describe*')
})

await report.run('laws side by side on one impact, sweep by sweep, cameras locked', async () => {
  const laws = await serve(carom, [scene('impact/pool-break.json'), '--law', 'wave', '--law', 'qce', '--law', 'gr'])
  await open(laws.link)
  report.check('three', (await data('sources')) === '3')
  report.check('each named', (await page.locator('.title').allTextContents()).join().match(/wave.*qce.*gr/))
  report.check('by sweeps', (await text('.title >> nth=0')).includes('before the impact'), await text('.title >> nth=0'))
  await page.keyboard.press('a')
  await page.keyboard.press('v')
  let sweeps = 0
  const arrows = []
  await page.keyboard.press('Shift+ArrowRight')
  await atFrame(10)
  for (let i = 0; i < 7; ++i) {
    const old = await frame()
    await page.keyboard.press('ArrowRight')
    await atFrame(old + 1)
    if (/after sweep/.test(await text('.title >> nth=0'))) ++sweeps, arrows.push(Number(await data('arrows')))
  }
  report.check('sweeps are told', sweeps >= 3, sweeps)
  report.check('the wave reaches more and more balls', arrows.at(-1) > arrows[0], arrows)
  await shoot('10-laws')
  const before = await look()
  await page.mouse.move(480, 300)
  await page.mouse.down()
  await page.mouse.move(520, 380, { steps: 2 })
  await page.mouse.up()
  await page.waitForTimeout(120)
  const after = await look()
  // one camera: each third of the picture has changed
  for (let part = 0; part < 3; ++part) {
    const third = (pixels) => pixels.filter((_, i) => Math.floor(((i >> 2) % 96) / 32) === part)
    report.check(`panel ${part + 1} turned`, difference(third(before), third(after)) > 100)
  }
})

await report.run('a tower falls', async () => {
  const tower = await serve(carom, [scene('tower/diamond5.json')])
  await open(tower.link)
  await page.keyboard.press('a')
  await until(() => Number(document.body.dataset.arrows) > 5)
  await shoot('11-tower')
  const before = await look()
  await page.keyboard.press('End')
  await until(() => Number(document.body.dataset.frame) > 100)
  report.check('it fell', difference(before, await look()) > 300, difference(before, await look()))
  report.check('its units', (await text('#clock')).includes('sqrt(L/g)'), await text('#clock'))
  await shoot('12-tower-fallen')
})

await report.run('a chain: the wave inside its bodies', async () => {
  const chain = await serve(carom, [scene('chain/fig7_cylinders.json')])
  await open(chain.link)
  report.check('by compression from the start', (await data('colour')) === 'compression')
  await page.locator('#scrub').evaluate((slider) => {
    slider.value = '450'
    slider.dispatchEvent(new Event('input'))
  })
  await until(() => Number(document.body.dataset.frame) > 100)
  await page.waitForTimeout(100)
  report.check('strains are seen', colours(await look()) > 12, colours(await look()))
  report.check('velocity, force, approach', (await page.locator('.plots .u-title').allTextContents()).join().startsWith('velocity (m/s),force (N)'))
  await shoot('13-chain')
})

await report.run('a bounce map: restitution over the surface, read by a click', async () => {
  const map = await serve(carom, [file('bar.bounce')])
  await open(map.link)
  report.check('by restitution', (await data('colour')) === 'restitution')
  report.check('the scale of the data', /^0\.\d+ – 0\.\d+ +restitution/.test(await text('.legend')), await text('.legend'))
  await page.mouse.click(620, 250)
  await page.waitForSelector('.card:not([hidden])')
  report.check('a value', /restitution 0\.\d+/.test(await text('.card')), await text('.card'))
  report.check('many colours', colours(await look()) > 8, colours(await look()))
  await shoot('14-bounce-map')
  await page.keyboard.press('c')
  await until(() => document.body.dataset.colour === 'contact time')
})

const liveScene = { ...ball, duration: 4, output: { every: 0.02 } }
const live = await serve(carom, [json('live.json', liveScene)])
await report.run('live: the scene runs while one watches', async () => {
  await open(live.link)
  report.check('it waits at the start', (await data('playing')) === '0' && (await frame()) === 0)
  await page.locator('.begin').click()
  await until(() => document.body.dataset.running === '0' && Number(document.body.dataset.frame) > 5)
  await page.keyboard.press('Space')
  report.check('everything there is', (await fetchJson('/news?source=0&have=999999')).frames === 201)
})

const highest = async () => {
  const column = (await fetchJson('/describe?source=0')).ledger.find((one) => one.name === 'potential').values
  return column
}
await report.run('live: another restitution, friction and gravity from the frame on the screen', async () => {
  const before = await highest()
  await page.evaluate(() => (location.hash = '#t=1.0001&colour=speed'))
  await atFrame(50)
  await page.keyboard.press('t')
  const setting = (name) => page.locator('.lil-gui .lil-controller', { hasText: name }).locator('input').last()
  await setting('restitution').fill('0')
  await setting('restitution').press('Enter')
  await until(() => document.body.dataset.generation === '1')
  await until(() => document.body.dataset.running === '0')
  const after = await highest()
  report.check('what was before stays', before.slice(0, 51).every((value, i) => value === after[i]))
  report.check('without bounce it lies still', Math.abs(after.at(-1) - 9.81 * 0.1) < 1e-3, after.at(-1))
  report.check('and did bounce before', before.at(-1) > after.at(-1) + 0.1, before.at(-1))
  await page.keyboard.press('Home')
  await atFrame(0)
  const lighter = page.locator('.lil-gui .lil-controller', { hasText: 'z' }).locator('input').last()
  await lighter.fill('-1.62')
  await lighter.press('Enter')
  await until(() => document.body.dataset.generation === '2')
  await until(() => document.body.dataset.running === '0')
  const moon = await fetchJson('/news?source=0&have=0')
  report.near('gravity of the moon', moon.settings.gravity[2], -1.62, 1e-12)
  report.near('one second of fall there', 1.62 * 1.1 - moon.ledger[1].values[50], 0.5 * 1.62 ** 2, 2e-3)
  await shoot('15-live')
})

await report.run('live: another law', async () => {
  await page.locator('.lil-gui .lil-controller', { hasText: 'law' }).locator('select').selectOption('qce')
  await until(() => document.body.dataset.law === 'qce')
  report.check('in the title', (await text('.title')).includes('qce'))
})

await report.run('live: the file changes, and is read again; mistakes are told with their line', async () => {
  const generation = await data('generation')
  writeFileSync(file('live.json'), '{ "carom": 1,\n  "kind": "world", "bodyes": [] }')
  await until(() => /cannot be shown as it is now.*live\.json:2/.test(document.querySelector('.notice')?.textContent ?? ''))
  await shoot('16-mistake')
  const wide = structuredClone(liveScene)
  wide.bodies.push({ name: 'second', shape: 'ball', mass: 1, position: [0.5, 0, 1.1], material: 'rubber' })
  json('live.json', wide)
  await until((old) => document.body.dataset.generation !== old, generation)
  report.check('the new body is there', (await fetchJson('/describe?source=0')).bodies.length === 3)
  report.check('the notice is gone', await page.locator('.notice').isHidden())
})

await report.run('live: two laws of a scene with strings side by side', async () => {
  const cradle = JSON.parse(readFileSync(scene('world/cradle-strings.json')))
  cradle.duration = 0.5
  const both = await serve(carom, [json('cradle.json', cradle), '--law', 'qce', '--law', 'poisson'])
  await open(both.link)
  report.check('two', (await data('law')) === 'qce poisson', await data('law'))
  await until(() => document.body.dataset.running === '0')
  await page.keyboard.press('End')
  await until(() => Number(document.body.dataset.frame) > 10)
  report.check('one curve per law', (await page.locator('.u-legend').first().textContent()).match(/qce.*poisson/))
  await shoot('17-strings')
})

await report.run('spheres by the thousand', async () => {
  const many = await serve(carom, [file('grains.carom')])
  const start = processorTime()
  await open(many.link)
  const opened = processorTime()
  await page.keyboard.press('ArrowRight')
  await atFrame(1)
  const stepped = processorTime()
  const one = await page.evaluate(() => document.body.dataset.colour)
  await page.keyboard.press('c')
  await until((old) => document.body.dataset.colour !== old, one)
  report.check('drawn', colours(await look()) > 6)
  const sent = (await page.evaluate(() => performance.getEntriesByType('resource').map((one) => one.transferSize))).reduce((sum, size) => sum + size, 0)
  const bodies = GRAINS.reduce((a, b) => a * b)
  // the page, and 52 bytes a body and frame: what is said of bodies that are alike is said once; three frames are measured,
  // two are at hand
  report.check('bytes sent', sent < 1.5e6 + 52 * bodies * 5, sent)
  console.log(`        ${bodies} spheres: opened after ${(opened - start).toFixed(1)} s, a step ${(stepped - opened).toFixed(2)} s of a processor, ${(sent / 1e6).toFixed(1)} MB sent`)
  await page.evaluate((last) => (location.hash = `#body=0:${last}`), bodies - 1)
  await until((name) => document.querySelector('.card').textContent.includes(name), `grain[${bodies - 1}]`)
  await shoot('18-many')
  if (!full) return
  await page.requestGC()
  const before = memory(), FULL = 150 // more frames than are kept
  let kept = 0
  for (let i = 1; i < FRAMES; ++i) { // the address of a body alone is that of the start
    await page.keyboard.press('ArrowRight')
    await atFrame(i)
    if (i !== FULL) continue
    await page.requestGC()
    kept = memory()
  }
  await page.requestGC()
  const after = memory()
  report.check('memory stays where it is once older frames are let go', after < kept + 64, after - kept)
  console.log(`        memory of the page: ${before.toFixed(0)} MB, after ${FRAMES} frames ${after.toFixed(0)} MB`)
})

await report.run('one HTML file with the page inside, without a server', async () => {
  execFileSync(carom, ['view', scene('impact/three-balls.json'), '--law', 'qce', '--law', 'springs', '--page', file('kept.html')], { stdio: 'ignore' })
  await open(`file://${file('kept.html')}`)
  report.check('two sources', (await data('sources')) === '2')
  await page.keyboard.press('End')
  await until(() => Number(document.body.dataset.frame) > 10)
  await page.keyboard.press('a')
  await until(() => Number(document.body.dataset.arrows) > 1)
  await shoot('19-kept')
})

await report.run('exports of a run, a tower and a map are the same page', async () => {
  execFileSync(carom, ['export', file('ball.carom'), '--to', 'html', '--out', file('ball.html')], { stdio: 'ignore' })
  await open(`file://${file('ball.html')}#colour=depth&t=0.4601`)
  await atFrame(23)
  // the frame after the impact has no overlap; the scale is that of what was seen
  await until(() => /m\s+depth/.test(document.querySelector('.legend')?.textContent ?? ''))
  const depths = await page.evaluate(() => new DataView(Uint8Array.from(atob(document.getElementById('source-0-values').textContent), (c) => c.charCodeAt(0)).buffer).getUint32(0, true))
  report.check('depths of every frame', depths === 151, depths)
  if (!full) return // the same page: what differs is in the files that tests/docs look at
  execFileSync(carom, ['tower', scene('tower/diamond5.json'), '--steps', '200', '--html', file('tower.html')], { stdio: 'ignore' })
  await open(`file://${file('tower.html')}`)
  report.check('what is known of it', (await text('.facts')).includes('0.218402'), await text('.facts'))
  await page.keyboard.press('End')
  await atFrame(200)
  await page.keyboard.press('Home')
  await page.keyboard.press('a')
  await until(() => Number(document.body.dataset.arrows) > 5)
  await shoot('20-tower-kept')
  execFileSync(carom, ['bounce', 'shape:cube:100mm@25mm', '--modes', '10', '--across', '1', '--html', file('cube.html')], { stdio: 'ignore' })
  await open(`file://${file('cube.html')}`)
  report.check('its statistics', /restitution\s*0\.\d+ to 0\.\d+, mean 0\.\d+/.test(await text('.facts')), await text('.facts'))
  await page.mouse.click(640, 290)
  await page.waitForSelector('.card:not([hidden])')
  report.check('a value', /restitution 0\.\d+/.test(await text('.card')), await text('.card'))
  await shoot('21-map-kept')
})

await browser.close()
process.exit(report.end() ? 0 : 1)
