// What is under the pointer: the part of the page, the ray into it, and the body it meets.
import * as THREE from 'three'
import type { Layout } from './layout'
import type { Picked } from './stage'
import type { View } from './view'

export interface Found extends Picked {
  which: number // source
}

export class Picking {
  constructor(
    private readonly view: View,
    private readonly layout: Layout,
    private readonly canvas: HTMLCanvasElement,
    private readonly lens: THREE.Camera,
  ) {}

  private place(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }

  rayTo(event: MouseEvent, which: number): THREE.Raycaster {
    const [x, y] = this.place(event)
    const { left, top, width, height } = this.layout.part(which)
    const ray = new THREE.Raycaster()
    ray.setFromCamera(new THREE.Vector2((2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height), this.lens)
    return ray
  }

  // The source and the body under a pointer.
  under(event: MouseEvent): Found | null {
    const which = this.layout.at(...this.place(event))
    if (which < 0) return null
    return { which, ...this.view.stages[which].pick(this.rayTo(event, which)) }
  }
}
