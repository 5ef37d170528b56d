// Carom's impact pass in jolt-physics: new PassSystem(Jolt, jolt, carom.pass()).step(dt) in place of jolt.Step(dt, 1).
// A step in which bodies meet is taken back and done again, with new velocities. Single precision: expect 1e-6. Bodies
// asleep show no contacts: wake a row before it is struck.
const list = (v) => [v.GetX(), v.GetY(), v.GetZ()]

export class PassSystem {
  constructor(Jolt, jolt, pass) {
    Object.assign(this, { Jolt, jolt, pass, physics: jolt.GetPhysicsSystem(), contacts: [] })
    const listener = new Jolt.ContactListenerJS()
    const met = (one, two, found, settings) => this.meet(Jolt.wrapPointer(one, Jolt.Body), Jolt.wrapPointer(two, Jolt.Body),
      Jolt.wrapPointer(found, Jolt.ContactManifold), Jolt.wrapPointer(settings, Jolt.ContactSettings))
    listener.OnContactAdded = listener.OnContactPersisted = met
    listener.OnContactRemoved = () => {}
    listener.OnContactValidate = () => Jolt.ValidateResult_AcceptAllContactsForThisBodyPair
    this.physics.SetContactListener(listener)
    this.ids = new Jolt.BodyIDVector()
  }
  step(dt) {
    const { Jolt, physics, pass } = this
    const lock = physics.GetBodyLockInterfaceNoLock()
    this.contacts.length = 0
    physics.GetBodies(this.ids)
    const bodies = Array.from({ length: this.ids.size() }, (_, i) => lock.TryGetBody(this.ids.at(i)))
    pass.begin()
    this.numbers = new Map(bodies.map((body) => [body.GetID().GetIndex(), this.addBody(body)]))
    const before = bodies.map((body) => [list(body.GetPosition()), body.GetRotation()].map((v, k) => (k ? [...list(v), v.GetW()] : v)))
    this.jolt.Step(dt, 1)
    this.contacts.forEach((contact) => pass.addContact(contact))
    if (pass.resolve(dt).impacts === 0) return
    bodies.forEach((body, i) => body.IsDynamic() && this.move(body, before[i], pass.body(i)))
    const settings = physics.GetPhysicsSettings()
    settings.mConstraintWarmStart = false // what pushed in the first try is undone
    physics.SetPhysicsSettings(settings)
    this.jolt.Step(dt, 1)
    settings.mConstraintWarmStart = true
    physics.SetPhysicsSettings(settings)
  }
  addBody(body) {
    const inertia = body.IsDynamic() ? body.GetInverseInertia() : null
    const rows = inertia && [inertia.GetAxisX(), inertia.GetAxisY(), inertia.GetAxisZ()].map(list)
    return this.pass.addBody({
      mass: body.IsDynamic() ? 1 / body.GetMotionProperties().GetInverseMass() : Infinity,
      inverseInertia: rows ? [rows[0][0], rows[1][1], rows[2][2], rows[0][1], rows[0][2], rows[1][2]] : 0,
      position: list(body.GetCenterOfMassPosition()), velocity: list(body.GetLinearVelocity()), spin: list(body.GetAngularVelocity()),
    })
  }
  // What Jolt calls for every pair that touches, in both tries.
  meet(one, two, found, settings) {
    const [a, b] = [one, two].map((body) => this.numbers.get(body.GetID().GetIndex()))
    const normal = list(found.mWorldSpaceNormal)
    const count = found.mRelativeContactPointsOn1.size()
    for (let i = 0; i < count; ++i) {
      const [p, q] = [list(found.GetWorldSpaceContactPointOn1(i)), list(found.GetWorldSpaceContactPointOn2(i))]
      this.contacts.push({ a, b, normal, point: p.map((x, k) => (x + q[k]) / 2),
        distance: count === 1 ? -found.mPenetrationDepth : q.reduce((sum, x, k) => sum + (x - p[k]) * normal[k], 0),
        restitution: settings.mCombinedRestitution, friction: settings.mCombinedFriction })
    }
  }
  move(body, [place, turn], { velocity, spin, shift }) {
    const { Jolt } = this
    const parts = [new Jolt.RVec3(...place.map((x, k) => x + shift[k])), new Jolt.Quat(...turn), new Jolt.Vec3(...velocity), new Jolt.Vec3(...spin)]
    this.physics.GetBodyInterface().SetPositionRotationAndVelocity(body.GetID(), ...parts)
    parts.forEach((part) => Jolt.destroy(part))
  }
}
