// Engines of JavaScript with Carom's pass in them (examples/pass): a cradle hands its speed on, a break of pool keeps its
// energy and its mirror symmetry, at steps of 1/60 and 1/600 s, and every ball is where it would be without steps.
//   node pass.mjs PACKAGE
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [packageFolder] = process.argv.slice(2)
const root = resolve(import.meta.dirname, '../..')
let failed = 0
let checks = 0
const check = (claim, found, wanted, allowed) => {
  ++checks
  if (Math.abs(found - wanted) <= allowed) return
  ++failed
  console.log(`FAILED: ${claim}: found ${found}, wanted ${wanted}, allowed ${allowed}`)
}

// A program of one's own: the adapters copied into it, the engines beside them.
const work = mkdtempSync(join(tmpdir(), 'carom-pass-'))
symlinkSync(join(root, 'engines/node/node_modules'), join(work, 'node_modules'))
const adapter = async (name) => {
  copyFileSync(join(root, 'examples/pass', name), join(work, name))
  return import(pathToFileURL(join(work, name)))
}
writeFileSync(join(work, 'engine.mjs'), 'export const engine = (name) => import(name)') // as the adapters find them
const { engine } = await import(pathToFileURL(join(work, 'engine.mjs')))
const { load } = await import(pathToFileURL(resolve(packageFolder, 'index.js')))
const carom = await load()

async function cannon() {
  const CANNON = await engine('cannon-es')
  const { PassSolver } = await adapter('cannon.mjs')
  return {
    name: 'cannon-es', overlap: 0, rounding: 0,
    create(balls, radius, dt) {
      const world = new CANNON.World()
      const pass = carom.pass()
      world.solver = new PassSolver(pass)
      world.defaultContactMaterial = new CANNON.ContactMaterial(world.defaultMaterial, world.defaultMaterial, { friction: 0, restitution: 1 })
      const bodies = balls.map(({ position, velocity }) => {
        const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(radius), linearDamping: 0, angularDamping: 0,
          position: new CANNON.Vec3(...position), velocity: new CANNON.Vec3(...velocity) })
        world.addBody(body)
        return body
      })
      return { step: () => world.step(dt), close: () => pass.close(),
        state: (i) => ({ position: bodies[i].position.toArray(), velocity: bodies[i].velocity.toArray() }) }
    },
  }
}

async function rapier() {
  const { default: RAPIER } = await engine('@dimforge/rapier3d-compat')
  const { passStep } = await adapter('rapier.mjs')
  await RAPIER.init()
  const list = ({ x, y, z }) => [x, y, z]
  return {
    name: 'Rapier', overlap: 1e-7, rounding: 2 ** -25,
    create(balls, radius, dt) {
      const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
      const pass = carom.pass()
      world.timestep = dt
      const bodies = balls.map(({ position, velocity }) => {
        const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(...position).setLinvel(...velocity).setCanSleep(false))
        world.createCollider(RAPIER.ColliderDesc.ball(radius).setMass(1).setRestitution(1).setFriction(0), body)
        return body
      })
      return { step: () => (passStep(world, pass), world.step()), close: () => (pass.close(), world.free()),
        state: (i) => ({ position: list(bodies[i].translation()), velocity: list(bodies[i].linvel()) }) }
    },
  }
}

async function jolt() {
  const { default: initJolt } = await engine('jolt-physics')
  const { PassSystem } = await adapter('jolt.mjs')
  const Jolt = await initJolt()
  const list = (v) => [v.GetX(), v.GetY(), v.GetZ()]
  return {
    name: 'Jolt', overlap: 1e-7, rounding: 2 ** -25,
    create(balls, radius, dt) {
      const settings = new Jolt.JoltSettings()
      const pairs = new Jolt.ObjectLayerPairFilterTable(1)
      pairs.EnableCollision(0, 0)
      const broad = new Jolt.BroadPhaseLayerInterfaceTable(1, 1)
      broad.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0))
      Object.assign(settings, { mObjectLayerPairFilter: pairs, mBroadPhaseLayerInterface: broad,
        mObjectVsBroadPhaseLayerFilter: new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, pairs, 1) })
      const system = new Jolt.JoltInterface(settings)
      const face = system.GetPhysicsSystem().GetBodyInterface()
      system.GetPhysicsSystem().SetGravity(new Jolt.Vec3(0, 0, 0))
      const bodies = balls.map(({ position, velocity }) => {
        const made = new Jolt.BodyCreationSettings(new Jolt.SphereShape(radius), new Jolt.RVec3(...position), new Jolt.Quat(0, 0, 0, 1), Jolt.EMotionType_Dynamic, 0)
        Object.assign(made, { mRestitution: 1, mFriction: 0, mLinearDamping: 0, mAngularDamping: 0, mAllowSleeping: false,
          mLinearVelocity: new Jolt.Vec3(...velocity), mOverrideMassProperties: Jolt.EOverrideMassProperties_CalculateInertia })
        made.mMassPropertiesOverride.mMass = 1
        const body = face.CreateBody(made)
        face.AddBody(body.GetID(), Jolt.EActivation_Activate)
        return body
      })
      const pass = carom.pass()
      const stepper = new PassSystem(Jolt, system, pass)
      return { step: () => stepper.step(dt), close: () => (pass.close(), Jolt.destroy(system)),
        state: (i) => ({ position: list(bodies[i].GetPosition()), velocity: list(bodies[i].GetLinearVelocity()) }) }
    },
  }
}

