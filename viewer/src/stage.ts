// One film in three dimensions: an instanced mesh per form, so that 60,000 spheres are one call.
import * as THREE from 'three'
import { Arrows } from './arrows'
import { bodyColour, ramp, type Rgb, STILL } from './colours'
import { Spheres } from './spheres'
import { CONTACT_FLOATS, type Film, FLOATS, type Scale } from './film'

interface Batch {
  mesh: THREE.InstancedMesh
  bodies: number[]
  sizes: number[] // of spheres that share a mesh
}

// What is drawn of a moment besides the bodies.
export interface Extras {
  impulses: boolean
  normals: boolean
  velocities: boolean
}

const FIXED = 1
const CROWD = 4000 // spheres from which on they are drawn more simply
const matrix = new THREE.Matrix4()
const place = new THREE.Vector3()
const turn = new THREE.Quaternion()
const size = new THREE.Vector3()
const part = new THREE.Box3()
const pull = new THREE.Vector3()
const none = new THREE.Matrix4().makeScale(0, 0, 0)

function sphereDetail(count: number): [number, number] {
  return count > 500 ? [20, 14] : [32, 20]
}

export class Stage {
  readonly scene = new THREE.Scene()
  private readonly batches: Batch[] = []
  private crowd: { spheres: Spheres; bodies: number[]; sizes: number[] } | null = null
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2)
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.5)
  private readonly impulses = new Arrows()
  private readonly normals = new Arrows()
  private readonly velocities = new Arrows()
  private readonly marker: THREE.Mesh
  private readonly ties = new THREE.LineSegments(
    new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ color: 0x8a6d3b }),
  )
  readonly middle = new THREE.Vector3()
  radius = 1
  private fastest = 1e-12
  private lowest = 0
  private highest = 1
  private heaviest = 1e-12
  private liveliest = 1e-12
  private largest = 1e-300 // of the values of the film, as far as they were seen
  private values: Float32Array | null = null
  colourBy = 'body'
  chosen = -1

  constructor(readonly film: Film) {
    this.sun.position.set(0.6, -0.8, 1.4)
    this.scene.add(this.sun, this.sky, this.ties)
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

  // -- what one can colour by -----------------------------------------------------------------

  get choices(): string[] {
    const { about } = this.film
    if (about.channels) return about.channels.map((one) => one.name)
    const out = ['body', 'speed', 'energy', 'height', 'mass']
    if (about.bodies[0]?.restitution !== undefined) out.push('restitution', 'friction')
    if (about.values) out.push(about.values.name)
    return out
  }

  // The scale beside the picture; null for plain colours.
  get scale(): Scale | null {
    const { about } = this.film
    const channel = about.channels?.find((one) => one.name === this.colourBy)
    if (channel) return channel
    if (about.values?.name === this.colourBy)
      return { ...about.values, least: about.values.signed ? -this.largest : 0, most: this.largest }
    const known: Record<string, [string, number, number]> = {
      speed: ['m/s', 0, this.fastest],
      energy: ['J', 0, this.liveliest],
      height: ['m', this.lowest, this.highest],
      mass: ['kg', 0, this.heaviest],
      restitution: ['1', 0, 1],
      friction: ['1', 0, 1],
    }
    const found = known[this.colourBy]
    return found ? { name: this.colourBy, unit: found[0], least: found[1], most: found[2] } : null
  }

  get wantsValues(): boolean {
    return this.film.about.values?.name === this.colourBy
  }

  // -- building -------------------------------------------------------------------------------

  private build(): void {
    const { bodies, forms } = this.film.about
    const users: number[][] = forms.map(() => [])
    bodies.forEach((body, i) => users[body.form].push(i))
    // Spheres of all sizes share one mesh of radius 1.
    const spheres = forms.flatMap((form, i) => (form.radius !== undefined ? users[i] : []))
    if (spheres.length) {
      const sizes = spheres.map((body) => forms[bodies[body].form].radius!)
      if (spheres.length > CROWD) {
        this.crowd = { spheres: new Spheres(spheres.length), bodies: spheres, sizes }
        this.scene.add(this.crowd.spheres.mesh)
      } else this.add(new THREE.SphereGeometry(1, ...sphereDetail(spheres.length)), spheres, sizes, false, false)
    }
    forms.forEach((form, number) => {
      const surface = this.film.surfaces[number]
      if (!surface || users[number].length === 0) return
      const geometry = new THREE.BufferGeometry()
      geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3))
      geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3))
      if (surface.channels.length)
        geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(surface.positions.length), 3))
      geometry.setIndex(new THREE.BufferAttribute(surface.indices, 1))
      this.add(geometry, users[number], [], form.plane, surface.channels.length > 0)
    })
    for (const body of bodies) this.heaviest = Math.max(this.heaviest, body.mass)
  }

  private add(geometry: THREE.BufferGeometry, bodies: number[], sizes: number[], plane: boolean, painted: boolean): void {
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55,
      metalness: 0.05,
      vertexColors: painted,
      side: plane ? THREE.DoubleSide : THREE.FrontSide,
    })
    const mesh = new THREE.InstancedMesh(geometry, material, bodies.length)
    mesh.frustumCulled = false
    this.scene.add(mesh)
    this.batches.push({ mesh, bodies, sizes })
  }

  setDark(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x14171c : 0xf4f5f7)
    ;(this.ties.material as THREE.LineBasicMaterial).color.set(dark ? 0xd0b070 : 0x6b5429)
  }

  // Looks at moments spread over the film, to know how far and how fast things go.
  measure(moments: Float32Array[]): void {
    const box = new THREE.Box3()
    const { bodies } = this.film.about
    const reaches = this.film.about.forms.map((_, i) => this.reach(i))
    const boxes = this.film.surfaces.map((surface) =>
      surface && bodies.length < 5000 ? new THREE.Box3().setFromArray(surface.positions) : null)
    const only = bodies.every((body) => body.kind === FIXED)
    for (const moment of moments)
      bodies.forEach((body, i) => {
        const at = i * FLOATS
        if ((body.kind === FIXED && !only) || Number.isNaN(moment[at])) return
        const reach = reaches[body.form]
        const own = boxes[body.form]
        if (own) {
          turn.fromArray(moment, at + 3)
          matrix.compose(place.fromArray(moment, at), turn, size.setScalar(1))
          box.union(part.copy(own).applyMatrix4(matrix))
        } else {
        box.expandByPoint(place.set(moment[at] + reach, moment[at + 1] + reach, moment[at + 2] + reach))
        box.expandByPoint(place.set(moment[at] - reach, moment[at + 1] - reach, moment[at + 2] - reach))
        }
        const v2 = moment[at + 7] ** 2 + moment[at + 8] ** 2 + moment[at + 9] ** 2
        this.fastest = Math.max(this.fastest, Math.sqrt(v2))
        this.liveliest = Math.max(this.liveliest, 0.5 * body.mass * v2)
      })
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1))
    for (const joint of this.film.about.joints ?? []) {
      if (joint.a < 0) box.expandByPoint(place.fromArray(joint.anchor_a))
      if (joint.b < 0) box.expandByPoint(place.fromArray(joint.anchor_b))
    }
    box.getCenter(this.middle)
    this.radius = Math.max(1e-6, box.getSize(place).length() / 2)
    this.lowest = box.min.z
    this.highest = Math.max(box.max.z, box.min.z + 1e-12)
  }

  // How far a form goes from its centre.
  private reach(form: number): number {
    const { radius, plane } = this.film.about.forms[form]
    const surface = this.film.surfaces[form]
    let most = radius ?? 0
    if (surface && !plane)
      for (let i = 0; i < surface.positions.length; i += 3)
        most = Math.max(most, Math.hypot(surface.positions[i], surface.positions[i + 1], surface.positions[i + 2]))
    return most
  }

  // -- colours --------------------------------------------------------------------------------

  private paint(moment: Float32Array, body: number, out: Rgb): void {
    const about = this.film.about.bodies[body]
    const at = body * FLOATS
    const plain = about.kind !== 0 && this.colourBy !== 'restitution' && this.colourBy !== 'friction' && !this.wantsValues
    if (this.film.about.channels) return void out.fill(1)
    if (plain || this.colourBy === 'body') {
      const colour = about.colour >= 0 ? about.colour : about.kind === 0 ? bodyColour(body) : STILL
      for (let k = 0; k < 3; ++k) out[k] = ((colour >> (16 - 8 * k)) & 255) / 255
      return
    }
    const v2 = moment[at + 7] ** 2 + moment[at + 8] ** 2 + moment[at + 9] ** 2
    let value = 0
    if (this.colourBy === 'speed') value = Math.sqrt(v2) / this.fastest
    else if (this.colourBy === 'energy') value = (0.5 * about.mass * v2) / this.liveliest
    else if (this.colourBy === 'height') value = (moment[at + 2] - this.lowest) / (this.highest - this.lowest)
    else if (this.colourBy === 'mass') value = about.mass / this.heaviest
    else if (this.colourBy === 'restitution') value = about.restitution ?? 0
    else if (this.colourBy === 'friction') value = about.friction ?? 0
    else if (this.values) {
      value = (this.values[body] ?? 0) / this.largest
      if (this.film.about.values?.signed) value = 0.5 + 0.5 * value
    }
    ramp(value, out)
  }

  // Vertices of forms that carry numbers of their own.
  paintVertices(): void {
    const which = this.film.about.channels?.findIndex((one) => one.name === this.colourBy) ?? -1
    if (which < 0) return
    const { least = 0, most = 1 } = this.film.about.channels![which]
    const rgb: Rgb = [0, 0, 0]
    const colour = new THREE.Color()
    for (const { mesh, bodies } of this.batches) {
      const values = this.film.surfaces[this.film.about.bodies[bodies[0]].form]?.channels[which]
      const target = mesh.geometry.getAttribute('color')
      if (!values || !target) continue
      for (let i = 0; i < values.length; ++i) {
        ramp(most > least ? (values[i] - least) / (most - least) : 0, rgb)
        colour.setRGB(...rgb, THREE.SRGBColorSpace)
        target.setXYZ(i, colour.r, colour.g, colour.b)
      }
      target.needsUpdate = true
    }
  }

  setValues(values: Float32Array | null): void {
    this.values = values
    for (const value of values ?? []) this.largest = Math.max(this.largest, Math.abs(value))
  }

  // -- a moment -------------------------------------------------------------------------------

  show(moment: Float32Array): void {
    const rgb: Rgb = [0, 0, 0]
    const colour = new THREE.Color()
    const { stretch } = this.film.about
    for (const { mesh, bodies, sizes } of this.batches) {
      for (let i = 0; i < bodies.length; ++i) {
        const body = bodies[i]
        const at = body * FLOATS
        if (Number.isNaN(moment[at])) mesh.setMatrixAt(i, none)
        else {
          place.set(moment[at], moment[at + 1], moment[at + 2])
          turn.set(moment[at + 3], moment[at + 4], moment[at + 5], moment[at + 6])
          size.setScalar(sizes.length ? sizes[i] : 1)
          if (stretch) size.multiply(pull.fromArray(moment, at + 10))
          mesh.setMatrixAt(i, matrix.compose(place, turn, size))
        }
        this.paint(moment, body, rgb)
        mesh.setColorAt(i, colour.setRGB(...rgb, THREE.SRGBColorSpace))
      }
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
      mesh.boundingSphere = null
    }
    this.showCrowd(moment)
    this.mark(moment)
    this.tie(moment)
  }

  private showCrowd(moment: Float32Array): void {
    if (!this.crowd) return
    const { spheres, bodies, sizes } = this.crowd
    const rgb: Rgb = [0, 0, 0]
    for (let i = 0; i < bodies.length; ++i) {
      const at = bodies[i] * FLOATS
      this.paint(moment, bodies[i], rgb)
      spheres.set(i, moment, at, Number.isNaN(moment[at]) ? 0 : sizes[i], rgb)
    }
    spheres.changed()
  }

  private mark(moment: Float32Array): void {
    this.marker.visible = this.chosen >= 0 && !Number.isNaN(moment[this.chosen * FLOATS]) && !this.film.about.channels
    if (!this.marker.visible) return
    const at = this.chosen * FLOATS
    this.marker.position.set(moment[at], moment[at + 1], moment[at + 2])
    this.marker.scale.setScalar(1.08 * (this.reach(this.film.about.bodies[this.chosen].form) || 0.05 * this.radius))
  }

  // Strings from anchor to anchor, other joints as arms from the bodies' centres to the anchor.
  private tie(moment: Float32Array): void {
    const joints = this.film.about.joints ?? []
    if (joints.length === 0) return
    const centre = (body: number) => new THREE.Vector3().fromArray(moment, body * FLOATS)
    const end = (body: number, anchor: number[]) => {
      const out = new THREE.Vector3().fromArray(anchor)
      if (body < 0) return out
      turn.fromArray(moment, body * FLOATS + 3)
      return out.applyQuaternion(turn).add(centre(body))
    }
    const points: THREE.Vector3[] = []
    for (const joint of joints) {
      const a = end(joint.a, joint.anchor_a)
      const b = end(joint.b, joint.anchor_b)
      if (joint.kind === 'string') points.push(a, b)
      else {
        if (joint.a >= 0) points.push(centre(joint.a), a)
        if (joint.b >= 0) points.push(centre(joint.b), b)
      }
    }
    this.ties.geometry.setFromPoints(points)
  }

  // Lengths go by the root, so that small ones stay visible.
  showVelocities(moment: Float32Array | null): void {
    this.velocities.begin()
    const { bodies } = this.film.about
    for (let i = 0; moment && i < bodies.length; ++i) {
      const at = i * FLOATS
      if (Number.isNaN(moment[at])) continue
      const speed = Math.hypot(moment[at + 7], moment[at + 8], moment[at + 9])
      if (speed < 1e-6 * this.fastest) continue
      place.set(moment[at], moment[at + 1], moment[at + 2])
      size.set(moment[at + 7], moment[at + 8], moment[at + 9])
      this.velocities.add(place, size, 0.45 * this.radius * Math.sqrt(speed / this.fastest), 0.012 * this.radius, 0x2aa876)
    }
    this.velocities.end()
  }

  showContacts(contacts: Float32Array | null, extras: Extras): void {
    this.impulses.begin()
    this.normals.begin()
    let largest = 1e-300
    const length = contacts?.length ?? 0
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
  }

  get arrowCount(): number {
    return this.impulses.count + this.normals.count + this.velocities.count
  }

  // The body under a ray, or -1; and for forms with numbers of their own the vertex next to it.
  pick(ray: THREE.Raycaster): { body: number; vertex: number } {
    let nearest = Infinity
    const found = { body: -1, vertex: -1 }
    for (const { mesh, bodies } of this.batches)
      for (const hit of ray.intersectObject(mesh, false)) {
        if (hit.distance >= nearest || hit.instanceId === undefined) continue
        nearest = hit.distance
        found.body = bodies[hit.instanceId]
        found.vertex = hit.face?.a ?? -1
      }
    const far = this.crowd?.spheres.pick(ray.ray)
    if (this.crowd && far && far.distance < nearest) found.body = this.crowd.bodies[far.index]
    return found
  }

  dispose(): void {
    this.crowd?.spheres.dispose()
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose()
      ;(mesh.material as THREE.Material).dispose()
      mesh.dispose()
    }
  }
}
