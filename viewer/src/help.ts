// The list of keys, as a dialog that keeps the keyboard until it is closed.
import { element } from './overlay'

const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'one frame back or on (with shift: ten)'],
  ['R, Home', 'to the start'],
  ['End', 'to the end'],
  ['+ −', 'faster, slower'],
  ['O, S', 'loop; slow motion around impacts'],
  ['C', 'colour by the next quantity'],
  ['B', 'names or speeds at the bodies'],
  ['A, N, V', 'impulses, contact normals, velocities as arrows'],
  ['K', 'force chains: contacts as bars'],
  ['W', 'walls: back only, all, none'],
  ['X', 'cut along x, y, z, or not'],
  ['G', 'follow the chosen body'],
  ['D', 'ruler between two points that are clicked'],
  ['shift and drag', 'in a scene that runs: throw a body; with alt: put it elsewhere'],
  ['U', 'take the last change of a run back'],
  ['P, T', 'plots; settings'],
  ['I, M', 'save a picture; record a video'],
  ['F', 'see everything'],
  ['L', 'light or dark'],
  ['click', 'choose a body and read its state'],
  ['drag, wheel', 'turn and zoom; with the right button or two fingers: move'],
  ['H', 'this help; Escape closes it'],
]

export class Help {
  private readonly cover = element('help')
  private readonly close: HTMLButtonElement
  private before: Element | null = null

  constructor() {
    this.cover.hidden = true
    const box = element('', this.cover)
    box.setAttribute('role', 'dialog')
    box.setAttribute('aria-modal', 'true')
    box.setAttribute('aria-label', 'keys')
    element('', box, 'h2').textContent = 'Keys'
    for (const [key, words] of KEYS) {
      const line = element('', box)
      element('', line, 'kbd').textContent = key
      line.append(words)
    }
    this.close = element('', box, 'button') as HTMLButtonElement
    this.close.textContent = 'Close'
    this.close.addEventListener('click', () => this.show(false))
    this.close.addEventListener('keydown', (event) => event.key === 'Tab' && event.preventDefault())
    this.cover.addEventListener('click', (event) => event.target === this.cover && this.show(false))
  }

  get open(): boolean {
    return !this.cover.hidden
  }

  show(on: boolean): void {
    if (on === this.open) return
    this.cover.hidden = !on
    if (on) {
      this.before = document.activeElement
      this.close.focus()
    } else if (this.before instanceof HTMLElement) this.before.focus()
  }
}
