// The one camera of all sources: it sees everything, stays where a hand or the address put it, or goes along with a
// body.
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { fitCamera } from './extent'
import type { Layout } from './layout'
import { FLOATS } from './source'
import type { View } from './view'

export class Camera {
  readonly lens = new THREE.PerspectiveCamera(35, 1, 0.01, 1000)
  touched = false // placed by hand or by the address: it stays
  private readonly controls: OrbitControls

  constructor(private readonly view: View, private readonly layout: Layout, canvas: HTMLCanvasElement) {
    this.lens.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.lens, canvas)
    this.controls.addEventListener('change', () => {
      view.state.camera = [...this.lens.position.toArray(), ...this.controls.target.toArray()]
      view.wake()
    })
  }

  // As the address says, or so that everything is seen.
  look(restore: boolean): void {
    const { stages, state, radius } = this.view
    for (const stage of stages) stage.fitFloors(radius)
    if (restore) {
      this.lens.position.fromArray(state.camera, 0)
      this.controls.target.fromArray(state.camera, 3)
    } else this.controls.target.copy(fitCamera(this.lens, this.toward, stages.map((stage) => stage.extent)))
    this.lens.near = Math.min(radius / 100, this.lens.position.distanceTo(this.controls.target) / 50)
    this.lens.far = radius * 100 + 2 * this.lens.position.distanceTo(this.controls.target)
    this.lens.updateProjectionMatrix()
    this.controls.update()
    this.view.wake()
  }

  // Which way it looks where nobody says.
  private get toward(): THREE.Vector3 {
    if (this.view.sources.every((source) => source.about.flat)) return new THREE.Vector3(-0.02, 1, -0.1)
    const size = this.view.stages[0].extent.box.getSize(new THREE.Vector3())
    const low = size.z < 0.25 * Math.min(size.x, size.y) // spread out on a table: from above
    return low ? new THREE.Vector3(-0.2, 0.62, -0.75) : new THREE.Vector3(-0.35, 0.85, -0.4)
  }

  restore(): void {
    this.touched = this.view.state.camera.length === 6
    this.look(this.touched)
  }

  fit(): void {
    this.touched = false
    this.view.state.follow = false
    this.look(false)
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.layout.holder
    const [wide, high] = this.layout.grid
    const before = this.lens.aspect
    this.lens.aspect = clientWidth / wide / (clientHeight / high)
    this.lens.updateProjectionMatrix()
    const { stages, state } = this.view
    if (stages.length && (state.camera.length === 0 || before !== this.lens.aspect)) this.look(this.touched)
  }

  // Goes along with the chosen body.
  pursue(): void {
    const stage = this.view.chosen
    const frame = stage && this.view.frameOf(stage)
    if (!this.view.state.follow || !stage || !frame || Number.isNaN(frame[stage.chosen * FLOATS])) return
    const way = new THREE.Vector3().fromArray(frame, stage.chosen * FLOATS).sub(this.controls.target)
    if (way.lengthSq() === 0) return
    this.touched = true
    this.lens.position.add(way)
    this.controls.target.add(way)
    this.controls.update()
  }
}
