// The npm package in Node: an instant, a run with the native hash, the pass in other engines, types, errors.
//   node package.mjs FOLDER
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder] = process.argv.slice(2)
const { load, CaromError } = await import(pathToFileURL(resolve(folder, 'index.js')))
let failed = 0
let checks = 0
const check = (claim, truth, found) => {
  ++checks
  if (truth) return
  ++failed
  console.log(`FAILED: ${claim} (found ${JSON.stringify(found)})`)
}
const carom = await load()
const size = statSync(resolve(folder, 'carom.wasm.gz')).size
check('the module has at most 1.2 MB', size <= 1.2e6, size)

// Newton's cradle, exact under qce.
const bodies = [0, 1, 2, 3, 4].map((x) => ({ mass: 1, position: [x, 0, 0], velocity: [x ? 0 : 1, 0, 0] }))
const contacts = [0, 1, 2, 3].map((i) => ({ a: i, b: i + 1, point: [i + 0.5, 0, 0], normal: [1, 0, 0] }))
const { velocities, energyBefore, energyAfter } = carom.resolve({ bodies, contacts }, 'qce')
velocities.forEach((v, i) => check(`ball ${i} of the cradle`, v[0] === (i === 4 ? 1 : 0), v))
check('energy is kept', energyBefore === 0.5 && energyAfter === 0.5, [energyBefore, energyAfter])

// Two balls that part and meet around the end of a ring of 3 m: an image of the other is struck.
const ring = [0, 1].map((i) => ({ mass: 1, position: [2 * i, 0, 0], velocity: [2 * i - 1, 0, 0] }))
const around = [{ a: 0, b: 1, point: [-0.5, 0, 0], normal: [-1, 0, 0], shift: [-3, 0, 0] }]
for (const law of ['wave', 'qce'])
  carom.resolve({ bodies: ring, contacts: around }, law).velocities.forEach((v, i) =>
    check(`ball ${i} of a ring by ${law}`, Math.abs(v[0] - (1 - 2 * i)) < 1e-12, v))
// Walton's tangential restitution: a disc that sticks leaves with as much slip as it came with.
const slide = [{ mass: 1, inverseInertia: 0, velocity: [1, 0, -1] }, { mass: Infinity }]
const floor = [{ a: 0, b: 1, point: [0, 0, 0], normal: [0, 0, -1], friction: 10, tangentialRestitution: 1 }]
const back = carom.resolve({ bodies: slide, contacts: floor }, 'newton').velocities[0]
check('slip comes back', Math.hypot(back[0] + 1, back[1], back[2] - 1) < 1e-12, back)

// The same bits as the native command.
if (existsSync('build/release/carom'))
  for (const scene of ['world/pool-break', 'world/cradle', 'world/dropped-ball', 'world/chute']) {
    const text = readFileSync(`scenes/${scene}.json`, 'utf8')
    const native = JSON.parse(execFileSync('build/release/carom', ['run', `scenes/${scene}.json`, '--no-file', '--json'], { encoding: 'utf8' }))
    const here = await carom.run(text)
    check(`${scene}: the native hash`, here.hash === native.hash, [here.hash, native.hash])
    check(`${scene}: a trajectory`, here.trajectory.length > 1000, here.trajectory.length)
  }

// Its types, in a program of a user's that is as strict as can be and resolves modules as Node does.
const program = mkdtempSync(join(tmpdir(), 'carom-types-'))
mkdirSync(join(program, 'node_modules'))
symlinkSync(resolve(folder), join(program, 'node_modules/carom'))
copyFileSync(join(import.meta.dirname, 'typed_program.ts'), join(program, 'typed_program.mts'))
const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022',
  '--module', 'nodenext', '--preserveSymlinks', '--typeRoots', program]
const compiler = join(import.meta.dirname, '../../viewer/node_modules/typescript/bin/tsc')
const judged = spawnSync('node', [compiler, ...strict, join(program, 'typed_program.mts')], { encoding: 'utf8' })
check('a strict program of a user has no type errors', judged.status === 0, judged.stdout)
rmSync(program, { recursive: true })

// What is wrong says what, and how to mend it.
try {
  carom.resolve({ bodies, contacts }, 'wafe')
  check('an unknown law is an error', false)
} catch (error) {
  check('of our kind', error instanceof CaromError && /wafe/.test(error.what) && error.fix.length > 0, error.message)
}
try {
  await carom.run({ carom: 1, kind: 'world', stepp: 1 })
  check('an unknown key is an error', false)
} catch (error) {
  check('with a suggestion', /step/.test(error.message), error.message)
}

// A pass: three balls, the last at rest.
const pass = carom.pass()
pass.begin()
const numbers = bodies.slice(0, 3).map((body) => pass.addBody(body))
contacts.slice(0, 2).forEach((contact) => pass.addContact({ ...contact, distance: 0, restitution: 1 }))
pass.resolve(1 / 60)
check('the pass hands the speed on', numbers.map((i) => pass.body(i).velocity[0]).join() === '0,0,1', numbers.map((i) => pass.body(i)))
pass.close()
console.log(`${checks - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
