// Rapier (WebAssembly): nothing falls asleep.
import RAPIER from '@dimforge/rapier3d-compat'
import { bounceOf, localAnchor, serve } from './adapter.mjs'

await RAPIER.init()

function collider(b) {
  if (b.shape === 'sphere') return RAPIER.ColliderDesc.ball(b.size[0])
  if (b.shape === 'box') return RAPIER.ColliderDesc.cuboid(...b.size)
  // a plane: a thick block below it, as half spaces are not among its shapes
  return RAPIER.ColliderDesc.cuboid(1000, 1000, 10).setTranslation(0, 0, -10)
}

function create(scene) {
  const [gx, gy, gz] = scene.gravity
  const world = new RAPIER.World({ x: gx, y: gy, z: gz })
  if (scene.iterations) world.integrationParameters.numSolverIterations = scene.iterations
  const bodies = scene.bodies.map((b) => {
    const [w, x, y, z] = b.rotation
    const desc = (b.mass > 0 ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed())
      .setTranslation(...b.position).setRotation({ w, x, y, z }).setCanSleep(false)
    if (b.mass > 0) desc.setLinvel(...b.velocity).setAngvel({ x: b.spin[0], y: b.spin[1], z: b.spin[2] })
    const shape = collider(b).setRestitution(bounceOf(scene, b)).setFriction(scene.friction)
      .setRestitutionCombineRule(RAPIER.CoefficientCombineRule.Max)
    if (b.mass > 0) {
      const [ox, oy, oz] = b.offset
      shape.setTranslation(ox, oy, oz).setMassProperties(b.mass, { x: -ox, y: -oy, z: -oz },
        { x: b.inertia[0], y: b.inertia[1], z: b.inertia[2] }, { w: 1, x: 0, y: 0, z: 0 })
    }
    const body = world.createRigidBody(desc)
    world.createCollider(shape, body)
    return body
  })
  for (const j of scene.joints ?? []) {
    const [a, b] = [j.a, j.b].map((i) => localAnchor(j, scene.bodies[i])).map(([x, y, z]) => ({ x, y, z }))
    world.createImpulseJoint(RAPIER.JointData.spherical(a, b), bodies[j.a], bodies[j.b], true)
  }
  return {
    step: (dt) => {
      world.timestep = dt
      world.step()
    },
    state: (i) => {
      const p = bodies[i].worldCom(), q = bodies[i].rotation(), v = bodies[i].linvel(), w = bodies[i].angvel()
      return { position: [p.x, p.y, p.z], rotation: [q.w, q.x, q.y, q.z], velocity: [v.x, v.y, v.z], spin: [w.x, w.y, w.z] }
    },
    destroy: () => world.free(),
  }
}

serve(`Rapier ${RAPIER.version()}`, create)
