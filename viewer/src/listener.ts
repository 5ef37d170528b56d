// Hears of runs and files that go on: frames that came, runs that ended, sources that are other ones now.
import type { Camera } from './camera'
import type { Clock } from './clock'
import { measure, outgrown } from './measure'
import { notice } from './overlay'
import { Source } from './source'
import type { View } from './view'

export interface ListenerActions {
  grown(): void // sources have more frames
  replaced(number: number): void // a source is another one
}

export class Listener {
  constructor(
    private readonly view: View,
    private readonly camera: Camera,
    private readonly clock: Clock,
    private readonly actions: ListenerActions,
  ) {}

  async listen(): Promise<void> {
    let lost = false
    for (;;) {
      await new Promise((done) => setTimeout(done, this.view.running ? 200 : 700))
      try {
        await Promise.all(this.view.sources.map((source) => this.hear(source)))
        if (lost) notice('')
        lost = false
      } catch {
        if (!lost) notice('The viewer has ended: start `carom view` again and reload this page.')
        lost = true
      }
    }
  }

  private async hear(source: Source): Promise<void> {
    const news = await source.provider.news(source.number, source.about.times.length)
    if (news.generation !== source.generation) return this.reload(source.number)
    const before = source.about.running
    if (source.grow(news)) this.actions.grown()
    if (source.about.kind === 'live') await this.measureAgain(source)
    if (news.unreadable) notice(`The file cannot be shown as it is now: ${news.unreadable}`)
    else if (news.trouble) notice(`The run stopped: ${news.trouble}`)
    else if (/^The file cannot/.test(document.querySelector('.notice')?.textContent ?? '')) notice('')
    if (before !== source.about.running || news.times?.length) this.view.wake()
  }

  private async measureAgain(source: Source): Promise<void> {
    const stage = this.view.stages[source.number]
    if (!outgrown(stage)) return
    const before = this.view.radius
    await measure(stage)
    this.view.forget()
    if (!this.camera.touched && this.view.radius > 1.05 * before) this.camera.look(false)
  }

  // Everything anew, but the view.
  private async reload(number: number): Promise<void> {
    const { view, clock } = this
    const source = await Source.open(view.sources[0].provider, number)
    const old = view.stages[number]
    const stage = await view.stageOf(source)
    if (old.chosen < source.about.bodies.length) stage.chosen = old.chosen
    view.sources[number] = source
    view.stages[number] = stage
    old.dispose()
    stage.setDark(view.state.dark)
    notice('')
    view.state.time = Math.min(view.state.time, source.about.running ? Infinity : view.duration)
    this.actions.replaced(number)
    view.repaint()
    document.body.dataset.generation = String(source.generation)
    if (clock.goAfter) clock.playing = true
    clock.goAfter = false
  }
}
