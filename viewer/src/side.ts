// What stands beside the pictures: facts of each source as a whole, and the plots.
import { element } from './overlay'
import { Plots } from './plots'
import { NARROW } from './state'
import type { View } from './view'

export interface SideActions {
  go(time: number): void
  resize(): void // the pictures have more room, or less
}

export class Side {
  readonly plots: Plots
  private readonly element = element('side')
  private readonly facts = element('facts', this.element)

  constructor(private readonly view: View, private readonly holder: HTMLElement, private readonly actions: SideActions) {
    this.plots = new Plots(() => view.sources, actions.go)
    this.element.append(this.plots.element)
    this.element.setAttribute('role', 'complementary')
    this.element.setAttribute('aria-label', 'facts and plots')
  }

  tellFacts(): void {
    this.facts.replaceChildren()
    for (const source of this.view.sources) {
      if (!source.about.facts) continue
      const table = document.createElement('table')
      table.createCaption().textContent = source.words
      for (const words of source.about.facts) {
        const row = table.insertRow()
        for (const word of words) row.insertCell().textContent = word
      }
      this.facts.append(table)
    }
  }

  show(): void {
    const { state } = this.view
    this.element.hidden = !state.plots
    this.element.classList.remove('empty') // plots are as wide as they find it
    if (state.plots) this.plots.draw(state.dark)
    const empty = this.plots.element.childElementCount + this.facts.childElementCount === 0
    this.element.classList.toggle('empty', empty)
    const docked = state.plots && !empty && innerWidth >= NARROW
    if (this.holder.classList.contains('beside') !== docked) {
      this.holder.classList.toggle('beside', docked)
      this.actions.resize()
    }
    this.plots.move(state.time)
    this.view.wake()
  }

  flip(): void {
    this.view.state.plots = !this.view.state.plots
    this.show()
  }
}
