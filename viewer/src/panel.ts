// The settings at the right.
import GUI, { type Controller } from 'lil-gui'
import { Live, type LiveActions } from './live'
import type { Stage } from './stage'
import type { ViewState } from './state'
import { wordsFor } from './words'

export interface PanelActions extends LiveActions {
  repaint(): void
  plots(): void
  dark(dark: boolean): void
  fit(): void
  see(): void // walls, cut
  resize(): void // it was opened or closed
}

export class Panel {
  private readonly gui = new GUI({ title: 'settings', width: 230 })
  private readonly forces: Controller | null = null

  constructor(state: ViewState, stages: Stage[], choices: string[], actions: PanelActions) {
    const { gui } = this
    const map = stages.every((stage) => stage.source.about.channels)
    const named = Object.fromEntries(choices.map((name) => [wordsFor(name), name]))
    gui.add(state, 'colour', named).name('colour by').onChange(actions.repaint).listen()
    if (!map) {
      gui.add(state, 'labels', { none: 'none', names: 'names', 'speeds (m/s)': 'speeds' }).name('at bodies').onChange(actions.repaint).listen()
      const folder = gui.addFolder('contacts and arrows')
      this.forces = folder.add(state, 'forces').name('force chains').onChange(actions.repaint).listen()
      for (const key of ['impulses', 'normals', 'velocities'] as const) folder.add(state, key).onChange(actions.repaint).listen()
      const cut = gui.addFolder('walls and cut')
      if (stages.some((stage) => stage.hasWalls)) {
        cut.add(state, 'walls', { 'all': 'all', 'back only': 'back', 'none': 'none' }).onChange(actions.see).listen()
        cut.add(state, 'glass', 0, 1, 0.02).name('front walls').onChange(actions.see).listen()
      }
      cut.add(state, 'cut', ['off', 'x', 'y', 'z']).name('cut along').onChange(actions.see).listen()
      cut.add(state, 'cutAt', 0, 1, 0.005).name('cut at').onChange(actions.see).listen()
    }
    gui.add(state, 'plots').onChange(actions.plots).listen()
    gui.add(state, 'dark').onChange(actions.dark).listen()
    gui.add({ fit: actions.fit }, 'fit').name('see everything')
    if (stages.some((stage) => stage.source.about.kind === 'live' && stage.source.provider.live)) new Live(gui, actions, state)
    gui.onOpenClose((changed) => changed === gui && actions.resize())
    for (const control of gui.controllersRecursive())
      control.domElement.querySelectorAll('input, select, button').forEach((one) => one.setAttribute('aria-label', control._name))
  }

  get open(): boolean {
    return !this.gui._closed
  }

  show(on: boolean): void {
    this.gui.open(on)
  }

  // Where no contacts were recorded the switch says so.
  noContacts(): void {
    this.forces?.name('force chains: none recorded')
  }
}
