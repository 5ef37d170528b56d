// Planck.js, a Box2D of the plane: x to the right, z up. Its threshold of restitution is 0; nothing falls asleep.
import * as planck from 'planck'
import { bounceOf, normalOf, planar, serve } from './adapter.mjs'

planck.Settings.velocityThreshold = 0

function create(scene) {
  planar(scene)
  const world = new planck.World({ gravity: planck.Vec2(scene.gravity[0], scene.gravity[2]), allowSleep: false })
  const far = 1000
  const bodies = scene.bodies.map((b) => {
    const at = planck.Vec2(b.position[0], b.position[2])
    if (b.shape === 'plane') {
      const [x, , z] = normalOf(b)
      const body = world.createBody({ type: 'static', position: at })
      body.createFixture(new planck.Edge(planck.Vec2(-far * z, far * x), planck.Vec2(far * z, -far * x)),
        { friction: scene.friction, restitution: bounceOf(scene, b) })
      return body
    }
    const body = world.createBody({ type: b.mass > 0 ? 'dynamic' : 'static', position: at, bullet: true,
      linearVelocity: planck.Vec2(b.velocity[0], b.velocity[2]), angularVelocity: -b.spin[1] })
    body.createFixture(new planck.Circle(b.size[0]), { density: 1, friction: scene.friction, restitution: bounceOf(scene, b) })
    if (b.mass > 0) body.setMassData({ mass: b.mass, center: planck.Vec2(0, 0), I: b.inertia[1] })
    return body
  })
  for (const j of scene.joints ?? []) world.createJoint(planck.RevoluteJoint({}, bodies[j.a], bodies[j.b], planck.Vec2(j.anchor[0], j.anchor[2])))
  return {
    step: (dt) => world.step(dt, scene.iterations || 8, scene.iterations || 3),
    state: (i) => {
      const p = bodies[i].getPosition(), v = bodies[i].getLinearVelocity(), half = -bodies[i].getAngle() / 2
      return { position: [p.x, 0, p.y], rotation: [Math.cos(half), 0, Math.sin(half), 0], velocity: [v.x, 0, v.y],
        spin: [0, -bodies[i].getAngularVelocity(), 0] }
    },
    destroy: () => {},
  }
}

serve('Planck.js 1 (2-D)', create)
