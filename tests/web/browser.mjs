// One browser for all flows, servers that end with us, and a report.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'

const { chromium } = createRequire(import.meta.url)('playwright-core')
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!browserPath) {
  console.log('no browser: install Debian\'s package chromium (tools/setup test)')
  process.exit(1)
}

const children = []
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')))

// Starts `carom view ... --no-browser` and gives its link.
export function serve(carom, args) {
  const child = spawn(carom, ['view', ...args, '--no-browser'], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let words = ''
  child.stderr.on('data', (piece) => (words += piece))
  return new Promise((done, fail) => {
    let line = ''
    child.stdout.on('data', (piece) => {
      line += piece
      if (line.includes('\n')) done({ link: line.trim(), child })
    })
    child.on('exit', () => fail(new Error(`carom view ${args.join(' ')} ended: ${words}`)))
  })
}

export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-dev-shm-usage'],
  })
  const context = await browser.newContext({ viewport: { width: 960, height: 600 } })
  context.setDefaultTimeout(30000)
  return { browser, context }
}

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
    const start = performance.now()
    try {
      await work()
    } catch (error) {
      this.check(String(error.message ?? error).split('\n').slice(0, 3).join(' '), false)
    }
    console.log(`${((performance.now() - start) / 1000).toFixed(2).padStart(6)} s  ${name}`)
  }
  end() {
    this.flow = 'consoles'
    this.check('no page complained', this.problems.length === 0, this.problems.slice(0, 5))
    console.log(`${this.flows} flows, ${this.checks} checks, ${this.failures.length} failed`)
    return this.failures.length === 0
  }
}
