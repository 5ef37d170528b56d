// One source in three dimensions: an instanced mesh per form, so that 60,000 spheres are one call.
import * as THREE from 'three'
import { Arrows } from './arrows'
import { Bars } from './bars'
import { type Extent, extentOf } from './extent'
import { CONTACT_FLOATS, FLOATS, type Source } from './source'
import { Floor } from './floor'
import { Painter } from './painter'
import { Spheres } from './spheres'
import { Walls } from './walls'

interface Batch {
  mesh: THREE.InstancedMesh
  bodies: number[]
  sizes: number[] // of spheres that share a mesh
}

// What is drawn of a frame besides the bodies.
export interface Extras {
  impulses: boolean
  normals: boolean
  velocities: boolean
  forces: boolean
}

const USUAL_ROUGHNESS = 0.5
const MANY_SPHERES = 4000 // spheres from which on they are drawn more simply
const MANY_SPHERES_SLOW = 400 // the same without a graphics processor
const SHADOWS = 3000 // bodies up to which they throw shadows
const SLOW_SHADOWS = 60 // the same without a graphics processor
const SEEN_THROUGH = 200 // contacts from which on arrows are hidden by what stands before them
const SHRUNK = 0.35 // bodies beside bars of force
const matrix = new THREE.Matrix4()
const place = new THREE.Vector3()
const turn = new THREE.Quaternion()
const size = new THREE.Vector3()
const pull = new THREE.Vector3()
const none = new THREE.Matrix4().makeScale(0, 0, 0)
const colour = new THREE.Color()

// Without a graphics processor triangles are what a picture costs.
function sphereDetail(spheres: number, slow: boolean): [number, number] {
  const count = slow ? 8 * spheres : spheres
  return count > 1500 ? [16, 10] : count > 400 ? [24, 16] : [40, 24]
}

export interface Picked {
  body: number
  vertex: number
  point: THREE.Vector3 | null
}

