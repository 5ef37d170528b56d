// Carom's impact pass in Rapier (0.14): passStep(world, carom.pass()) before every world.step(). Rapier looks for contacts
// at the end of a step, so that those of the beginning of the next are known (but in the first step of a world), and
// once more for bodies that were moved: pairs that part do not overlap then, and its solver leaves them alone. Single
// precision: expect 1e-6, not 1e-9.
const list = ({ x, y, z }) => [x, y, z]
const named = ([x, y, z]) => ({ x, y, z })

function addBody(pass, body) {
  const r = body.effectiveWorldInvInertiaSqrt() // its square is the inverse inertia
  const rows = [[r.m11, r.m12, r.m13], [r.m12, r.m22, r.m23], [r.m13, r.m23, r.m33]]
  const square = (i, k) => rows[i].reduce((sum, value, n) => sum + value * rows[n][k], 0)
  return pass.addBody({
    mass: 1 / body.effectiveInvMass().x, // infinite where it cannot move
    inverseInertia: [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]].map(([i, k]) => square(i, k)),
    position: list(body.worldCom()), velocity: list(body.linvel()), spin: list(body.angvel()),
  })
}
// A point given in the frame of a collider.
function place(collider, point) {
  const { x, y, z, w } = collider.rotation()
  const [px, py, pz] = list(point)
  const t = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)]
  const turned = [px + w * t[0] + y * t[2] - z * t[1], py + w * t[1] + z * t[0] - x * t[2], pz + w * t[2] + x * t[1] - y * t[0]]
  return list(collider.translation()).map((at, k) => at + turned[k])
}
function addContacts(world, pass, one, two, numbers) {
  world.contactPair(one, two, (manifold, flipped) => {
    const [first, second] = flipped ? [two, one] : [one, two]
    for (let i = 0; i < manifold.numContacts(); ++i) {
      const ends = [place(first, manifold.localContactPoint1(i)), place(second, manifold.localContactPoint2(i))]
      pass.addContact({
        a: numbers.get(first.parent()?.handle) ?? 0, b: numbers.get(second.parent()?.handle) ?? 0,
        point: ends[0].map((x, k) => (x + ends[1][k]) / 2), normal: list(manifold.normal()), distance: manifold.contactDist(i),
        restitution: (one.restitution() + two.restitution()) / 2, friction: (one.friction() + two.friction()) / 2,
      })
    }
  })
}
export function passStep(world, pass) {
  const numbers = new Map() // in the pass, by the handle of a body; 0: whatever has none
  pass.begin()
  pass.addBody({ mass: Infinity })
  world.forEachRigidBody((body) => numbers.set(body.handle, addBody(pass, body)))
  world.forEachCollider((one) => world.contactPairsWith(one, (two) => {
    if (one.handle < two.handle) addContacts(world, pass, one, two, numbers)
  }))
  if (pass.resolve(world.timestep).impacts === 0) return
  world.forEachRigidBody((body) => {
    const { velocity, spin, shift, struck } = pass.body(numbers.get(body.handle))
    if (!struck || !body.isDynamic()) return
    body.setTranslation(named(list(body.translation()).map((x, k) => x + shift[k])), true)
    body.setLinvel(named(velocity), true)
    body.setAngvel(named(spin), true)
  })
}
