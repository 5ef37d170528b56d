// A ruler between two points on bodies: it moves along with them.
import * as THREE from 'three'
import { element } from './overlay'
import { FLOATS } from './source'
import type { Stage } from './stage'
import { quantity, short } from './words'

interface Mark {
  body: number
  local: THREE.Vector3 // in the body's frame
}

const turn = new THREE.Quaternion()

export class Ruler {
  on = false
  private stage: Stage | null = null
  private marks: Mark[] = []
  private readonly line = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xff2d55, depthTest: false }))
  private readonly dots = new THREE.Points(
    new THREE.BufferGeometry(),
    new THREE.PointsMaterial({ color: 0xff2d55, size: 9, sizeAttenuation: false, depthTest: false }),
  )
  private readonly places = new THREE.BufferAttribute(new Float32Array(6), 3)
  private readonly tag: HTMLElement

  constructor(parent: HTMLElement) {
    for (const drawn of [this.line, this.dots]) drawn.geometry.setAttribute('position', this.places)
    this.tag = element('tag ruler', parent)
    this.tag.hidden = true
    this.line.renderOrder = this.dots.renderOrder = 10
    this.line.frustumCulled = this.dots.frustumCulled = false
  }

  clear(): void {
    this.stage?.scene.remove(this.line, this.dots)
    this.stage = null
    this.marks = []
    this.tag.hidden = true
  }

  // The first point, the second, and then the first of another.
  add(stage: Stage, body: number, point: THREE.Vector3, frame: Float32Array): void {
    if (this.marks.length === 2 || this.stage !== stage) this.clear()
    this.stage = stage
    turn.fromArray(frame, body * FLOATS + 3).conjugate()
    this.marks.push({ body, local: point.clone().sub(new THREE.Vector3().fromArray(frame, body * FLOATS)).applyQuaternion(turn) })
    stage.scene.add(this.line, this.dots)
  }

  // The two ends as they are now.
  private ends(frame: Float32Array): THREE.Vector3[] {
    return this.marks.map(({ body, local }) => {
      turn.fromArray(frame, body * FLOATS + 3)
      return local.clone().applyQuaternion(turn).add(new THREE.Vector3().fromArray(frame, body * FLOATS))
    })
  }

  show(frame: Float32Array | null, camera: THREE.Camera, part: DOMRect): void {
    if (!frame || this.marks.length === 0) return void (this.tag.hidden = true)
    const ends = this.ends(frame)
    ends.forEach((end, i) => this.places.setXYZ(i, end.x, end.y, end.z))
    this.places.needsUpdate = true
    this.dots.geometry.setDrawRange(0, ends.length)
    this.line.geometry.setDrawRange(0, ends.length === 2 ? 2 : 0)
    this.tag.hidden = ends.length < 2
    if (ends.length < 2) return
    const way = ends[1].clone().sub(ends[0])
    const spot = ends[0].clone().add(ends[1]).multiplyScalar(0.5).project(camera)
    this.tag.textContent = `${quantity(way.length(), 'm')}  (${way.toArray().map((v) => short(Math.abs(v) < 1e-6 * way.length() ? 0 : v)).join(', ')})`
    this.tag.style.transform = `translate(-50%, -130%) translate(${part.left + ((spot.x + 1) / 2) * part.width}px, ${part.top + ((1 - spot.y) / 2) * part.height}px)`
  }

  shows(stage: Stage): boolean {
    return this.stage === stage
  }
}
