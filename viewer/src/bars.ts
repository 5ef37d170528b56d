// Force chains: a bar from each body's centre to where it touches, as thick and as bright as what the contact
// carries. Bars are hidden by what stands before them.
import * as THREE from 'three'
import { ramp, type Rgb } from './colours'
import { CONTACT_FLOATS, FLOATS } from './source'

const MOST = 120000 // ends
const up = new THREE.Vector3(0, 1, 0)
const from = new THREE.Vector3()
const to = new THREE.Vector3()
const way = new THREE.Vector3()
const turn = new THREE.Quaternion()
const size = new THREE.Vector3()
const matrix = new THREE.Matrix4()
const colour = new THREE.Color()
const rgb: Rgb = [0, 0, 0]

export class Bars {
  mesh: THREE.InstancedMesh
  count = 0
  strongest = 0 // what the top of the scale stands for
  unit = 'N s' // N where it is known how long contacts press
  private room = 512

  constructor(private readonly holder: THREE.Object3D) {
    this.mesh = this.make()
  }

  private make(): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(
      new THREE.CylinderGeometry(1, 1, 1, 8, 1, true), new THREE.MeshLambertMaterial({ emissive: 0x222222 }), this.room)
    mesh.frustumCulled = false
    mesh.count = 0
    this.holder.add(mesh)
    return mesh
  }

  private grow(wanted: number): void {
    if (wanted <= this.room) return
    while (this.room < wanted) this.room *= 2
    this.dispose()
    this.mesh = this.make()
  }

  // Resting contacts where there are any, else impacts. `width`: of the thickest bar, m; `skip` leaves bodies out.
  show(contacts: Float32Array, frame: Float32Array, width: number, skip: (a: number, b: number) => boolean, fixed: (body: number) => boolean): void {
    let resting = false
    for (let i = 0; i < contacts.length; i += CONTACT_FLOATS) resting ||= contacts[i + 2] === 0
    let timed = resting
    for (let i = 0; i < contacts.length; i += CONTACT_FLOATS) timed &&= contacts[i + 2] !== 0 || contacts[i + 12] > 0
    this.unit = timed ? 'N' : 'N s'
    const sizes: number[] = []
    const rows: number[] = []
    for (let i = 0; i < contacts.length; i += CONTACT_FLOATS) {
      if (resting && contacts[i + 2] !== 0) continue
      const push = Math.hypot(contacts[i + 9], contacts[i + 10], contacts[i + 11]) / (timed ? contacts[i + 12] : 1)
      if (!(push > 0) || skip(contacts[i], contacts[i + 1])) continue
      rows.push(i)
      sizes.push(push)
    }
    // one blow does not make all others invisible
    const sorted = Float64Array.from(sizes).sort()
    this.strongest = sorted.length ? sorted[Math.floor(0.98 * (sorted.length - 1))] : 0
    this.grow(Math.min(2 * rows.length, MOST))
    this.count = 0
    rows.forEach((i, k) => {
      const share = Math.min(sizes[k] / this.strongest, 1)
      to.fromArray(contacts, i + 3)
      for (const body of [contacts[i], contacts[i + 1]]) if (!fixed(body)) this.add(frame, body, share, width)
    })
    this.mesh.count = this.count
    this.mesh.instanceMatrix.needsUpdate = true
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true
  }

  private add(frame: Float32Array, body: number, share: number, width: number): void {
    from.fromArray(frame, body * FLOATS)
    way.copy(to).sub(from)
    const length = way.length()
    if (!(length > 0) || this.count >= this.room) return
    turn.setFromUnitVectors(up, way.divideScalar(length))
    const thick = width * Math.max(0.05, share ** 0.75)
    from.add(to).multiplyScalar(0.5)
    this.mesh.setMatrixAt(this.count, matrix.compose(from, turn, size.set(thick, length, thick)))
    ramp(share, rgb)
    this.mesh.setColorAt(this.count++, colour.setRGB(...rgb, THREE.SRGBColorSpace))
  }

  clear(): void {
    this.count = this.mesh.count = 0
  }

  dispose(): void {
    this.holder.remove(this.mesh)
    this.mesh.geometry.dispose()
    ;(this.mesh.material as THREE.Material).dispose()
    this.mesh.dispose()
  }
}
