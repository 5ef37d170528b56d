// The scales beside the picture, of the colours and of the forces, and a hint where something is to be done or missing.
import { gradient } from './colours'
import { element } from './overlay'
import type { Scale } from './description'
import type { View } from './view'
import { quantity, wordsFor } from './words'

const NO_CONTACTS =
  'No contacts were recorded. Write "output": { "contacts": true } into the scene and run it again, or watch the scene itself with `carom view`.'

export function scalesOf({ stages }: View): Scale[] {
  const colour = stages.find((stage) => stage.paint.scale)?.paint.scale
  const stage = stages.find((one) => one.bars.count > 0)
  const unit = stage?.source.about.force ?? stage?.bars.unit ?? 'N s'
  const force: Scale | null = stage
    ? { name: unit === 'N s' ? 'impulse of a contact' : 'force of a contact', unit, min: 0, max: stage.bars.strongest }
    : null
  return [colour, force].filter((one): one is Scale => Boolean(one))
}

export function hintOf(view: View, ruler: boolean): string {
  if (ruler) return 'Ruler: click two points; D or Escape ends.'
  const { forces, impulses, normals } = view.state
  if (!forces && !impulses && !normals) return ''
  return view.noContacts ? NO_CONTACTS : ''
}

export function wordsOfScale(scale: Scale): string {
  const shown = (value: number) => quantity(Math.abs(value) < 1e-200 ? 0 : value, scale.unit) // nothing seen yet
  return `${shown(scale.min ?? 0)} – ${shown(scale.max ?? 1)}   ${wordsFor(scale.name)}`
}

export class Legend {
  readonly element: HTMLElement
  private words = ''

  constructor(parent: HTMLElement) {
    this.element = element('legend', parent)
    this.element.hidden = true
  }

  show(scales: Scale[], hint: string): void {
    const words = [...scales.map(wordsOfScale), hint].join('\n')
    if (words === this.words) return
    this.words = words
    this.element.hidden = scales.length === 0 && hint === ''
    this.element.replaceChildren()
    for (const scale of scales) {
      element('ramp', this.element).style.background = gradient()
      element('', this.element).textContent = wordsOfScale(scale)
    }
    if (hint) element('hint', this.element).textContent = hint
  }
}
