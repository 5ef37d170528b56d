// The card of the chosen body: its state in numbers, and the button that lets the camera follow it.
import { element, kindOf } from './overlay'
import { FLOATS } from './source'
import type { Stage } from './stage'
import type { View } from './view'
import { quantity, short } from './words'

// The chosen body at a frame; `vertex` is where a surface with numbers of its own was clicked.
function cardOf(stage: Stage, frame: Float32Array, vertex: number): string {
  const { about } = stage.source
  const body = about.bodies[stage.chosen]
  if (about.channels) {
    const channels = stage.source.surfaces[body.form]?.channels ?? []
    return about.channels.map((one, i) => `${one.name} ${vertex < 0 ? '' : quantity(channels[i][vertex], one.unit)}`).join('\n')
  }
  const at = stage.chosen * FLOATS
  const three = (k: number) => [0, 1, 2].map((i) => frame[at + k + i].toPrecision(5).padStart(12)).join('')
  const speed = Math.hypot(frame[at + 7], frame[at + 8], frame[at + 9])
  const surface = body.restitution === undefined ? '' : `\nrestitution ${short(body.restitution)}, friction ${short(body.friction ?? 0)}`
  return (
    `${body.name}   ${kindOf(body.kind)}${body.kind === 0 ? `, ${body.mass.toPrecision(5)} kg` : ''}\n` +
    `position (m)   ${three(0)}\nvelocity (m/s) ${three(7)}\n${about.stretch ? '' : `spin (rad/s)   ${three(10)}\n`}` +
    `speed ${speed.toPrecision(5)} m/s, energy of motion ${(0.5 * body.mass * speed * speed).toPrecision(5)} J${surface}`
  )
}

export class Card {
  private readonly element = element('card')
  private readonly text = element('', this.element)
  private readonly follow = element('follow', this.element, 'button') as HTMLButtonElement

  constructor(private readonly view: View) {
    this.follow.textContent = 'follow (G)'
    this.follow.addEventListener('click', () => view.flip('follow'))
    this.element.hidden = true
  }

  show(): void {
    const stage = this.view.chosen
    const frame = stage && this.view.frameOf(stage)
    this.element.hidden = !stage || !frame
    if (!stage || !frame) return
    this.text.textContent = cardOf(stage, frame, this.view.vertex)
    this.follow.hidden = stage.source.about.bodies[stage.chosen].kind === 1 || Boolean(stage.source.about.channels)
    this.follow.textContent = this.view.state.follow ? 'stop following' : 'follow (G)'
  }
}
