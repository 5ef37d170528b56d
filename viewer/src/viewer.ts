// The viewer: sources side by side with one clock and one camera. Puts the parts of the page together, tells each what
// the others did, and draws.
import { Bar, type BarActions } from './bar'
import { Camera } from './camera'
import { Canvas } from './canvas'
import { Capture } from './capture'
import { Card } from './card'
import { Clock } from './clock'
import { placeCut, showFrames } from './frames'
import { Help } from './help'
import { button } from './icons'
import { Keys } from './keys'
import { Layout } from './layout'
import { hintOf, Legend, scalesOf } from './legend'
import { Listener } from './listener'
import { element, notice, Tags, Tip, Title } from './overlay'
import { Panel } from './panel'
import { Picking } from './picking'
import { Pointer } from './pointer'
import { Ruler } from './ruler'
import { Side } from './side'
import type { Source } from './source'
import { readState, writeState } from './state'
import { Throwing } from './throwing'
import { View } from './view'

const WIDE = 1300 // px from which on the panel stands beside the pictures
const SAVED = 500 // ms between addresses while it plays

export class Viewer {
  private readonly holder = element('stages')
  private readonly canvas: Canvas
  private readonly view: View
  private readonly layout: Layout
  private readonly camera: Camera
  private readonly clock: Clock
  private readonly capture: Capture
  private readonly titles: Title[] = []
  private readonly tags: Tags
  private readonly legend: Legend
  private readonly side: Side
  private readonly card: Card
  private readonly help: Help
  private readonly throwing: Throwing
  private readonly ruler: Ruler
  private readonly pointer: Pointer
  private readonly bar: Bar
  private readonly keys: Keys
  private readonly begin: HTMLButtonElement
  private panel: Panel | null = null
  private saved = 0

  // What lies above what goes by the order in which the parts are made.
  constructor(sources: Source[]) {
    this.canvas = new Canvas(this.holder, sources)
    const { element: canvas, slow } = this.canvas
    const view = (this.view = new View(sources, slow))
    this.layout = new Layout(this.holder, view)
    const camera = (this.camera = new Camera(view, this.layout, canvas))
    const clock = (this.clock = new Clock(view, () => void this.capture.end()))
    this.capture = new Capture(view, canvas, { draw: () => this.draw(), play: () => clock.play() })
    this.tags = new Tags(this.holder)
    this.legend = new Legend(this.holder)
    this.side = new Side(view, this.holder, { go: (time) => clock.go(time), resize: () => this.resize() })
    this.card = new Card(view)
    const tip = new Tip()
    this.help = new Help()
    const picking = new Picking(view, this.layout, canvas, camera.lens)
    this.throwing = new Throwing(view, clock, picking, camera.lens, tip)
    this.ruler = new Ruler(this.holder)
    this.pointer = new Pointer(view, camera, picking, this.throwing, this.ruler, tip)
    const actions = this.barActions()
    this.bar = new Bar(actions)
    document.body.append(this.bar.element)
    this.keys = this.makeKeys(actions)
    this.begin = button('play', 'play', () => clock.toggle())
    this.begin.className = 'begin'
    this.begin.tabIndex = -1 // the bar has the same
    this.holder.append(this.begin)
  }

  // -- putting together -----------------------------------------------------------------------

  private barActions(): BarActions {
    const { view, clock, capture, side, help } = this
    return {
      toggle: () => clock.toggle(),
      step: (by) => clock.step(by),
      restart: () => clock.go(0),
      scrub: (share) => clock.go(share * view.duration),
      speed: (value) => (view.state.speed = value),
      loop: () => view.flip('loop'),
      slow: () => view.flip('slow'),
      picture: () => void capture.picture(),
      video: () => void capture.video(),
      plots: () => side.flip(),
      panel: () => this.flipPanel(),
      help: () => help.show(!help.open),
    }
  }

  private makeKeys(actions: BarActions): Keys {
    const { view, clock, camera, pointer, throwing } = this
    return new Keys(view, this.help, {
      ...actions,
      end: () => clock.go(view.duration),
      pace: (by) => this.pace(by),
      ruler: () => pointer.flipRuler(),
      undo: () => throwing.undo(),
      fit: () => camera.fit(),
      dark: () => this.setDark(!view.state.dark),
      release: () => pointer.release(),
    })
  }

  private makePanel(): Panel {
    const { view } = this
    const panel = new Panel(view.state, view.stages, view.choices, {
      repaint: () => view.repaint(),
      plots: () => this.side.show(),
      dark: (dark) => this.setDark(dark),
      fit: () => this.camera.fit(),
      see: () => view.repaint(),
      resize: () => this.resize(),
      sources: () => view.sources,
      frame: (source) => view.sources[source].at(view.state.time),
      trouble: notice,
      undo: () => this.throwing.undo(),
    })
    if (view.noContacts) panel.noContacts()
    if (innerWidth < WIDE) panel.show(false)
    return panel
  }

