// cannon-es: its Gauss-Seidel solver. Stiff contacts, as far as its steps allow; nothing falls asleep.
import * as CANNON from 'cannon-es'
import { localAnchor, serve } from './adapter.mjs'

function create(scene) {
  const world = new CANNON.World({ gravity: new CANNON.Vec3(...scene.gravity) })
  world.solver.iterations = scene.iterations || 10
  world.allowSleep = false
  world.defaultContactMaterial.restitution = scene.restitution
  world.defaultContactMaterial.friction = scene.friction
  world.defaultContactMaterial.contactEquationStiffness = 1e8
  const wall = new CANNON.Material('wall')
  const moving = new CANNON.Material('moving')
  if (scene.elastic_walls)
    world.addContactMaterial(new CANNON.ContactMaterial(wall, moving, { restitution: 1, friction: scene.friction, contactEquationStiffness: 1e8 }))
  const bodies = scene.bodies.map((b) => {
    const shape = b.shape === 'plane' ? new CANNON.Plane() : b.shape === 'sphere' ? new CANNON.Sphere(b.size[0]) : new CANNON.Box(new CANNON.Vec3(...b.size))
    const [w, x, y, z] = b.rotation
    const body = new CANNON.Body({ mass: b.mass, material: b.mass > 0 ? moving : wall,
      position: new CANNON.Vec3(...b.position), quaternion: new CANNON.Quaternion(x, y, z, w) })
    body.addShape(shape, new CANNON.Vec3(...b.offset))
    body.linearDamping = body.angularDamping = 0
    if (b.mass > 0) {
      body.velocity.set(...b.velocity)
      body.angularVelocity.set(...b.spin)
      body.inertia.set(...b.inertia)
      body.invInertia.set(...b.inertia.map((v) => 1 / v))
      body.updateInertiaWorld(true)
    }
    world.addBody(body)
    return body
  })
  for (const j of scene.joints ?? []) {
    const [a, b] = [j.a, j.b].map((i) => new CANNON.Vec3(...localAnchor(j, scene.bodies[i])))
    world.addConstraint(new CANNON.PointToPointConstraint(bodies[j.a], a, bodies[j.b], b))
  }
  return {
    step: (dt) => world.step(dt),
    state: (i) => {
      const { position: p, quaternion: q, velocity: v, angularVelocity: w } = bodies[i]
      return { position: p.toArray(), rotation: [q.w, q.x, q.y, q.z], velocity: v.toArray(), spin: w.toArray() }
    },
    destroy: () => {},
  }
}

serve('cannon-es 0.20', create)
