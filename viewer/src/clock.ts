// The one clock of all sources: it plays, steps, and slows down around impacts.
import type { View } from './view'

const SLOWER = 8 // times, around impacts

export class Clock {
  playing = false
  goAfter = false // plays as soon as a throw is there
  private last = 0

  constructor(private readonly view: View, private readonly ended: () => void) {}

  toggle(): void {
    const { view } = this
    if (!this.playing && !view.running && view.state.time >= view.duration) this.go(0)
    this.playing = !this.playing
    this.last = performance.now()
    view.wake()
  }

  play(): void {
    if (!this.playing) this.toggle()
  }

  go(time: number): void {
    this.view.state.time = Math.min(Math.max(time, 0), this.view.duration)
    this.view.wake()
  }

  step(by: number): void {
    this.playing = false
    const source = this.view.sources.reduce((a, b) => (b.duration > a.duration ? b : a))
    const frame = Math.min(Math.max(source.at(this.view.state.time) + by, 0), source.about.frames - 1)
    this.go(source.about.times[frame])
  }

  // `now` in ms, as the browser counts.
  tick(now: number): void {
    if (this.playing) this.advance(now)
    this.last = now
  }

  // Whether an impact happens within two frames of now.
  private get nearImpact(): boolean {
    return this.view.sources.some((source) => {
      const impacts = source.about.ledger.find((column) => column.name === 'impacts')?.values
      if (!impacts) return false
      const at = source.at(this.view.state.time)
      return impacts[Math.min(at + 2, impacts.length - 1)] > impacts[Math.max(at - 2, 0)]
    })
  }

  private advance(now: number): void {
    const { sources, state, duration, running } = this.view
    const rate = (sources[0].about.rate ?? 1) * (state.slow && this.nearImpact ? 1 / SLOWER : 1)
    const next = state.time + ((now - this.last) / 1000) * state.speed * rate
    if (next < duration || running) return this.go(next)
    this.ended()
    if (state.loop) return this.go(0)
    this.playing = false
    this.go(next)
  }
}
