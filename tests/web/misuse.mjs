// The npm package under attack: wrong arguments, damaged scenes, memory that grows until there is no more. Each is a
// CaromError that says what (and, where there is one, the fix), and after each the module does its work as before.
//   node misuse.mjs FOLDER
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder] = process.argv.slice(2)
const { load, CaromError } = await import(pathToFileURL(resolve(folder, 'index.js')))
const carom = await load()
let failed = 0
let checks = 0
const check = (claim, truth, found) => {
  ++checks
  if (truth) return
  ++failed
  console.log(`FAILED: ${claim} (found ${String(found)})`)
}
const bodies = [0, 1, 2].map((x) => ({ mass: 1, position: [x, 0, 0], velocity: [x ? 0 : 1, 0, 0] }))
const contacts = [0, 1].map((i) => ({ a: i, b: i + 1, point: [i + 0.5, 0, 0], normal: [1, 0, 0] }))
const sound = () => JSON.stringify(carom.resolve({ bodies, contacts }, 'qce'))
const expected = sound()
const ball = readFileSync('scenes/world/dropped-ball.json', 'utf8')

// What is wrong, the call, a word of what is said.
async function refused(claim, call, word) {
  try {
    const found = await call()
    check(`${claim}: refused`, false, JSON.stringify(found)?.slice(0, 60))
  } catch (error) {
    check(`${claim}: says so`, error instanceof CaromError && error.message.includes(word), error.stack)
  }
  check(`${claim}: and goes on`, sound() === expected, 'another result')
}
const body = (change) => () => carom.resolve({ bodies: [bodies[0], { ...bodies[1], ...change }, bodies[2]], contacts }, 'qce')
const contact = (change) => () => carom.resolve({ bodies, contacts: [contacts[0], { ...contacts[1], ...change }] }, 'qce')
const circle = {}
circle.circle = circle
const calls = [
  ['no instant', () => carom.resolve(), 'instant'],
  ['a number for bodies', () => carom.resolve({ bodies: 3, contacts }), 'bodies'],
  ['no contacts', () => carom.resolve({ bodies }), 'contacts'],
  ['a hole in bodies', () => carom.resolve({ bodies: [bodies[0], , bodies[2]], contacts }), 'body 1'],
  ['a body of null', () => carom.resolve({ bodies: [null], contacts: [] }), 'body 0'],
  ['mass in words', body({ mass: 'x' }), 'mass of body 1'],
  ['mass 0', body({ mass: 0 }), 'inverse mass'],
  ['mass below 0', body({ mass: -1 }), 'inverse mass'],
  ['mass without a value', body({ mass: NaN }), 'nan'],
  ['a big mass', body({ mass: 1n }), 'mass of body 1'],
  ['position of two', body({ position: [1, 2] }), 'position of body 1'],
  ['position of four', body({ position: [1, 2, 3, 4] }), 'position of body 1'],
  ['position in words', body({ position: 'abc' }), 'position of body 1'],
  ['position with words', body({ position: [1, 2, '3'] }), 'position of body 1'],
  ['velocity without a value', body({ velocity: [NaN, 0, 0] }), 'finite'],
  ['inertia of two', body({ inverseInertia: [1, 2] }), 'inverseInertia of body 1'],
  ['inertia below 0', body({ inverseInertia: -1 }), 'inertia'],
  ['half a body', contact({ b: 1.5 }), 'b of contact 1'],
  ['a body by its name', contact({ b: 'x' }), 'b of contact 1'],
  ['a body below 0', contact({ b: -1 }), 'b of contact 1'],
  ['a body that is none', contact({ b: 99 }), '99'],
  ['a body beyond all integers', contact({ b: 2 ** 32 + 2 }), 'b of contact 1'],
  ['a contact with itself', contact({ b: 1 }), 'contact'],
  ['no point', contact({ point: undefined }), 'point of contact 1'],
  ['a normal of two', contact({ normal: [1, 0] }), 'normal of contact 1'],
  ['a normal of no length', contact({ normal: [0, 0, 0] }), 'length 0'],
  ['restitution above 1', contact({ restitution: 2 }), 'restitution'],
  ['friction below 0', contact({ friction: -1 }), 'friction'],
  ['friction in words', contact({ friction: 'x' }), 'friction of contact 1'],
  ['another law', () => carom.resolve({ bodies, contacts }, 'wafe'), 'wave'],
  ['a law of null', () => carom.resolve({ bodies, contacts }, null), 'law'],
  ['a law with a NUL', () => carom.resolve({ bodies, contacts }, 'qce\0x'), 'NUL'],
  ['a law that is a number', () => carom.resolve({ bodies, contacts }, 3), 'text'],
  ['a law of a million letters', () => carom.resolve({ bodies, contacts }, 'x'.repeat(1e6)), 'law'],
  ['a scene of null', () => carom.run(null), 'scene'],
  ['a scene that is a number', () => carom.run(3), 'scene'],
  ['a scene in a circle', () => carom.run(circle), 'JSON'],
  ['a scene with a big number', () => carom.run({ carom: 1n }), 'JSON'],
  ['an empty scene', () => carom.run(''), 'scene.json'],
  ['a scene of zeros', () => carom.run('\0\0\0'), 'scene.json'],
  ['a deep scene', () => carom.run('['.repeat(1e5)), 'scene.json'],
  ['a deep object', () => carom.run('{"a":'.repeat(1e5)), 'scene.json'],
  ['a scene without its mesh', () => carom.run({ carom: 1, kind: 'world', bodies: [{ shape: { mesh: { file: 'none.obj' } } }] }), 'in mesh'],
  ['a mesh of nothing', () => carom.run({ carom: 1, kind: 'world', bodies: [{ shape: { mesh: { file: 'm.obj' } } }] }, { files: { 'm.obj': '' } }), 'no triangles'],
  ['a file that is a number', () => carom.run(ball, { files: { x: 3 } }), 'file x'],
  ['steps in words', () => carom.run(ball, { steps: 'x' }), 'steps'],
  ['steps below 0', () => carom.run(ball, { steps: -1 }), 'steps'],
  ['another setting', () => carom.run(ball, { set: { 'bodies.9.mass': 1 } }), 'bodies.9'],
  ['a setting of two lines', () => carom.run(ball, { set: { step: '1\n--force' } }), 'one line'],
  ['another law of a run', () => carom.run(ball, { law: 'wafe' }), 'wave'],
  ['options that are a number', () => carom.run(ball, 3), 'options'],
  ['points in a plane', () => carom.run({ carom: 1, kind: 'world', bodies: [{ shape: { hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] } }] }), 'plane'],
  ['more bodies than there is memory', () => carom.run({ carom: 1, kind: 'world', step: 0.01, duration: 0.01,
    generators: [{ grid: { count: [1000, 1000, 1000], spacing: [3, 3, 3], body: { shape: { sphere: 1 } } } }] }), ''],
  ['no arguments', () => carom.command(), 'arguments'],
  ['arguments in one text', () => carom.command('laws'), 'arguments'],
  ['an empty argument', () => carom.command(['run', '']), 'arguments'],
  ['an argument of two lines', () => carom.command(['laws\n--json']), 'arguments'],
  ['an argument with a NUL', () => carom.command(['la\0ws']), 'NUL'],
  ['files of null', () => carom.command(['laws'], null), 'files'],
  ['options of null', () => carom.pass(null), 'options'],
  ['a pass by another law', () => carom.pass({ law: 'wafe' }), 'wave'],
  ['a pass with a speed in words', () => carom.pass({ speed: 'x' }), 'speed'],
  ['half a round', () => carom.pass({ rounds: 1.5 }), 'rounds'],
  ['rounds below 0', () => carom.pass({ rounds: -3 }), 'rounds'],
]
for (const [claim, call, word] of calls) await refused(claim, call, word)

