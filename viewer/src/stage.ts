// One film in three dimensions: an instanced mesh per form, so that 60,000 spheres are one call.
import * as THREE from 'three'
import { bodyColour, scale, STILL } from './colours'
import { CONTACT_FLOATS, Film, FLOATS } from './film'

export type ColourBy = 'body' | 'speed' | 'energy' | 'height' | 'mass'
export const COLOUR_BY: ColourBy[] = ['body', 'speed', 'energy', 'height', 'mass']

interface Batch {
  mesh: THREE.InstancedMesh
  bodies: number[]
}

const FIXED = 1
const matrix = new THREE.Matrix4()
const place = new THREE.Vector3()
const turn = new THREE.Quaternion()
const one = new THREE.Vector3(1, 1, 1)
const none = new THREE.Matrix4().makeScale(0, 0, 0)

function sphereDetail(count: number): [number, number] {
  return count > 20000 ? [8, 6] : count > 2000 ? [14, 10] : [32, 20]
}

export class Stage {
  readonly scene = new THREE.Scene()
  private readonly batches: Batch[] = []
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2)
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.5)
  private readonly arrows = new THREE.Group()
  private readonly shaft = new THREE.CylinderGeometry(0.5, 0.5, 1, 8)
  private readonly marker: THREE.Mesh
  readonly middle = new THREE.Vector3()
  radius = 1
  private fastest = 1e-12
  private lowest = 0
  private highest = 1
  private heaviest = 1e-12
  private liveliest = 1e-12
  colourBy: ColourBy = 'body'
  chosen = -1

  constructor(readonly film: Film) {
    this.sun.position.set(0.6, -0.8, 1.4)
    this.scene.add(this.sun, this.sky, this.arrows)
    this.marker = new THREE.Mesh(
      new THREE.SphereGeometry(1, 24, 16),
      new THREE.MeshBasicMaterial({ color: 0xff2d55, wireframe: true, transparent: true, opacity: 0.35 }),
    )
    this.marker.visible = false
    this.scene.add(this.marker)
    this.build()
  }

  private build(): void {
    const { bodies, forms } = this.film.about
    forms.forEach((form, number) => {
      const users = bodies.flatMap((body, i) => (body.form === number ? [i] : []))
      if (users.length === 0) return
      let geometry: THREE.BufferGeometry
      if (form.radius !== undefined) {
        const [wide, high] = sphereDetail(users.length)
        geometry = new THREE.SphereGeometry(form.radius, wide, high)
      } else {
        const surface = this.film.surfaces[number]!
        geometry = new THREE.BufferGeometry()
        geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3))
        geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3))
        geometry.setIndex(new THREE.BufferAttribute(surface.indices, 1))
      }
      const material = new THREE.MeshStandardMaterial({
        roughness: 0.55,
        metalness: 0.05,
        side: form.plane ? THREE.DoubleSide : THREE.FrontSide,
      })
      const mesh = new THREE.InstancedMesh(geometry, material, users.length)
      mesh.frustumCulled = false
      mesh.userData.bodies = users
      this.scene.add(mesh)
      this.batches.push({ mesh, bodies: users })
    })
    this.heaviest = Math.max(this.heaviest, ...this.sample((i) => bodies[i].mass))
  }

  private sample(value: (body: number) => number): number[] {
    const { bodies } = this.film.about
    const step = Math.ceil(bodies.length / 20000)
    const out: number[] = []
    for (let i = 0; i < bodies.length; i += step) out.push(value(i))
    return out
  }

  setDark(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x14171c : 0xf4f5f7)
  }

  // Looks at moments spread over the film, to know how far and how fast things go.
  measure(moments: Float32Array[]): void {
    const box = new THREE.Box3()
    const { bodies, forms } = this.film.about
    for (const moment of moments)
      bodies.forEach((body, i) => {
        const at = i * FLOATS
        if (body.kind === FIXED || Number.isNaN(moment[at])) return
        const reach = forms[body.form].radius ?? 0
        place.set(moment[at], moment[at + 1], moment[at + 2])
        box.expandByPoint(place.clone().addScalar(reach))
        box.expandByPoint(place.clone().addScalar(-reach))
        const v2 = moment[at + 7] ** 2 + moment[at + 8] ** 2 + moment[at + 9] ** 2
        this.fastest = Math.max(this.fastest, Math.sqrt(v2))
        this.liveliest = Math.max(this.liveliest, 0.5 * body.mass * v2)
      })
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1))
    box.getCenter(this.middle)
    this.radius = Math.max(1e-6, box.getSize(place).length() / 2)
    this.lowest = box.min.z
    this.highest = Math.max(box.max.z, box.min.z + 1e-12)
  }

  private paint(moment: Float32Array, body: number, out: [number, number, number]): void {
    const about = this.film.about.bodies[body]
    const at = body * FLOATS
    const v2 = moment[at + 7] ** 2 + moment[at + 8] ** 2 + moment[at + 9] ** 2
    if (about.kind !== 0 || this.colourBy === 'body') {
      const colour = about.colour >= 0 ? about.colour : about.kind === 0 ? bodyColour(body) : STILL
      for (let k = 0; k < 3; ++k) out[k] = ((colour >> (16 - 8 * k)) & 255) / 255
      return
    }
    const value =
      this.colourBy === 'speed' ? Math.sqrt(v2) / this.fastest
      : this.colourBy === 'energy' ? (0.5 * about.mass * v2) / this.liveliest
      : this.colourBy === 'mass' ? about.mass / this.heaviest
      : (moment[at + 2] - this.lowest) / (this.highest - this.lowest)
    scale(value, out)
  }

  show(moment: Float32Array): void {
    const rgb: [number, number, number] = [0, 0, 0]
    const colour = new THREE.Color()
    for (const { mesh, bodies } of this.batches) {
      bodies.forEach((body, i) => {
        const at = body * FLOATS
        if (Number.isNaN(moment[at])) mesh.setMatrixAt(i, none)
        else {
          place.set(moment[at], moment[at + 1], moment[at + 2])
          turn.set(moment[at + 3], moment[at + 4], moment[at + 5], moment[at + 6])
          mesh.setMatrixAt(i, matrix.compose(place, turn, one))
        }
        this.paint(moment, body, rgb)
        mesh.setColorAt(i, colour.setRGB(...rgb, THREE.SRGBColorSpace))
      })
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
      mesh.boundingSphere = null
    }
    this.mark(moment)
  }

  private mark(moment: Float32Array): void {
    this.marker.visible = this.chosen >= 0 && !Number.isNaN(moment[this.chosen * FLOATS])
    if (!this.marker.visible) return
    const at = this.chosen * FLOATS
    const form = this.film.about.forms[this.film.about.bodies[this.chosen].form]
    const surface = this.film.surfaces[this.film.about.bodies[this.chosen].form]
    let reach = form.radius ?? 0
    if (surface && !form.plane)
      for (let i = 0; i < surface.positions.length; i += 3)
        reach = Math.max(reach, Math.hypot(surface.positions[i], surface.positions[i + 1], surface.positions[i + 2]))
    this.marker.position.set(moment[at], moment[at + 1], moment[at + 2])
    this.marker.scale.setScalar(1.08 * (reach || 0.05 * this.radius))
  }

  // Impulses as arrows: length by the root of the impulse, so that small ones stay visible.
  showContacts(contacts: Float32Array | null): void {
    this.arrows.clear()
    if (!contacts || contacts.length === 0) return
    let largest = 1e-300
    for (let i = 0; i < contacts.length; i += CONTACT_FLOATS)
      largest = Math.max(largest, Math.hypot(contacts[i + 9], contacts[i + 10], contacts[i + 11]))
    const impact = new THREE.MeshBasicMaterial({ color: 0xff2d55 })
    const rest = new THREE.MeshBasicMaterial({ color: 0x0a84ff })
    const most = Math.min(contacts.length, 4000 * CONTACT_FLOATS)
    for (let i = 0; i < most; i += CONTACT_FLOATS) {
      const impulse = place.set(contacts[i + 9], contacts[i + 10], contacts[i + 11])
      const size = impulse.length()
      if (size === 0) continue
      const length = 0.35 * this.radius * Math.sqrt(size / largest)
      const way = impulse.clone().normalize()
      const shaft = new THREE.Mesh(this.shaft, contacts[i + 2] ? impact : rest)
      shaft.scale.set(0.02 * this.radius, length, 0.02 * this.radius)
      shaft.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way)
      shaft.position.set(contacts[i + 3], contacts[i + 4], contacts[i + 5]).addScaledVector(way, length / 2)
      this.arrows.add(shaft)
    }
  }

  // The body under a ray, or -1.
  pick(ray: THREE.Raycaster): number {
    let nearest = Infinity
    let found = -1
    for (const { mesh, bodies } of this.batches) {
      for (const hit of ray.intersectObject(mesh, false)) {
        if (hit.distance >= nearest || hit.instanceId === undefined) continue
        nearest = hit.distance
        found = bodies[hit.instanceId]
      }
    }
    return found
  }
}
