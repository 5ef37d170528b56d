// Where each source is drawn: side by side, in equal parts of the holder of the pictures.
import type { View } from './view'

export class Layout {
  constructor(readonly holder: HTMLElement, private readonly view: View) {}

  // Columns and rows.
  get grid(): [number, number] {
    const count = this.view.stages.length
    const narrow = this.holder.clientWidth < this.holder.clientHeight
    const wide = narrow && count <= 3 ? 1 : count <= 3 ? count : Math.ceil(Math.sqrt(count))
    return [wide, Math.ceil(count / wide)]
  }

  // Of one source, in the holder.
  part(i: number): DOMRect {
    const { clientWidth, clientHeight } = this.holder
    const [columns, rows] = this.grid
    const [wide, high] = [clientWidth / columns, clientHeight / rows]
    return new DOMRect((i % columns) * wide, Math.floor(i / columns) * high, wide, high)
  }

  // The source at a place in the holder, or -1.
  at(x: number, y: number): number {
    return this.view.stages.findIndex((_, i) => {
      const part = this.part(i)
      return x >= part.left && x < part.right && y >= part.top && y < part.bottom
    })
  }
}
