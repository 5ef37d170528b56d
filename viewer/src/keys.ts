// What the keys do; the list that one reads is in help.ts.
import type { BarActions } from './bar'
import type { Help } from './help'
import { type Labels, NARROW } from './state'
import type { View } from './view'

export interface KeyActions extends BarActions {
  end(): void
  pace(by: number): void
  ruler(): void
  undo(): void
  fit(): void
  dark(): void
  release(): boolean // what the pointer is at; false where that is nothing
}

export class Keys {
  constructor(private readonly view: View, private readonly help: Help, private readonly actions: KeyActions) {}

  listen(): void {
    addEventListener('keydown', (event) => this.key(event))
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    const own = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'checkbox')
    if (event.key === 'Escape') return this.escape(target)
    if (this.help.open && event.key.toLowerCase() !== 'h') return
    if (own && !(target.id === 'scrub' && event.key === ' ')) return // lists, numbers and sliders have keys of their own
    if ((target instanceof HTMLButtonElement || target instanceof HTMLInputElement) && target.id !== 'scrub' && [' ', 'Enter'].includes(event.key)) return
    const action = this.actionOf(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey)
    if (!action) return
    event.preventDefault()
    action()
  }

  private escape(target: HTMLElement): void {
    const { state } = this.view
    if (this.help.open) return this.help.show(false)
    if (this.actions.release()) return
    if (target.closest('.lil-gui, .bar')) return target.blur()
    if (state.plots && innerWidth < NARROW) return this.actions.plots()
    if (state.chosen) this.view.chooseNone()
  }

  private actionOf(key: string, shift: boolean): (() => void) | undefined {
    const { view, actions } = this
    const { state } = view
    const next = <T>(list: readonly T[], now: T) => list[(list.indexOf(now) + 1) % list.length]
    const change = (set: () => void) => () => {
      set()
      view.repaint()
    }
    const flip = (name: 'impulses' | 'normals' | 'velocities' | 'forces') => change(() => (state[name] = !state[name]))
    const known: Record<string, () => void> = {
      ' ': actions.toggle,
      ArrowLeft: () => actions.step(shift ? -10 : -1),
      ArrowRight: () => actions.step(shift ? 10 : 1),
      r: actions.restart,
      Home: actions.restart,
      End: actions.end,
      '+': () => actions.pace(1),
      '=': () => actions.pace(1),
      '-': () => actions.pace(-1),
      o: actions.loop,
      s: actions.slow,
      g: () => view.flip('follow'),
      d: actions.ruler,
      u: actions.undo,
      c: change(() => (state.colour = next(view.choices, state.colour))),
      b: change(() => (state.labels = next(['none', 'names', 'speeds'] as const, state.labels as Labels))),
      w: change(() => (state.walls = next(['back', 'all', 'none'] as const, state.walls))),
      x: change(() => (state.cut = next(['off', 'x', 'y', 'z'] as const, state.cut))),
      a: flip('impulses'),
      n: flip('normals'),
      v: flip('velocities'),
      k: flip('forces'),
      p: actions.plots,
      t: actions.panel,
      i: actions.picture,
      m: actions.video,
      f: actions.fit,
      l: actions.dark,
      h: actions.help,
      '?': actions.help,
    }
    return known[key]
  }
}
