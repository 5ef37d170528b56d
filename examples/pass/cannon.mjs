// Carom's impact pass in cannon-es: world.solver = new PassSolver(carom.pass()). Resting contact, friction at rest and
// joints stay with cannon's own solver, which this one is. That neighbours touch has to be seen, and cannon pushes apart
// whatever overlaps: bodies get a margin by which they see each other (with its naive and its grid broad phase).
import { ContactEquation, GSSolver } from 'cannon-es'

const list = ({ x, y, z }) => [x, y, z]
const pair = ({ bi, bj }) => `${bi.id} ${bj.id}`

export class PassSolver extends GSSolver {
  constructor(pass, margin = 1e-4) {
    super()
    Object.assign(this, { pass, margin, seen: new WeakSet() })
  }
  // Contacts are known now, velocities are those of the beginning of the step.
  solve(dt, world) {
    const contacts = this.equations.filter((equation) => equation instanceof ContactEquation && equation.enabled)
    this.pass.begin()
    world.bodies.forEach((body) => this.addBody(body)) // their numbers are body.index
    contacts.forEach((contact) => this.addContact(contact, world))
    if (this.pass.resolve(dt).impacts > 0) world.bodies.forEach((body, i) => this.move(body, this.pass.body(i)))
    const apart = new Set(contacts.filter((_, i) => this.pass.parts(i) || this.pass.distance(i) > 0).map(pair))
    this.equations = this.equations.filter((equation) => !apart.has(pair(equation))) // with their friction
    return super.solve(dt, world)
  }
  addBody(body) {
    if (!this.seen.has(body)) body.boundingRadius += this.margin
    for (const shape of body.shapes) if (!this.seen.has(shape)) shape.boundingSphereRadius += this.margin
    for (const one of [body, ...body.shapes]) this.seen.add(one)
    const [xx, xy, xz, , yy, yz, , , zz] = body.invInertiaWorld.elements
    this.pass.addBody({
      mass: 1 / body.invMass, // infinite where it cannot move
      inverseInertia: body.invMass > 0 ? [xx, yy, zz, xy, xz, yz] : 0,
      position: list(body.position), velocity: list(body.velocity), spin: list(body.angularVelocity),
    })
  }
  addContact({ bi, bj, ri, rj, ni, restitution }, world) {
    const onI = bi.position.vadd(ri)
    const onJ = bj.position.vadd(rj)
    const material = (bi.material && bj.material && world.getContactMaterial(bi.material, bj.material)) || world.defaultContactMaterial
    this.pass.addContact({
      a: bi.index, b: bj.index, point: list(onI.vadd(onJ).scale(0.5)), normal: list(ni),
      distance: onJ.vsub(onI).dot(ni), restitution, friction: material.friction,
    })
  }
  move(body, { velocity, spin, shift, struck }) {
    if (!struck) return
    body.velocity.set(...velocity)
    body.angularVelocity.set(...spin)
    body.position.set(...list(body.position).map((x, k) => x + shift[k]))
    body.aabbNeedsUpdate = true
    body.wakeUp()
  }
}