// A pass: what is wrong within a step, and after its end.
const pass = carom.pass()
const passes = [
  ['a body of nothing', () => pass.addBody(), 'body'],
  ['a body in words', () => pass.addBody({ velocity: 'x' }), 'velocity'],
  ['a contact of nothing', () => pass.addContact(), 'contact'],
  ['a contact without a point', () => pass.addContact({ a: 0, b: 1, normal: [1, 0, 0], distance: 0, restitution: 1 }), 'point'],
  ['a contact without a distance', () => pass.addContact({ ...contacts[0], restitution: 1 }), 'distance'],
  ['a contact to half a body', () => pass.addContact({ ...contacts[0], a: 0.5, restitution: 1, distance: 0 }), 'a is'],
  ['a body that is none', () => pass.body(7), '7'],
  ['a body by its name', () => pass.body('x'), 'x'],
  ['a step in words', () => pass.resolve('x'), 'dt'],
  ['a step without a value', () => pass.resolve(NaN), ''],
]
pass.begin()
for (const [claim, call, word] of passes) await refused(`pass: ${claim}`, call, word)
await refused('pass: a contact to bodies that there are not', () => {
  pass.begin()
  pass.addContact({ ...contacts[0], a: 5, b: 6, restitution: 1, distance: 0 })
  return pass.resolve(1 / 60)
}, '')
pass.close()
pass.close() // a second time does nothing
for (const name of ['begin', 'addBody', 'addContact', 'resolve', 'body', 'parts', 'distance'])
  await refused(`${name} of a closed pass`, () => pass[name](name === 'addBody' ? bodies[0] : name === 'addContact' ? contacts[0] : 1), 'closed')

