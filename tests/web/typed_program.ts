// A user's program, which strict TypeScript accepts as a module of Node; never run (package.mjs).
import { CaromError, load, type Body, type Contact, type Outcome, type PassReport, type Run, type Vector } from 'carom'

const carom = await load()
const bodies: Body[] = [0, 1, 2].map((x) => ({ mass: 1, position: [x, 0, 0], velocity: [x ? 0 : 1, 0, 0] }))
const contacts: Contact[] = [0, 1].map((i) => ({ a: i, b: i + 1, point: [i + 0.5, 0, 0], normal: [1, 0, 0], shift: [0, 0, 0], tangentialRestitution: 0 }))
const out: Outcome = carom.resolve({ bodies, contacts }, 'qce')
const last: Vector | undefined = out.velocities[2]
console.log(last, out.energyAfter)
const run: Run = await carom.run({ carom: 1, kind: 'world', step: 0.01, duration: 0.1, periodic: { x: [0, 1] }, bodies: [{ name: 'ball', shape: { sphere: 0.1 }, position: [0, 0, 1] }] }, { law: 'wave', steps: 3 })
console.log(run.hash, run.trajectory.length)
const pass = carom.pass({ law: 'qce', rounds: 4 })
pass.begin()
const n: number = pass.addBody(bodies[0]!)
const report: PassReport = pass.resolve(1 / 60)
console.log(n, report.impacts, pass.body(n).struck)
pass.close()
const { code, out: words, files } = await carom.command(['laws'], {})
console.log(code, words.length, files('none'))
try {
  carom.resolve({ bodies, contacts }, 'wafe')
} catch (error) {
  if (error instanceof CaromError) console.log(error.what, error.fix)
}
const wrong = () =>
  // @ts-expect-error a contact has two bodies
  carom.resolve({ bodies, contacts: [{ a: 0 }] })
console.log(wrong)
