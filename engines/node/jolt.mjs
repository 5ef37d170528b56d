// Jolt (WebAssembly): linear casts off, nothing falls asleep, restitution from any speed on.
import initJolt from 'jolt-physics'
import { bounceOf, serve } from './adapter.mjs'

const Jolt = await initJolt()
const LAYER = 1

function settings() {
  const made = new Jolt.JoltSettings()
  const pairs = new Jolt.ObjectLayerPairFilterTable(2)
  pairs.EnableCollision(0, LAYER)
  pairs.EnableCollision(LAYER, LAYER)
  const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2)
  broad.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0))
  broad.MapObjectToBroadPhaseLayer(LAYER, new Jolt.BroadPhaseLayer(1))
  made.mObjectLayerPairFilter = pairs
  made.mBroadPhaseLayerInterface = broad
  made.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2)
  return made
}

const system = new Jolt.JoltInterface(settings())

function shapeOf(b) {
  if (b.shape === 'sphere') return new Jolt.SphereShape(b.size[0])
  if (b.shape === 'box') return new Jolt.BoxShape(new Jolt.Vec3(...b.size), 0)
  return new Jolt.BoxShape(new Jolt.Vec3(1000, 1000, 10), 0)
}

function create(scene) {
  if (scene.bodies.some((b) => b.offset.some((v) => v !== 0))) throw new Error('shapes off the centre of mass are not in this adapter')
  const physics = system.GetPhysicsSystem()
  const face = physics.GetBodyInterface()
  const how = physics.GetPhysicsSettings()
  how.mMinVelocityForRestitution = 0
  if (scene.iterations) how.mNumVelocitySteps = scene.iterations
  physics.SetPhysicsSettings(how)
  physics.SetGravity(new Jolt.Vec3(...scene.gravity))
  const bodies = scene.bodies.map((b) => {
    const [w, x, y, z] = b.rotation
    const down = b.shape === 'plane' ? [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)].map((v) => -10 * v) : [0, 0, 0]
    const made = new Jolt.BodyCreationSettings(shapeOf(b), new Jolt.RVec3(...b.position.map((v, k) => v + down[k])), new Jolt.Quat(x, y, z, w),
      b.mass > 0 ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, b.mass > 0 ? LAYER : 0)
    made.mRestitution = bounceOf(scene, b)
    made.mFriction = scene.friction
    made.mLinearDamping = made.mAngularDamping = 0
    made.mAllowSleeping = false
    if (b.mass > 0) {
      made.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided
      made.mMassPropertiesOverride.mMass = b.mass
      made.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sIdentity()
      const m = made.mMassPropertiesOverride.mInertia
      m.SetAxisX(new Jolt.Vec3(b.inertia[0], 0, 0))
      m.SetAxisY(new Jolt.Vec3(0, b.inertia[1], 0))
      m.SetAxisZ(new Jolt.Vec3(0, 0, b.inertia[2]))
      made.mMassPropertiesOverride.mInertia = m
      made.mLinearVelocity = new Jolt.Vec3(...b.velocity)
      made.mAngularVelocity = new Jolt.Vec3(...b.spin)
    }
    const body = face.CreateBody(made)
    face.AddBody(body.GetID(), Jolt.EActivation_Activate)
    return body
  })
  const joints = (scene.joints ?? []).map((j) => {
    const made = new Jolt.PointConstraintSettings()
    made.mPoint1 = made.mPoint2 = new Jolt.RVec3(...j.anchor)
    const joint = made.Create(bodies[j.a], bodies[j.b])
    physics.AddConstraint(joint)
    return joint
  })
  const three = (v) => [v.GetX(), v.GetY(), v.GetZ()]
  return {
    step: (dt) => system.Step(dt, 1),
    state: (i) => {
      const q = bodies[i].GetRotation()
      return { position: three(bodies[i].GetPosition()), rotation: [q.GetW(), q.GetX(), q.GetY(), q.GetZ()],
        velocity: three(bodies[i].GetLinearVelocity()), spin: three(bodies[i].GetAngularVelocity()) }
    },
    destroy: () => {
      for (const joint of joints) physics.RemoveConstraint(joint)
      for (const body of bodies) {
        face.RemoveBody(body.GetID())
        face.DestroyBody(body.GetID())
      }
    },
  }
}

serve('Jolt 0.29 (npm)', create)
