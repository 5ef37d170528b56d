// The hand in a scene that runs: a body is pulled, and let go it flies that way; or it is put elsewhere. An arrow and a
// number say what will happen; asking the run for it is in throwing.ts.
import * as THREE from 'three'
import { Arrows } from './arrows'
import { FLOATS } from './source'
import type { Stage } from './stage'
import { quantity } from './words'

const PULL = 0.3 // s: a pull of so many metres is a speed of as many metres in this time

export interface Throw {
  body: number
  velocity?: THREE.Vector3 // m/s
  position?: THREE.Vector3 // m
}

export class Hand {
  private readonly arrow = new Arrows()
  private readonly plane = new THREE.Plane()
  private readonly from = new THREE.Vector3()
  private readonly to = new THREE.Vector3()
  private stage: Stage | null = null
  private body = -1
  private carries = false

  get busy(): boolean {
    return this.stage !== null
  }

  // Takes a moving body; the pull goes in the plane through it that faces the camera.
  take(stage: Stage, body: number, frame: Float32Array, camera: THREE.Camera, carries: boolean): void {
    this.stage = stage
    this.body = body
    this.carries = carries
    this.from.fromArray(frame, body * FLOATS)
    this.to.copy(this.from)
    this.plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), this.from)
    stage.scene.add(this.arrow.group)
  }

  // What letting go would do now, in words.
  pull(ray: THREE.Ray): string {
    if (!this.stage || !ray.intersectPlane(this.plane, this.to)) return ''
    const way = this.to.clone().sub(this.from)
    this.arrow.begin()
    if (way.length() > 1e-6 * this.stage.radius) this.arrow.add(this.from, way.clone(), way.length(), 0.015 * this.stage.radius, 0xff9500)
    this.arrow.end()
    return this.carries ? `put it ${quantity(way.length(), 'm')} further` : `throw it at ${quantity(way.length() / PULL, 'm/s')}`
  }

  // Lets go; null where the pull was nothing.
  let(): Throw | null {
    const { stage, body } = this
    const way = this.to.clone().sub(this.from)
    this.drop()
    if (!stage || way.length() < 1e-3 * stage.radius) return null
    return this.carries ? { body, position: this.to.clone() } : { body, velocity: way.divideScalar(PULL) }
  }

  drop(): void {
    this.arrow.begin()
    this.arrow.end()
    this.stage?.scene.remove(this.arrow.group)
    this.stage = null
  }
}
