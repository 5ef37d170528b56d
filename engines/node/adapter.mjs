// The protocol's side of an engine in JavaScript: reads scenes, runs them, writes states and the processor time of the
// steps (docs/engines.md). `create` makes a world with step(dt), state(body) and destroy(), or throws with a reason.
import { createInterface } from 'node:readline'

function answer(create, scene) {
  const lines = []
  const world = create(scene)
  let spent = 0
  for (let done = 0; done + scene.every <= scene.steps; done += scene.every) {
    const before = process.cpuUsage()
    for (let k = 0; k < scene.every; ++k) world.step(scene.step)
    const { user, system } = process.cpuUsage(before)
    spent += (user + system) * 1e-6
    const time = (done + scene.every) * scene.step
    scene.bodies.forEach((body, i) => {
      const s = body.mass > 0 ? world.state(i) : { position: body.position, rotation: body.rotation, velocity: [0, 0, 0], spin: [0, 0, 0] }
      lines.push([time, i, ...s.position, ...s.rotation, ...s.velocity, ...s.spin].map((v) => (Number.isFinite(v) ? v : 'nan')).join(','))
    })
  }
  world.destroy()
  lines.push(`seconds ${spent}`)
  return lines
}

export function serve(name, create) {
  process.stdout.write(`${name}\n`)
  createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
    for (const scene of [JSON.parse(line)].flat()) {
      let lines
      try {
        lines = answer(create, scene)
      } catch (reason) {
        lines = [`error ${String(reason.message ?? reason).split('\n')[0]}`]
      }
      process.stdout.write(`${lines.join('\n')}\n\n`)
    }
  })
}

// Restitution of a body where the engine takes the larger of two: walls may be elastic.
export function bounceOf(scene, body) {
  return scene.elastic_walls && !(body.mass > 0) ? 1 : scene.restitution
}

// The anchor of a joint in the frame of a body.
export function localAnchor(joint, { position, rotation: [w, x, y, z] }) {
  const [a, b, c] = joint.anchor.map((v, k) => v - position[k])
  return [
    (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c,
    2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c,
    2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c,
  ]
}

// Engines of the plane run what stays in x and z: circles, and a floor or walls that stand upright on it.
export function planar(scene) {
  for (const body of scene.bodies) {
    const flat = Math.abs(body.position[1]) < 1e-12 && Math.abs(body.velocity[1]) < 1e-12
    if (body.shape === 'box' || body.offset.some((v) => v !== 0)) throw new Error('runs circles and planes of the plane only')
    if (body.shape === 'plane' ? Math.abs(normalOf(body)[1]) > 1e-12 : !flat || body.spin[0] || body.spin[2])
      throw new Error('runs scenes that stay in a plane only')
  }
}

// The third axis of a rotation.
export function normalOf({ rotation: [w, x, y, z] }) {
  return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
}