  async start(): Promise<void> {
    const { view } = this
    const { sources, state } = view
    document.title = `${sources.map((one) => one.words).join(' | ')} – Carom`
    for (const [i, source] of sources.entries()) {
      this.titles.push(new Title(this.holder))
      view.stages.push(await view.stageOf(source))
      this.titles[i].name(source)
    }
    document.body.dataset.sources = String(sources.length)
    this.holder.classList.toggle('several', sources.length > 1)
    this.side.tellFacts()
    view.chooseUsual()
    this.camera.touched = state.camera.length === 6
    this.panel = this.makePanel()
    view.restoreChoice()
    this.setDark(state.dark)
    this.resize()
    this.camera.look(this.camera.touched)
    addEventListener('resize', () => this.resize())
    this.keys.listen()
    addEventListener('hashchange', (event) => this.restore(new URL(event.newURL).hash))
    this.pointer.listen(this.canvas.element)
    if (view.still) this.bar.still()
    requestAnimationFrame((now) => this.tick(now))
    if (sources[0].provider.live) void this.listen()
  }

  private listen(): Promise<void> {
    const { view, side } = this
    const listener = new Listener(view, this.camera, this.clock, {
      grown: () => side.plots.refresh(),
      replaced: (number) => {
        this.titles[number].name(view.sources[number])
        side.tellFacts()
        side.show()
      },
    })
    return listener.listen()
  }

  // -- what concerns several parts ------------------------------------------------------------

  private resize(): void {
    this.holder.classList.toggle('wide', innerWidth >= WIDE && Boolean(this.panel?.open))
    this.canvas.resize()
    this.camera.resize()
    this.titles.forEach((title, i) => {
      const { left, top, width, height } = this.layout.part(i)
      const bottom = this.holder.clientHeight - top - height + 10
      Object.assign(title.element.style, { maxWidth: `${width - 16}px`, left: `${left + 10}px`, bottom: `${bottom}px` })
    })
    this.side.show()
    this.view.wake()
  }

  private setDark(dark: boolean): void {
    this.view.state.dark = dark
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
    for (const stage of this.view.stages) stage.setDark(dark)
    this.view.forget()
    this.side.show()
    this.view.wake()
  }

  private flipPanel(): void {
    this.panel?.show(!this.panel.open)
    this.resize()
  }

  private pace(by: number): void {
    const { state } = this.view
    state.speed = this.bar.next(state.speed, by)
    this.view.wake()
  }

  // The address was changed by hand or by going back. It may have been written over since, by the frame before.
  private restore(hash: string): void {
    const { view } = this
    Object.assign(view.state, readState(hash))
    view.chooseUsual()
    view.restoreChoice()
    this.camera.restore()
    this.setDark(view.state.dark)
  }

  // -- drawing --------------------------------------------------------------------------------

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next))
    const { view, clock, camera } = this
    clock.tick(now)
    if (!view.dirty) return
    view.dirty = false
    camera.pursue()
    placeCut(view, camera.lens)
    showFrames(view)
    const frames = view.stages.map((stage) => view.frameOf(stage))
    const marked = view.stages.findIndex((stage) => this.ruler.shows(stage))
    if (marked >= 0) this.ruler.show(frames[marked], camera.lens, this.layout.part(marked))
    this.draw()
    this.tell(frames)
    this.tellTests()
    if (now - this.saved > SAVED || !clock.playing) {
      this.saved = now
      history.replaceState(null, '', location.pathname + location.search + writeState(view.state, view.usual))
    }
  }

  private draw(): void {
    this.canvas.draw(this.view, this.layout, this.camera.lens)
  }

  // What is written around the pictures and over them.
  private tell(frames: (Float32Array | null)[]): void {
    const { view, clock, layout } = this
    const { sources, stages, state } = view
    const labels = sources.map((source) => source.about.labels?.[source.at(state.time)] ?? '') // where an impact stands
    this.bar.show({
      ...state,
      playing: clock.playing,
      time: Math.min(state.time, view.duration),
      duration: view.duration,
      unit: sources[0].about.unit ?? 's',
      words: (sources.length > 1 ? '' : labels[0]) || (view.running ? 'running' : ''),
      recording: this.capture.recording,
    })
    this.begin.hidden = clock.playing || state.time > 0 || view.still
    this.side.plots.move(state.time)
    this.titles.forEach((title, i) => title.tell(labels[i]))
    this.tags.show(stages, frames, this.camera.lens, state.labels || 'none', (i) => layout.part(i))
    this.card.show()
    this.legend.show(scalesOf(view), hintOf(view, this.ruler.on))
  }

  // What a test in a browser waits for.
  private tellTests(): void {
    const { sources, stages, state, shown, running } = this.view
    const { dataset } = document.body
    dataset.frame = String(shown[0] ?? '')
    dataset.playing = this.clock.playing ? '1' : '0'
    dataset.running = running ? '1' : '0'
    dataset.colour = stages[0].paint.by
    dataset.arrows = String(stages.reduce((sum, stage) => sum + stage.arrowCount, 0))
    dataset.walls = state.walls
    dataset.cut = state.cut
    dataset.law = sources.map((source) => source.about.law ?? '').join(' ')
  }
}