export class Stage {
  readonly scene = new THREE.Scene()
  readonly paint: Painter
  readonly walls: Walls
  private readonly floors: Floor[] = []
  private readonly batches: Batch[] = []
  private cloud: { spheres: Spheres; bodies: number[]; sizes: number[] } | null = null
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1)
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xa9adb3, 1.5)
  private readonly impulses = new Arrows()
  private readonly normals = new Arrows()
  private readonly velocities = new Arrows()
  readonly bars: Bars
  private readonly marker: THREE.Mesh
  private readonly ties = new THREE.LineSegments(
    new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ color: 0x8a6d3b }),
  )
  extent: Extent = { middle: new THREE.Vector3(), radius: 1, points: new Float32Array(), box: new THREE.Box3() }
  measured = 0 // frames that there were when it was measured
  shadowsOld = true // since they were drawn
  private painted = '' // what the colours on the screen stand for
  // What lies beyond this plane is not drawn: bodies with their centres there, walls where it cuts them.
  cut: THREE.Plane | null = null
  shrink = 1 // of moving bodies, about their centres
  chosen = -1

  constructor(readonly source: Source, private readonly slow: boolean) {
    this.paint = new Painter(source)
    this.walls = new Walls(source)
    this.bars = new Bars(this.scene)
    this.sun.position.set(0.6, -0.8, 1.4)
    this.scene.add(this.sun, this.sun.target, this.sky, this.ties, this.walls.group)
    for (const arrows of [this.impulses, this.normals, this.velocities]) this.scene.add(arrows.group)
    this.ties.frustumCulled = false
    this.marker = new THREE.Mesh(
      new THREE.SphereGeometry(1, 24, 16),
      new THREE.MeshBasicMaterial({ color: 0xff2d55, wireframe: true, transparent: true, opacity: 0.35 }),
    )
    this.marker.visible = false
    this.scene.add(this.marker)
    this.build()
  }

  get middle(): THREE.Vector3 {
    return this.extent.middle
  }

  get radius(): number {
    return this.extent.radius
  }

  // -- building -------------------------------------------------------------------------------

  private build(): void {
    const { bodies, forms } = this.source.about
    const users: number[][] = forms.map(() => [])
    bodies.forEach((body, i) => {
      if (forms[body.form].plane) this.floors.push(new Floor(i))
      else if (!this.walls.bodies.has(i)) users[body.form].push(i)
    })
    for (const floor of this.floors) this.scene.add(floor.group)
    this.sun.castShadow = bodies.length <= (this.slow ? SLOW_SHADOWS : SHADOWS) && !this.source.about.channels
    // Spheres of all sizes share one mesh of radius 1.
    const balls = forms.flatMap((form, i) => (form.radius !== undefined ? users[i] : []))
    for (const spheres of this.byLook(balls)) {
      const sizes = spheres.map((body) => forms[bodies[body].form].radius!)
      const usual = (bodies[spheres[0]].opacity ?? 1) === 1
      if (usual && spheres.length > (this.slow ? MANY_SPHERES_SLOW : MANY_SPHERES) && !this.source.about.stretch) {
        this.cloud = { spheres: new Spheres(spheres.length), bodies: spheres, sizes }
        this.scene.add(this.cloud.spheres.mesh)
      } else this.add(new THREE.SphereGeometry(1, ...sphereDetail(spheres.length, this.slow)), spheres, sizes, false)
    }
    forms.forEach((_, number) => {
      const surface = this.source.surfaces[number]
      if (!surface || users[number].length === 0) return
      const geometry = new THREE.BufferGeometry()
      geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3))
      geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3))
      if (surface.channels.length)
        geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(surface.positions.length), 3))
      geometry.setIndex(new THREE.BufferAttribute(surface.indices, 1))
      for (const alike of this.byLook(users[number])) this.add(geometry, alike, [], surface.channels.length > 0)
    })
  }

  // Bodies that share opacity and roughness share a material.
  private byLook(bodies: number[]): number[][] {
    const looks = new Map<string, number[]>()
    for (const body of bodies) {
      const { opacity = 1, roughness = USUAL_ROUGHNESS } = this.source.about.bodies[body]
      const key = `${opacity} ${roughness}`
      if (!looks.has(key)) looks.set(key, [])
      looks.get(key)!.push(body)
    }
    return [...looks.values()]
  }

  // Surfaces that carry numbers are not lit: their colours are those of the scale.
  private add(geometry: THREE.BufferGeometry, bodies: number[], sizes: number[], painted: boolean): void {
    const { opacity = 1, roughness = USUAL_ROUGHNESS } = this.source.about.bodies[bodies[0]]
    const material = painted
      ? new THREE.MeshBasicMaterial({ vertexColors: true })
      : new THREE.MeshStandardMaterial({ roughness, metalness: 0.05, opacity, transparent: opacity < 1, depthWrite: opacity === 1 })
    const mesh = new THREE.InstancedMesh(geometry, material, bodies.length)
    mesh.frustumCulled = false
    mesh.castShadow = this.sun.castShadow && opacity > 0.5
    mesh.receiveShadow = this.sun.castShadow
    this.scene.add(mesh)
    this.batches.push({ mesh, bodies, sizes })
  }

  setDark(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x14171c : 0xf4f5f7)
    this.paint.dark = dark
    this.painted = ''
    this.sky.groundColor.set(dark ? 0x6a7078 : 0xa9adb3)
    this.sky.intensity = dark ? 1.2 : 1.5
    for (const floor of this.floors) floor.setDark(dark)
    this.walls.setDark(dark)
    ;(this.ties.material as THREE.LineBasicMaterial).color.set(dark ? 0xd0b070 : 0x6b5429)
  }

  // Looks at frames spread over the source, to know how far and how fast things go.
  measure(frames: Float32Array[]): void {
    if (frames.length === 0) return
    this.extent = extentOf(this.source, frames)
    this.paint.measure(frames, this.extent)
    this.walls.look(frames)
    const { middle, radius } = this.extent
    this.sun.position.set(0.6, -0.8, 1.4).multiplyScalar(2 * radius).add(middle)
    this.sun.target.position.copy(middle)
    const { camera } = this.sun.shadow
    camera.left = camera.bottom = -1.6 * radius
    camera.right = camera.top = 1.6 * radius
    camera.near = 0.1 * radius
    camera.far = 8 * radius
    camera.updateProjectionMatrix()
    this.sun.shadow.mapSize.setScalar(this.slow ? 1024 : 2048)
    this.sun.shadow.radius = 4
    this.sun.shadow.bias = -0.0006
    this.sun.shadow.normalBias = 0.002 * radius
    for (const floor of this.floors) floor.place(frames[0], floor.body * FLOATS)
    this.fitFloors(radius)
    this.painted = ''
  }

  // Sources side by side have floors with one grid.
  fitFloors(radius: number): void {
    for (const floor of this.floors) floor.fit(this.extent.box, radius)
  }

  // Walls that stand between the camera and what moves, and the cut.
  see(camera: THREE.Camera, glass: number): void {
    const planes = this.cut ? [this.cut] : []
    if (this.walls.update(camera, glass, planes)) this.shadowsOld = true
    for (const floor of this.floors) {
      floor.clip(floor.wall ? planes : [])
      floor.group.visible = floor.wall ? this.walls.mode !== 'none' : true
    }
  }

  get hasWalls(): boolean {
    return this.walls.count > 0 || this.floors.some((floor) => floor.wall)
  }

  paintVertices(): void {
    for (const { mesh, bodies } of this.batches) {
      const surface = this.source.surfaces[this.source.about.bodies[bodies[0]].form]
      const target = mesh.geometry.getAttribute('color')
      if (surface && target) this.paint.vertices(surface, target as THREE.BufferAttribute)
    }
    this.painted = ''
  }

  // -- a frame -------------------------------------------------------------------------------

  // Whether the cut takes a body away.
  private away(frame: Float32Array, body: number): boolean {
    const at = body * FLOATS
    if (Number.isNaN(frame[at])) return true
    return this.cut !== null && this.source.about.bodies[body].kind === 0 && this.cut.distanceToPoint(place.fromArray(frame, at)) < 0
  }

  show(frame: Float32Array): void {
    // Colours that do not change with time are painted once.
    const repaint = this.paint.changes || this.painted !== this.paint.by
    this.painted = this.paint.by
    this.showBatches(frame, repaint)
    this.showCrowd(frame, repaint)
    this.walls.place(frame)
    for (const body of this.walls.bodies) this.walls.colour(body, this.paint.colour(frame, body, colour))
    for (const floor of this.floors) {
      floor.place(frame, floor.body * FLOATS)
      const own = this.source.about.bodies[floor.body].colour >= 0 || !this.paint.plain(floor.body)
      floor.colour(own ? this.paint.colour(frame, floor.body, colour) : null)
    }
    this.mark(frame)
    this.tie(frame)
    this.shadowsOld = true
  }

  private showBatches(frame: Float32Array, repaint: boolean): void {
    const { stretch, bodies: about } = this.source.about
    for (const { mesh, bodies, sizes } of this.batches) {
      for (let i = 0; i < bodies.length; ++i) {
        const body = bodies[i]
        const at = body * FLOATS
        if (this.away(frame, body)) mesh.setMatrixAt(i, none)
        else {
          place.fromArray(frame, at)
          turn.fromArray(frame, at + 3)
          size.setScalar((sizes.length ? sizes[i] : 1) * (about[body].kind === 0 ? this.shrink : 1))
          if (stretch) size.multiply(pull.fromArray(frame, at + 10))
          mesh.setMatrixAt(i, matrix.compose(place, turn, size))
        }
        if (repaint) mesh.setColorAt(i, this.paint.colour(frame, body, colour))
      }
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor && repaint) mesh.instanceColor.needsUpdate = true
      mesh.boundingSphere = null
    }
  }

  private showCrowd(frame: Float32Array, repaint: boolean): void {
    if (!this.cloud) return
    const { spheres, bodies, sizes } = this.cloud
    for (let i = 0; i < bodies.length; ++i) {
      const body = bodies[i]
      const small = this.source.about.bodies[body].kind === 0 ? this.shrink : 1
      spheres.place(i, frame, body * FLOATS, this.away(frame, body) ? 0 : small * sizes[i])
      if (repaint) spheres.paint(i, this.paint.colour(frame, body, colour))
    }
    spheres.changed(repaint)
  }

  private mark(frame: Float32Array): void {
    const about = this.source.about
    const form = this.chosen >= 0 ? about.bodies[this.chosen].form : -1
    this.marker.visible = form >= 0 && !about.channels && !about.forms[form].plane && !this.away(frame, this.chosen)
    if (!this.marker.visible) return
    const at = this.chosen * FLOATS
    this.marker.position.set(frame[at], frame[at + 1], frame[at + 2])
    this.marker.scale.setScalar(1.08 * (this.source.reach(form) || 0.05 * this.radius))
  }

  // Strings, rods and springs from anchor to anchor while whole, other joints as arms from the bodies' centres to it.
  private tie(frame: Float32Array): void {
    const joints = this.source.about.joints ?? []
    if (joints.length === 0) return
    const centre = (body: number) => new THREE.Vector3().fromArray(frame, body * FLOATS)
    const end = (body: number, anchor: number[]) => {
      const out = new THREE.Vector3().fromArray(anchor)
      if (body < 0) return out
      turn.fromArray(frame, body * FLOATS + 3)
      return out.applyQuaternion(turn).add(centre(body))
    }
    const points: THREE.Vector3[] = []
    for (const joint of joints) {
      const a = end(joint.a, joint.anchor_a)
      const b = end(joint.b, joint.anchor_b)
      if (['string', 'rod', 'spring'].includes(joint.kind)) {
        const length = a.distanceTo(b)
        if (!joint.span || (length >= joint.span[0] && length <= joint.span[1])) points.push(a, b)
      } else {
        if (joint.a >= 0) points.push(centre(joint.a), a)
        if (joint.b >= 0) points.push(centre(joint.b), b)
      }
    }
    this.ties.geometry.setFromPoints(points)
  }

  // Lengths go by the root, so that small ones stay visible.
  showVelocities(frame: Float32Array | null): void {
    this.velocities.begin()
    const { bodies } = this.source.about
    for (let i = 0; frame && i < bodies.length; ++i) {
      const at = i * FLOATS
      if (Number.isNaN(frame[at])) continue
      const speed = Math.hypot(frame[at + 7], frame[at + 8], frame[at + 9])
      if (speed < 1e-6 * this.paint.fastest) continue
      place.set(frame[at], frame[at + 1], frame[at + 2])
      size.set(frame[at + 7], frame[at + 8], frame[at + 9])
      this.velocities.add(place, size, 0.45 * this.radius * Math.sqrt(speed / this.paint.fastest), 0.012 * this.radius, 0x0b7285)
    }
    this.velocities.end()
  }

  showContacts(contacts: Float32Array | null, frame: Float32Array, extras: Extras): void {
    const length = contacts?.length ?? 0
    this.impulses.begin(length > SEEN_THROUGH * CONTACT_FLOATS)
    this.normals.begin(length > SEEN_THROUGH * CONTACT_FLOATS)
    let largest = 1e-300
    for (let i = 0; i < length; i += CONTACT_FLOATS)
      largest = Math.max(largest, Math.hypot(contacts![i + 9], contacts![i + 10], contacts![i + 11]))
    for (let i = 0; i < length; i += CONTACT_FLOATS) {
      place.fromArray(contacts!, i + 3)
      if (extras.normals) this.normals.add(place, size.fromArray(contacts!, i + 6), 0.12 * this.radius, 0.006 * this.radius, 0x9b59b6)
      size.fromArray(contacts!, i + 9)
      const share = Math.sqrt(size.length() / largest)
      if (extras.impulses && share > 1e-4)
        this.impulses.add(place, size, 0.4 * this.radius * share, 0.012 * this.radius, contacts![i + 2] ? 0xff2d55 : 0x0a84ff)
    }
    this.impulses.end()
    this.normals.end()
    if (!extras.forces || !contacts) return this.bars.clear()
    const { bodies } = this.source.about
    const away = (body: number) => body >= 0 && this.away(frame, body)
    this.bars.show(contacts, frame, this.usualReach, (a, b) => away(a) || away(b), (body) => body < 0 || bodies[body].kind !== 0)
  }

  // Half of the usual body's size: bars of the strongest contacts are as thick.
  private get usualReach(): number {
    const { bodies } = this.source.about
    const moving = bodies.filter((body) => body.kind === 0).slice(0, 500)
    const reaches = moving.map((body) => this.source.reach(body.form)).sort((a, b) => a - b)
    return 0.4 * (reaches[Math.floor(reaches.length / 2)] || 0.02 * this.radius)
  }

  setForces(on: boolean): void {
    this.shrink = on ? SHRUNK : 1
    this.paint.pale = on
  }

  get arrowCount(): number {
    return this.impulses.count + this.normals.count + this.velocities.count + this.bars.count
  }

  // The body under a ray, or -1, and where; and for forms with numbers of their own the vertex next to it.
  pick(ray: THREE.Raycaster): Picked {
    let nearest = Infinity
    const found: Picked = { body: -1, vertex: -1, point: null }
    for (const { mesh, bodies } of this.batches)
      for (const hit of ray.intersectObject(mesh, false)) {
        if (hit.distance >= nearest || hit.instanceId === undefined) continue
        nearest = hit.distance
        found.body = bodies[hit.instanceId]
        found.vertex = hit.face?.a ?? -1
      }
    const far = this.cloud?.spheres.pick(ray.ray)
    if (this.cloud && far && far.distance < nearest) {
      nearest = far.distance
      found.body = this.cloud.bodies[far.index]
    }
    const fixed = this.walls.pick(ray)
    if (fixed && fixed.distance < nearest) {
      nearest = fixed.distance
      found.body = fixed.body
    }
    for (const floor of this.floors) {
      const hit = floor.group.visible ? ray.intersectObject(floor.mesh, false)[0] : undefined
      if (!hit || hit.distance >= nearest) continue
      nearest = hit.distance
      found.body = floor.body
    }
    if (found.body >= 0) found.point = ray.ray.at(nearest, new THREE.Vector3())
    return found
  }

  dispose(): void {
    this.cloud?.spheres.dispose()
    this.walls.dispose()
    this.bars.dispose()
    this.sun.shadow.dispose()
    for (const floor of this.floors) floor.dispose()
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose()
      ;(mesh.material as THREE.Material).dispose()
      mesh.dispose()
    }
  }
}
