// The bar below: play, step, scrub, speed, clock, pictures.
import { button, icon } from './icons'

export interface BarActions {
  toggle(): void
  step(by: number): void
  restart(): void
  scrub(share: number): void
  speed(value: number): void
  loop(): void
  slow(): void
  picture(): void
  video(): void
  plots(): void
  panel(): void
  help(): void
}

export interface BarState {
  playing: boolean
  time: number
  duration: number
  speed: number
  unit: string
  words: string // about the frame
  loop: boolean
  slow: boolean
  plots: boolean
  recording: boolean
}

const SPEEDS = [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5]

export class Bar {
  readonly element = document.createElement('div')
  private readonly play: HTMLButtonElement
  private readonly loop: HTMLButtonElement
  private readonly slow: HTMLButtonElement
  private readonly plots: HTMLButtonElement
  private readonly video: HTMLButtonElement
  private readonly slider = document.createElement('input')
  private readonly speeds = document.createElement('select')
  private readonly clock = document.createElement('span')
  private shown = ''

  constructor(actions: BarActions) {
    this.element.className = 'bar'
    this.element.setAttribute('role', 'toolbar')
    this.element.setAttribute('aria-label', 'time')
    this.play = button('play', 'play (space)', actions.toggle)
    this.play.id = 'play'
    this.loop = button('loop', 'play in a loop (O)', actions.loop)
    this.loop.id = 'loop'
    this.slow = button('slow', 'slow motion around impacts (S)', actions.slow)
    this.slow.id = 'slow'
    this.plots = button('plots', 'plots (P)', actions.plots)
    this.plots.id = 'show-plots'
    this.video = button('video', 'record a video (M)', actions.video)
    this.video.id = 'video'
    const picture = button('picture', 'save a picture (I)', actions.picture)
    picture.id = 'picture'
    const panel = button('more', 'settings (T)', actions.panel)
    panel.id = 'settings'
    this.slider.type = 'range'
    this.slider.id = 'scrub'
    this.slider.max = '1000'
    this.slider.value = '0'
    this.slider.setAttribute('aria-label', 'time')
    this.slider.addEventListener('input', () => actions.scrub(Number(this.slider.value) / 1000))
    this.speeds.title = 'speed'
    this.speeds.id = 'speed'
    this.speeds.setAttribute('aria-label', 'speed')
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
      button('start', 'to the start (R)', actions.restart),
      this.play,
      button('back', 'one frame back (left)', () => actions.step(-1)),
      button('on', 'one frame on (right)', () => actions.step(1)),
      this.slider,
      this.clock,
      this.speeds,
      this.slow,
      this.loop,
      this.plots,
      picture,
      this.video,
      panel,
      button('help', 'help (H)', actions.help),
    )
  }

  // A source of one frame has no time.
  still(): void {
    this.element.classList.add('still')
  }

  // The next quicker or slower speed.
  next(speed: number, by: number): number {
    const nearest = SPEEDS.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a))
    return SPEEDS[Math.min(Math.max(SPEEDS.indexOf(nearest) + by, 0), SPEEDS.length - 1)]
  }

  show(state: BarState): void {
    const { playing, time, duration, unit, words } = state
    if (this.shown !== String(playing)) {
      this.shown = String(playing)
      const hint = playing ? 'pause (space)' : 'play (space)'
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'))
      this.play.title = hint
      this.play.setAttribute('aria-label', hint)
    }
    for (const key of ['loop', 'slow', 'plots'] as const) this[key].setAttribute('aria-pressed', String(state[key]))
    this.video.classList.toggle('recording', state.recording)
    this.video.setAttribute('aria-pressed', String(state.recording))
    if (document.activeElement !== this.slider || playing)
      this.slider.value = String(duration > 0 ? (1000 * time) / duration : 0)
    this.speeds.value = String(state.speed)
    const small = unit !== 's' || duration >= 0.5 ? 0 : duration >= 5e-4 ? 1 : 2
    const digits = (value: number) => (value * 1000 ** small).toFixed(3)
    const clock = unit === 'sweeps' && words ? '' : `${digits(time)} / ${digits(duration)} ${['', 'm', 'µ'][small]}${unit}`
    this.clock.textContent = [words, clock].filter(Boolean).join('  ')
    this.slider.setAttribute('aria-valuetext', this.clock.textContent)
  }
}
