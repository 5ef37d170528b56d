// What the pointer does on the canvas: it tells names, chooses bodies, sets the ends of the ruler, and throws. Turning
// and zooming is the camera's.
import type { Camera } from './camera'
import { kindOf, type Tip } from './overlay'
import type { Found, Picking } from './picking'
import type { Ruler } from './ruler'
import type { Throwing } from './throwing'
import type { View } from './view'

const PAUSE = 60 // ms between looks at what is under the pointer
const STILL = 5 // px that a click may move

export class Pointer {
  constructor(
    private readonly view: View,
    private readonly camera: Camera,
    private readonly picking: Picking,
    private readonly throwing: Throwing,
    private readonly ruler: Ruler,
    private readonly tip: Tip,
  ) {}

  // A click is a press without a move; a drag turns the camera.
  listen(canvas: HTMLCanvasElement): void {
    const { camera, throwing } = this
    let down = [0, 0]
    let hovered = 0
    // before the camera hears of it
    canvas.addEventListener('pointerdown', (event) => throwing.grasp(event), { capture: true })
    canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]))
    canvas.addEventListener('pointermove', (event) => throwing.busy && throwing.pull(event))
    canvas.addEventListener('pointerup', () => (throwing.busy ? throwing.letGo() : (camera.touched = true)))
    canvas.addEventListener('pointercancel', () => throwing.drop())
    canvas.addEventListener('wheel', () => (camera.touched = true), { passive: true })
    canvas.addEventListener('pointerleave', () => this.tip.show('', 0, 0))
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons || event.pointerType === 'touch' || event.timeStamp - hovered < PAUSE) return
      hovered = event.timeStamp
      this.hover(event)
    })
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < STILL) this.choose(event)
    })
  }

  private hover(event: MouseEvent): void {
    const found = this.picking.under(event)
    const about = found && this.view.sources[found.which].about
    const body = found && found.body >= 0 ? about!.bodies[found.body] : null
    this.tip.show(body && !about!.channels ? `${body.name}${body.kind === 0 ? '' : ` (${kindOf(body.kind)})`}` : '', event.clientX, event.clientY)
  }

  private choose(event: MouseEvent): void {
    const found = this.picking.under(event)
    if (!found) return
    if (this.ruler.on) return this.measureFrom(found)
    this.view.choose(found.which, found.body, found.vertex)
  }

  private measureFrom({ which, body, point }: Found): void {
    const stage = this.view.stages[which]
    const frame = this.view.frameOf(stage)
    if (point && frame) this.ruler.add(stage, body, point, frame)
    this.view.wake()
  }

  flipRuler(): void {
    this.ruler.on = !this.ruler.on
    if (!this.ruler.on) this.ruler.clear()
    this.view.wake()
  }

  // Ends what it is at; false where that is nothing.
  release(): boolean {
    if (this.throwing.busy) this.throwing.drop()
    else if (this.ruler.on) this.flipRuler()
    else return false
    return true
  }
}
