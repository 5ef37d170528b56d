// Throws of bodies in a run: from the press on a body to the change that the run is asked for, and its undoing. How a
// pull becomes a throw is in hand.ts.
import type * as THREE from 'three'
import type { Clock } from './clock'
import { Hand } from './hand'
import { notice, type Tip } from './overlay'
import type { Picking } from './picking'
import type { View } from './view'

export class Throwing {
  private readonly hand = new Hand()
  private held = 0 // the source of the body in the hand

  constructor(
    private readonly view: View,
    private readonly clock: Clock,
    private readonly picking: Picking,
    private readonly lens: THREE.Camera,
    private readonly tip: Tip,
  ) {}

  get busy(): boolean {
    return this.hand.busy
  }

  // A press on a moving body of a run takes it, with shift or where drags are meant to.
  grasp(event: PointerEvent): void {
    if (!(event.shiftKey || this.view.state.grab) || event.button !== 0) return
    const found = this.picking.under(event)
    const stage = found && this.view.stages[found.which]
    const frame = stage && this.view.frameOf(stage)
    if (!found || !stage || !frame || found.body < 0) return
    const { about, provider } = stage.source
    if (about.bodies[found.body].kind !== 0) return
    if (about.kind !== 'live' || !provider.live)
      return notice('Nothing runs here: bodies can be thrown in a scene that `carom view` runs.')
    event.stopImmediatePropagation()
    ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    this.clock.playing = false
    this.hand.take(stage, found.body, frame, this.lens, event.altKey)
    this.held = found.which
  }

  pull(event: PointerEvent): void {
    this.tip.show(this.hand.pull(this.picking.rayTo(event, this.held).ray), event.clientX, event.clientY)
    this.view.wake()
  }

  letGo(): void {
    const thrown = this.hand.let()
    this.tip.show('', 0, 0)
    this.view.wake()
    if (!thrown) return
    const change: Record<string, number> = { body: thrown.body, from: this.view.sources[this.held].at(this.view.state.time) }
    for (const key of ['velocity', 'position'] as const)
      thrown[key]?.toArray().forEach((value, i) => (change[`${key}_${'xyz'[i]}`] = value))
    this.change(this.held, change)
    if (thrown.velocity) this.clock.goAfter = true
  }

  drop(): void {
    this.hand.drop()
  }

  // Takes the last change of every run back.
  undo(): void {
    this.view.sources.forEach((source, i) => source.about.settings?.changes && this.change(i, { undo: 1 }))
  }

  private change(which: number, change: Record<string, number>): void {
    const source = this.view.sources[which]
    source.provider.control(which, change).catch((error: Error) => notice(error.message.replace(/^control: /, '')))
  }
}
