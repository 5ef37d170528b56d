// Containers show what they hold. Usage: node walls.mjs CAROM SOURCE PICTURES WORK
//
// With its walls as they are shown by default a container shows what it shows without any: what moves is coloured by
// its mass, walls are grey, so that pixels with a colour are those of what moves.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { full, openBrowser, openLink, Report, serve, shooter } from './browser.mjs'
import { coloured, pixelsOf } from './pixels.mjs'

const [, , carom, source, pictures, work] = process.argv
const report = new Report()
const { browser, context } = await openBrowser(full ? 1 : 0.75) // glass before small things wants pixels
const shoot = shooter(pictures)
const page = await context.newPage()
page.on('pageerror', (error) => report.problems.push(error.message))
// Boxes, cylinders, gates; the others are boxes once more, and looked at in full.
const FEW = ['brazil-nut', 'column-collapse', 'janssen', 'packing-540', 'pack-cubes']
const SCENES = full ? [...FEW, 'settled', 'haff', 'shake', 'vibrated-layer'] : FEW

// The first step of a scene, with everything in its place.
function record(name) {
  const scene = JSON.parse(readFileSync(join(source, 'scenes/world', `${name}.json`)))
  scene.duration = scene.step
  scene.output = { every: scene.step }
  delete scene.changes
  const path = join(work, name)
  writeFileSync(`${path}.json`, JSON.stringify(scene))
  execFileSync(carom, ['run', `${path}.json`, '--out', `${path}.carom`, '--quiet'], { stdio: 'ignore' })
  return `${path}.carom`
}

// A phone and a laptop; one of them each but for the container that is hidden most, unless all is wanted.
const SIZES = [[360, 640], [1440, 900]]
const sizesOf = (name) =>
  full || name === 'packing-540' ? SIZES : [SIZES[SCENES.indexOf(name) % 2]]

async function colouredWith(link, walls) {
  await openLink(page, `${link}#colour=mass&plots=0&walls=${walls}`)
  return coloured(await pixelsOf(page))
}

for (const name of SCENES)
  await report.run(`${name}: what moves is seen, not the walls`, async () => {
    const { link, child } = await serve(carom, [record(name)])
    for (const [width, height] of sizesOf(name)) {
      await page.setViewportSize({ width, height })
      const [usual, bare] = [await colouredWith(link, 'back'), await colouredWith(link, 'none')]
      // of 5760; what moves may be tall and narrow
      report.check(`${width} px: it fills the picture`, bare > 150, bare)
      // panes of glass make some paler than what counts as coloured
      report.check(`${width} px: walls hide none of it`, usual > 0.88 * bare, [usual, bare])
      if (name === 'packing-540') report.check(`${width} px: all of them would`, (await colouredWith(link, 'all')) < 0.5 * bare)
      await shoot(page, `walls-${name}-${width}`)
    }
    await page.goto('about:blank')
    child.end()
  })

await browser.close()
process.exit(report.end() ? 0 : 1)