// Too many arguments are said, not dropped.
const many = await carom.command(['check', ...Array(80).fill('x')])
check('81 arguments', many.code === 2 && /arguments/.test(many.err), many.err)

// Memory: an instant that does not fit is refused, and one that fits is resolved afterwards.
await refused('a hundred million bodies', () => carom.resolve({ bodies: { length: 1e8, __proto__: Array.prototype }, contacts: [] }), 'bodies')
const crowd = Array(2e7).fill({})
await refused('twenty million bodies', () => carom.resolve({ bodies: crowd, contacts: [] }), 'memory')
crowd.length = 3e5
const apart = carom.resolve({ bodies: crowd.fill(bodies[0]), contacts: [] }, 'qce')
check('a third of a million bodies', apart.velocities.length === 3e5 && apart.velocities[299999][0] === 1, apart.velocities.length)

// An instance that ends in the middle is replaced: the stack of a law that runs out, or what else may come.
const hurt = carom.current
const reserve = hurt.calls.carom_web_resolve
hurt.calls.carom_web_resolve = () => { hurt.calls.carom_web_resolve = reserve; return hurt.guarded(() => { throw new WebAssembly.RuntimeError('unreachable') })() }
const held = carom.pass()
await refused('a trap', () => carom.resolve({ bodies, contacts }), 'ended')
check('by another instance', carom.current !== hurt, 'the same')
await refused('a pass of the one that ended', () => held.begin(), 'ended')
held.close()

// Damaged scenes: whatever comes, it is a result or a CaromError.
let seed = 22
const draw = (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0), (seed >>> 8) % n)
const values = ['0', '-1', '1e308', '5e-324', '1e20', '1e999', 'true', 'null', '[]', '{}', '"x"', '2147483648']
let used = 0
for (let i = 0; i < 150; ++i) {
  const parts = [...ball.matchAll(draw(5) ? /-?\d[\d.eE+-]*/g : /"[^"]*"|[[\]{},:]/g)]
  const at = parts[draw(parts.length)]
  const damaged = ball.slice(0, at.index) + (draw(4) ? values[draw(values.length)] : '') + ball.slice(at.index + at[0].length)
  try {
    await carom.run(damaged, { steps: 3 })
    ++used
  } catch (error) {
    check(`damaged scene ${i}`, error instanceof CaromError && error.message.length > 20, `${error.stack}\n${damaged}`)
  }
}
check('some of them are still scenes', used > 5 && used < 145, used)
check('and the module goes on', sound() === expected, 'another result')
console.log(`${checks - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