// An engine: `overlap` (m) is how far neighbours reach into each other, so that it sees them touch; `rounding` (m) is what
// single precision may move a ball by in a step, half a unit in the last place between 0.5 and 1 m.
function run({ create }, balls, radius, dt, time) {
  const world = create(balls, radius, dt)
  for (let i = 0; i < Math.round(time / dt); ++i) world.step()
  const end = balls.map((_, i) => world.state(i))
  world.close()
  return end
}

function cradle(peer, dt) {
  const radius = 0.05, gap = 0.0512, time = 0.2, spacing = 2 * radius - peer.overlap
  const start = [0, 1, 2, 3, 4].map((i) => ({ position: [spacing * i - (i ? 0 : gap), 0, 0], velocity: [i ? 0 : 1, 0, 0] }))
  run(peer, start, radius, dt, time).forEach(({ position, velocity }, i) => {
    const last = i === 4 ? 1 : 0
    check(`${peer.name}, ${dt} s: speed of ball ${i}`, velocity[0], last, 1e-6)
    check(`${peer.name}, ${dt} s: place of ball ${i}`, position[0], spacing * i + last * (time - gap), 1e-6 + peer.rounding * (time / dt))
  })
}

function rackOf(spacing, cue) {
  const start = [{ position: [cue, 0, 0], velocity: [1, 0, 0] }]
  const mirror = [0]
  for (let row = 0; row < 5; ++row) {
    const first = start.length
    for (let k = 0; k <= row; ++k) {
      start.push({ position: [spacing * Math.sqrt(0.75) * row, spacing * (k - 0.5 * row), 0], velocity: [0, 0, 0] })
      mirror.push(first + row - k)
    }
  }
  return { start, mirror }
}

function rack(peer, dt) {
  const radius = 0.0286
  const { start, mirror } = rackOf(2 * radius - peer.overlap, -0.1)
  const end = run(peer, start, radius, dt, 0.3)
  let energy = 0, momentum = 0, asymmetry = 0, moved = 0
  end.forEach(({ position: x, velocity: v }, i) => {
    const { position: y, velocity: w } = end[mirror[i]]
    energy += v[0] ** 2 + v[1] ** 2 + v[2] ** 2
    momentum += v[0]
    asymmetry = Math.max(asymmetry, Math.abs(v[0] - w[0]), Math.abs(v[1] + w[1]), Math.abs(x[0] - y[0]), Math.abs(x[1] + y[1]))
    moved += Math.hypot(v[0], v[1]) > 0.01 ? 1 : 0
  })
  check(`${peer.name}, ${dt} s: balls of the rack that move, up to`, moved, 16, 11)
  check(`${peer.name}, ${dt} s: energy of the break`, energy, 1, 1e-6)
  check(`${peer.name}, ${dt} s: momentum of the break`, momentum, 1, 1e-6)
  check(`${peer.name}, ${dt} s: mirror symmetry of the break`, asymmetry, 0, 1e-9)
}

for (const make of [cannon, rapier, jolt]) {
  const peer = await make()
  for (const dt of [1 / 60, 1 / 600]) {
    cradle(peer, dt)
    rack(peer, dt)
  }
}
rmSync(work, { recursive: true })

// What a pass costs, for docs/pass.md: the cue ball touches the rack, everything is handed over and fetched.
function clock(law) {
  const spacing = 0.0572, { start } = rackOf(spacing, -spacing)
  const contacts = start.flatMap(({ position: x }, a) => start.slice(a + 1).flatMap(({ position: y }, k) => {
    const way = y.map((end, i) => end - x[i]), length = Math.hypot(...way)
    if (length > 1.0001 * spacing) return []
    return [{ a, b: a + 1 + k, point: x.map((from, i) => from + way[i] / 2), normal: way.map((one) => one / length), distance: 0, restitution: 1 }]
  }))
  const pass = carom.pass({ law })
  let best = Infinity
  for (let batch = 0; batch < 40; ++batch) {
    const begin = performance.now()
    for (let i = 0; i < 100; ++i) {
      pass.begin()
      start.forEach((ball) => pass.addBody(ball))
      contacts.forEach((contact) => pass.addContact(contact))
      pass.resolve(1 / 60)
      start.forEach((_, ball) => pass.body(ball))
    }
    best = Math.min(best, (performance.now() - begin) * 10)
  }
  pass.close()
  return `${best.toFixed(1)} us with ${law}`
}
console.log(`a pass of 16 balls: ${['qce', 'wave'].map(clock).join(', ')}`)
console.log(`${checks - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
