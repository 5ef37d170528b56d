// Matter.js, an engine of the plane in pixels and milliseconds: a metre is 100 of its units here, and its velocities are per
// step of 1000 / 60 ms. x to the right, its y down.
import Matter from 'matter-js'
import { bounceOf, localAnchor, normalOf, planar, serve } from './adapter.mjs'

const SCALE = 100
const BASE = 1000 / 60
Matter.Resolver._restingThresh = 0.001

function create(scene) {
  planar(scene)
  const engine = Matter.Engine.create({ gravity: { x: 0, y: 0, scale: 0 } })
  if (scene.iterations) engine.positionIterations = engine.velocityIterations = scene.iterations
  const look = { friction: scene.friction, frictionStatic: 0, frictionAir: 0, slop: 0.01 }
  const perStep = (v) => (v * SCALE * BASE) / 1000
  const bodies = scene.bodies.map((b) => {
    const x = b.position[0] * SCALE
    const y = -b.position[2] * SCALE
    if (b.shape === 'plane') {
      const [nx, , nz] = normalOf(b)
      const thick = 2000
      return Matter.Bodies.rectangle(x - (nx * thick) / 2, y + (nz * thick) / 2, 100000, thick,
        { ...look, restitution: bounceOf(scene, b), isStatic: true, angle: Math.atan2(nx, nz) })
    }
    const body = Matter.Bodies.circle(x, y, b.size[0] * SCALE, { ...look, restitution: bounceOf(scene, b), isStatic: !(b.mass > 0) }, 100)
    if (b.mass > 0) {
      Matter.Body.setMass(body, b.mass)
      Matter.Body.setInertia(body, b.inertia[1] * SCALE * SCALE)
      Matter.Body.setVelocity(body, { x: perStep(b.velocity[0]), y: -perStep(b.velocity[2]) })
      Matter.Body.setAngularVelocity(body, (b.spin[1] * BASE) / 1000)
    }
    return body
  })
  Matter.Composite.add(engine.world, bodies)
  for (const j of scene.joints ?? []) {
    const [pointA, pointB] = [j.a, j.b].map((i) => localAnchor(j, scene.bodies[i])).map(([x, , z]) => ({ x: x * SCALE, y: -z * SCALE }))
    Matter.Composite.add(engine.world, Matter.Constraint.create({ bodyA: bodies[j.a], bodyB: bodies[j.b], pointA, pointB, length: 0, stiffness: 1 }))
  }
  const [gx, , gz] = scene.gravity
  return {
    step: (dt) => {
      for (const body of bodies)
        if (!body.isStatic) {
          // its unit of force: mass times units per ms^2
          body.force.x += (body.mass * gx * SCALE) / 1e6
          body.force.y -= (body.mass * gz * SCALE) / 1e6
        }
      Matter.Engine.update(engine, dt * 1000)
    },
    state: (i) => {
      const b = bodies[i]
      const v = Matter.Body.getVelocity(b)
      const back = 1000 / (SCALE * BASE)
      return { position: [b.position.x / SCALE, 0, -b.position.y / SCALE], rotation: [Math.cos(b.angle / 2), 0, Math.sin(b.angle / 2), 0],
        velocity: [v.x * back, 0, -v.y * back], spin: [0, (Matter.Body.getAngularVelocity(b) * 1000) / BASE, 0] }
    },
    destroy: () => Matter.Engine.clear(engine),
  }
}

serve('Matter.js 0.20 (2-D)', create)
