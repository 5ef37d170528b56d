// The part of the panel that changes a run while it goes on.
import type GUI from 'lil-gui'
import type { Settings } from './description'
import type { Source } from './source'

export interface LiveActions {
  undo(): void
  sources(): Source[]
  frame(source: number): number // on the screen
  trouble(words: string): void
}

export class Live {
  private readonly settings: Settings
  private readonly laws: Record<string, string> = {}

  constructor(gui: GUI, private readonly actions: LiveActions, state: { grab: boolean }) {
    const running = actions.sources().filter((source) => source.about.kind === 'live')
    this.settings = structuredClone(running[0].about.settings!)
    const folder = gui.addFolder('run')
    for (const source of running) {
      const key = `law ${source.number + 1}`
      this.laws[key] = source.about.settings!.law
      folder
        .add(this.laws, key, source.about.laws!)
        .name(running.length > 1 ? key : 'law')
        .onChange((law: string) => this.send(source.number, { law }))
    }
    folder.add(this.settings, 'restitution', 0, 1, 0.01).onFinishChange((restitution: number) => this.sendAll({ restitution }))
    folder.add(this.settings, 'friction', 0, 2, 0.01).onFinishChange((friction: number) => this.sendAll({ friction }))
    folder.add(state, 'grab').name('drag throws bodies').listen()
    folder.add({ undo: () => actions.undo() }, 'undo').name('take the last change back (U)')
    const gravity = folder.addFolder('gravity (m/s²)')
    for (const [i, name] of ['x', 'y', 'z'].entries())
      gravity.add(this.settings.gravity, String(i) as '0', -20, 20, 0.01).name(name).onFinishChange(() => {
        const [gravity_x, gravity_y, gravity_z] = this.settings.gravity
        this.sendAll({ gravity_x, gravity_y, gravity_z })
      })
  }

  private sendAll(change: Record<string, string | number>): void {
    for (const source of this.actions.sources()) if (source.about.kind === 'live') this.send(source.number, change)
  }

  private send(number: number, change: Record<string, string | number>): void {
    const source = this.actions.sources()[number]
    source.provider
      .control(number, { ...change, from: this.actions.frame(number) })
      .catch((error: Error) => this.actions.trouble(error.message))
  }
}
