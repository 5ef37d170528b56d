// One browser for all flows, servers that end with us, and a report.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const { chromium } = createRequire(import.meta.url)('playwright-core')
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!browserPath) {
  console.log('no browser: install Debian\'s package chromium (tools/setup test)')
  process.exit(1)
}

// In full pages are drawn as on a screen, and pictures of them kept; else with a quarter of the pixels, which checks do
// not mind and a processor without graphics does.
export const full = process.env.CAROM_EFFORT === 'full'

const children = []
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')))

// Starts `carom view ... --no-browser` and gives its link.
export function serve(carom, args) {
  const child = spawn(carom, ['view', ...args, '--no-browser'], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let words = ''
  child.stderr.on('data', (piece) => (words += piece))
  child.end = () => (child.removeAllListeners('exit'), child.kill('SIGTERM'))
  return new Promise((done, fail) => {
    let line = ''
    child.stdout.on('data', (piece) => {
      line += piece
      if (line.includes('\n')) done({ link: line.trim(), child })
    })
    child.on('exit', () => fail(new Error(`carom view ${args.join(' ')} ended: ${words}`)))
  })
}

// `share`: of a screen's pixels along each side.
export async function openBrowser(share = full ? 1 : 0.5) {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage',
      // the page around the picture is put together without the software that plays a graphics processor: a quarter of the time
      ...(full ? [] : ['--disable-gpu-compositing', '--in-process-gpu'])],
  })
  const context = await browser.newContext({ viewport: { width: 960, height: 600 }, deviceScaleFactor: share })
  context.setDefaultTimeout(120000) // for what never comes; busy machines
  return { browser, context }
}

export const shooter = (pictures) => (page, name) => full && page.screenshot({ path: join(pictures, `${name}.png`) })

// Opens a link. One that differs from the page's own behind the # only is a view to restore: nothing is loaded again.
export async function openLink(page, link) {
  const [site, view = ''] = link.split('#')
  if (page.url().split('#')[0] !== site) await page.goto(link)
  else
    await page.evaluate((hash) => {
      delete document.body.dataset.frame
      history.replaceState(null, '', '#-') // the same once more is a change, too
      location.hash = hash
    }, view)
  await page.waitForFunction(() => document.body.dataset.frame)
}

// This program and all that it started, as /proc/N/stat has them: the browser has a process for everything.
function processes() {
  const all = new Map()
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').map(Number)
      all.set(Number(name), { parent: fields[1], ticks: fields[11] + fields[12] + fields[13] + fields[14],
        pages: fields[21], draws: readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--type=renderer') })
    } catch { /* it has ended */ }
  const ours = (one) => one === process.pid || (one > 1 && all.has(one) && ours(all.get(one).parent))
  return [...all].filter(([one]) => ours(one)).map(([, found]) => found)
}

// Seconds, of all of them.
export const processorTime = () => processes().reduce((sum, { ticks }) => sum + ticks / 100, 0)

// Megabytes of the largest that holds a page.
export const memory = () => Math.max(...processes().map(({ draws, pages }) => (draws ? pages * 0.004096 : 0)))

export class Report {
  flows = 0
  checks = 0
  failures = []
  problems = [] // what pages said on their consoles

  check(claim, truth, found = '') {
    ++this.checks
    if (truth) return
    this.failures.push(`${this.flow}: ${claim}`)
    console.log(`FAILED in "${this.flow}": ${claim}${found === '' ? '' : ` (found ${JSON.stringify(found)})`}`)
  }
  near(claim, a, b, allowed) {
    this.check(claim, Math.abs(a - b) <= allowed, [a, b, allowed])
  }
  async run(name, work) {
    this.flow = name
    ++this.flows
    const start = processorTime()
    try {
      await work()
    } catch (error) {
      this.check(String(error.message ?? error).split('\n').slice(0, 3).join(' '), false)
    }
    console.log(`${(processorTime() - start).toFixed(2).padStart(6)} s of a processor  ${name}`)
  }
  end() {
    this.flow = 'consoles'
    this.check('no page complained', this.problems.length === 0, this.problems.slice(0, 5))
    console.log(`${this.flows} flows, ${this.checks} checks, ${this.failures.length} failed`)
    return this.failures.length === 0
  }
}
