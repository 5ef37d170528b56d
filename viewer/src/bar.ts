// The bar below: play, step, scrub, speed, clock.
export interface BarActions {
  toggle(): void
  step(by: number): void
  restart(): void
  scrub(share: number): void
  speed(value: number): void
  help(): void
}

export interface BarState {
  playing: boolean
  time: number
  duration: number
  speed: number
  unit: string
  words: string // about the moment
}

const SPEEDS = [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5]

function button(words: string, hint: string, action: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.textContent = words
  made.title = hint
  made.setAttribute('aria-label', hint)
  made.addEventListener('click', () => {
    action()
    made.blur() // the space bar stays with the film
  })
  return made
}

export class Bar {
  readonly element = document.createElement('div')
  private readonly play: HTMLButtonElement
  private readonly slider = document.createElement('input')
  private readonly speeds = document.createElement('select')
  private readonly clock = document.createElement('span')

  constructor(actions: BarActions) {
    this.element.className = 'bar'
    this.play = button('▶', 'play or pause (space)', actions.toggle)
    this.play.id = 'play'
    this.slider.type = 'range'
    this.slider.id = 'scrub'
    this.slider.max = '1000'
    this.slider.value = '0'
    this.slider.setAttribute('aria-label', 'time')
    this.slider.addEventListener('input', () => actions.scrub(Number(this.slider.value) / 1000))
    this.speeds.title = 'speed'
    this.speeds.id = 'speed'
    for (const value of SPEEDS) {
      const option = document.createElement('option')
      option.value = String(value)
      option.textContent = `${value}×`
      this.speeds.append(option)
    }
    this.speeds.addEventListener('change', () => {
      actions.speed(Number(this.speeds.value))
      this.speeds.blur()
    })
    this.clock.className = 'clock'
    this.clock.id = 'clock'
    this.element.append(
      button('|◀', 'to the start (R)', actions.restart),
      this.play,
      button('‹', 'one moment back (left)', () => actions.step(-1)),
      button('›', 'one moment on (right)', () => actions.step(1)),
      this.slider,
      this.speeds,
      this.clock,
      button('?', 'help (H)', actions.help),
    )
  }

  // The next quicker or slower speed.
  next(speed: number, by: number): number {
    const nearest = SPEEDS.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a))
    return SPEEDS[Math.min(Math.max(SPEEDS.indexOf(nearest) + by, 0), SPEEDS.length - 1)]
  }

  show({ playing, time, duration, speed, unit, words }: BarState): void {
    this.play.textContent = playing ? '⏸' : '▶'
    if (document.activeElement !== this.slider || playing)
      this.slider.value = String(duration > 0 ? (1000 * time) / duration : 0)
    this.speeds.value = String(speed)
    const digits = duration >= 0.01 ? (value: number) => value.toFixed(3) : (value: number) => value.toExponential(3)
    const clock = unit === 'sweeps' && words ? '' : `${digits(time)} / ${digits(duration)} ${unit}`
    this.clock.textContent = [words, clock].filter(Boolean).join('  ')
  }
}
