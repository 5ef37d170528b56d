// The viewer: sources side by side with one clock and one camera.
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { Bar } from './bar'
import { picture, Recorder, save } from './capture'
import { colourList } from './colours'
import { fitCamera } from './extent'
import { FLOATS, type Scale, Source } from './source'
import { Hand } from './hand'
import { Help } from './help'
import { button } from './icons'
import { cardOf, element, kindOf, Legend, MOST_LABELS, notice, Tags, Tip, Title, wordsOfScale } from './overlay'
import { Panel } from './panel'
import { Plots } from './plots'
import { Ruler } from './ruler'
import { type Picked, Stage } from './stage'
import { type Labels, NARROW, openingHash, readState, type ViewState, writeState } from './state'

const WIDE = 1300 // px from which on the panel stands beside the pictures
const SLOWER = 8 // times, around impacts
const NO_CONTACTS =
  'No contacts were recorded. Write "output": { "contacts": true } into the scene and run it again, or watch the scene itself with `carom view`.'

// Who draws; "" where nobody says.
function rendererName(): string {
  const gl = document.createElement('canvas').getContext('webgl2')
  const known = gl?.getExtension('WEBGL_debug_renderer_info')
  const name = gl && known ? String(gl.getParameter(known.UNMASKED_RENDERER_WEBGL)) : ''
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return name
}

export class Viewer {
  private readonly state: ViewState = readState(openingHash())
  private readonly holder = element('stages')
  private readonly renderer: THREE.WebGLRenderer
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000)
  private readonly controls: OrbitControls
  private stages: Stage[] = []
  private titles: Title[] = []
  private readonly tags = new Tags(this.holder)
  private readonly legend = new Legend(this.holder)
  private readonly side = element('side')
  private readonly facts = element('facts', this.side)
  private readonly plots: Plots
  private readonly bar: Bar
  private readonly card = element('card')
  private readonly cardText = element('', this.card)
  private readonly follow: HTMLButtonElement
  private readonly tip = new Tip()
  private readonly help = new Help()
  private readonly hand = new Hand()
  private readonly ruler: Ruler
  private readonly begin: HTMLButtonElement
  private panel: Panel | null = null
  private recorder: Recorder | null = null
  private playing = false
  private last = 0
  private dirty = true
  private shown: number[] = []
  private saved = 0
  private vertex = -1
  private held = 0 // the source of the body in the hand
  private goAfter = false // plays as soon as a throw is there
  private touched = false // the camera was placed by hand or by the address: it stays
  private readonly slow: boolean // no graphics processor
  private readonly measured: number[] = []

  constructor(private readonly sources: Source[]) {
    const bodies = sources.reduce((sum, source) => sum + source.about.bodies.length, 0)
    this.slow = /swiftshader|llvmpipe|software/i.test(rendererName())
    this.renderer = new THREE.WebGLRenderer({ antialias: bodies <= (this.slow ? 200 : 20000), preserveDrawingBuffer: true })
    this.renderer.localClippingEnabled = true
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = THREE.PCFShadowMap
    this.renderer.shadowMap.autoUpdate = false
    this.camera.up.set(0, 0, 1)
    const canvas = this.renderer.domElement
    canvas.tabIndex = 0
    canvas.setAttribute('role', 'img')
    canvas.setAttribute('aria-label', `${sources.map((source) => source.words).join(', ')}: moving bodies; H lists the keys`)
    this.holder.prepend(canvas)
    this.ruler = new Ruler(this.holder)
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.setScissorTest(true)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.addEventListener('change', () => {
      this.state.camera = [...this.camera.position.toArray(), ...this.controls.target.toArray()]
      this.dirty = true
    })
    this.plots = new Plots(
      () => this.sources,
      (time) => this.go(time),
    )
    this.bar = new Bar({
      toggle: () => this.toggle(),
      step: (by) => this.step(by),
      restart: () => this.go(0),
      scrub: (share) => this.go(share * this.duration),
      speed: (value) => (this.state.speed = value),
      loop: () => this.flip('loop'),
      slow: () => this.flip('slow'),
      picture: () => void this.takePicture(),
      video: () => void this.takeVideo(),
      plots: () => this.flipPlots(),
      panel: () => this.flipPanel(),
      help: () => this.help.show(!this.help.open),
    })
    document.body.append(this.bar.element)
    this.side.append(this.plots.element)
    this.side.setAttribute('role', 'complementary')
    this.side.setAttribute('aria-label', 'facts and plots')
    this.follow = element('follow', this.card, 'button') as HTMLButtonElement
    this.follow.textContent = 'follow (G)'
    this.follow.addEventListener('click', () => this.flip('follow'))
    this.card.hidden = true
    this.begin = button('play', 'play', () => this.toggle())
    this.begin.className = 'begin'
    this.begin.tabIndex = -1 // the bar has the same
    this.holder.append(this.begin)
  }

  private get duration(): number {
    return Math.max(...this.sources.map((source) => source.duration))
  }

  private get running(): boolean {
    return this.sources.some((source) => source.about.running)
  }

  // A single frame has nothing to play.
  private get still(): boolean {
    return this.sources.every((source) => source.about.frames < 2 && !source.about.running)
  }

  async start(): Promise<void> {
    document.title = `${this.sources.map((one) => one.words).join(' | ')} – Carom`
    for (const [i, source] of this.sources.entries()) {
      this.titles.push(new Title(this.holder))
      this.stages.push(await this.stageOf(source, i))
    }
    document.body.dataset.sources = String(this.sources.length)
    this.holder.classList.toggle('several', this.sources.length > 1)
    this.tellFacts()
    if (!this.state.colour) this.state.colour = this.usual.colour
    if (!this.state.labels) this.state.labels = this.usual.labels
    this.touched = this.state.camera.length === 6
    this.makePanel()
    this.restoreChoice()
    this.setDark(this.state.dark)
    this.resize()
    this.look(this.touched)
    addEventListener('resize', () => this.resize())
    addEventListener('keydown', (event) => this.key(event))
    addEventListener('hashchange', (event) => this.restore(new URL(event.newURL).hash))
    this.listenForPointers()
    if (this.still) this.bar.still()
    requestAnimationFrame((now) => this.tick(now))
    if (this.sources[0].provider.live) void this.listen()
  }

  // What the page chooses where the address says nothing.
  private get usual(): { colour: string; labels: Labels } {
    const impact = this.sources.every((source) => source.about.kind === 'impact' && source.about.bodies.length <= MOST_LABELS)
    return { colour: this.stages[0].paint.usual, labels: impact ? 'speeds' : 'none' }
  }

  private async stageOf(source: Source, i: number): Promise<Stage> {
    const stage = new Stage(source, this.slow)
    await this.measure(stage)
    this.titles[i].name(source)
    if (source.about.damage) notice(source.about.damage)
    return stage
  }

  // What is known of each source as a whole, above the plots.
  private tellFacts(): void {
    this.facts.replaceChildren()
    for (const source of this.sources) {
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

  // How far and how fast things go, from frames spread over the source; few where they are large.
  private async measure(stage: Stage): Promise<void> {
    const { source } = stage
    const count = source.about.frames
    const max = Math.max(3, Math.min(60, Math.floor(60000 / source.about.bodies.length)))
    const share = Math.min(max, count)
    const wanted = Array.from({ length: share }, (_, i) => Math.floor((i * (count - 1)) / Math.max(share - 1, 1)))
    await Promise.all(wanted.map((frame) => source.load(frame)))
    stage.measure(wanted.flatMap((frame) => source.frame(frame) ?? []))
    this.measured[source.number] = count
    if (stage.paint.usual === source.about.values?.name) {
      const some = wanted.filter((_, i) => i % Math.ceil(share / 12) === 0)
      for (const values of await Promise.all(some.map((frame) => source.provider.values(source.number, frame)))) stage.paint.foresee(values)
    }
  }

  // A run that has doubled its length may have gone further.
  private async measureAgain(source: Source): Promise<void> {
    const enough = !source.about.running || source.about.frames >= 2 * this.measured[source.number]
    if (!enough || source.about.frames === this.measured[source.number]) return
    const before = Math.max(...this.stages.map((one) => one.radius))
    await this.measure(this.stages[source.number])
    this.shown = []
    if (!this.touched && Math.max(...this.stages.map((one) => one.radius)) > 1.05 * before) this.look(false)
  }

  private makePanel(): void {
    this.panel = new Panel(this.state, this.stages, this.choices, {
      repaint: () => this.repaint(),
      plots: () => this.showPlots(),
      dark: (dark) => this.setDark(dark),
      fit: () => this.fit(),
      see: () => this.repaint(),
      resize: () => this.resize(),
      sources: () => this.sources,
      frame: (source) => this.sources[source].at(this.state.time),
      trouble: notice,
      undo: () => this.undo(),
    })
    if (this.sources.every((source) => source.about.contacts === false)) this.panel.noContacts()
    if (innerWidth < WIDE) this.panel.show(false)
  }

  private get choices(): string[] {
    return [...new Set(this.stages.flatMap((stage) => stage.paint.choices))]
  }

  // -- news of runs and files -----------------------------------------------------------------

  private async listen(): Promise<void> {
    let lost = false
    for (;;) {
      await new Promise((done) => setTimeout(done, this.running ? 200 : 700))
      try {
        await Promise.all(this.sources.map((source) => this.hear(source)))
        if (lost) notice('')
        lost = false
      } catch {
        if (!lost) notice('The viewer has ended: start `carom view` again and reload this page.')
        lost = true
      }
    }
  }

  private async hear(source: Source): Promise<void> {
    const news = await source.provider.news(source.number, source.about.times.length)
    if (news.generation !== source.generation) return this.reload(source.number)
    const before = source.about.running
    if (source.grow(news)) this.plots.refresh()
    if (source.about.kind === 'live') await this.measureAgain(source)
    if (news.unreadable) notice(`The file cannot be shown as it is now: ${news.unreadable}`)
    else if (news.trouble) notice(`The run stopped: ${news.trouble}`)
    else if (/^The file cannot/.test(document.querySelector('.notice')?.textContent ?? '')) notice('')
    if (before !== source.about.running || news.times?.length) this.dirty = true
  }

  // Everything anew, but the view.
  private async reload(number: number): Promise<void> {
    const source = await Source.open(this.sources[0].provider, number)
    const old = this.stages[number]
    const stage = await this.stageOf(source, number)
    if (old.chosen < source.about.bodies.length) stage.chosen = old.chosen
    this.sources[number] = source
    this.stages[number] = stage
    old.dispose()
    this.tellFacts()
    stage.setDark(this.state.dark)
    notice('')
    this.state.time = Math.min(this.state.time, source.about.running ? Infinity : this.duration)
    this.showPlots()
    this.repaint()
    document.body.dataset.generation = String(source.generation)
    if (this.goAfter) this.playing = true
    this.goAfter = false
  }

  // -- camera ---------------------------------------------------------------------------------

  private get grid(): [number, number] {
    const count = this.stages.length
    const narrow = this.holder.clientWidth < this.holder.clientHeight
    const wide = narrow && count <= 3 ? 1 : count <= 3 ? count : Math.ceil(Math.sqrt(count))
    return [wide, Math.ceil(count / wide)]
  }

  // Where a source is drawn, in the holder.
  private part(i: number): DOMRect {
    const { clientWidth, clientHeight } = this.holder
    const [columns, rows] = this.grid
    const [wide, high] = [clientWidth / columns, clientHeight / rows]
    return new DOMRect((i % columns) * wide, Math.floor(i / columns) * high, wide, high)
  }

  private look(restore: boolean): void {
    const radius = Math.max(...this.stages.map((one) => one.radius))
    for (const stage of this.stages) stage.fitFloors(radius)
    if (restore) {
      this.camera.position.fromArray(this.state.camera, 0)
      this.controls.target.fromArray(this.state.camera, 3)
    } else {
      const flat = this.sources.every((source) => source.about.flat)
      const size = this.stages[0].extent.box.getSize(new THREE.Vector3())
      const low = size.z < 0.25 * Math.min(size.x, size.y) // spread out on a table: from above
      const toward = flat ? new THREE.Vector3(-0.02, 1, -0.1) : low ? new THREE.Vector3(-0.2, 0.62, -0.75) : new THREE.Vector3(-0.35, 0.85, -0.4)
      this.controls.target.copy(fitCamera(this.camera, toward, this.stages.map((stage) => stage.extent)))
    }
    this.camera.near = Math.min(radius / 100, this.camera.position.distanceTo(this.controls.target) / 50)
    this.camera.far = radius * 100 + 2 * this.camera.position.distanceTo(this.controls.target)
    this.camera.updateProjectionMatrix()
    this.controls.update()
    this.dirty = true
  }

  private fit(): void {
    this.touched = false
    this.state.follow = false
    this.look(false)
  }

  private resize(): void {
    this.holder.classList.toggle('wide', innerWidth >= WIDE && Boolean(this.panel?.open))
    const { clientWidth, clientHeight } = this.holder
    const [wide, high] = this.grid
    this.renderer.setSize(clientWidth, clientHeight, false)
    const before = this.camera.aspect
    this.camera.aspect = clientWidth / wide / (clientHeight / high)
    this.camera.updateProjectionMatrix()
    if (this.stages.length && (this.state.camera.length === 0 || before !== this.camera.aspect)) this.look(this.touched)
    this.titles.forEach((title, i) => {
      const { left, top, width, height } = this.part(i)
      Object.assign(title.element.style, { maxWidth: `${width - 16}px`, left: `${left + 10}px`, bottom: `${clientHeight - top - height + 10}px` })
    })
    this.showPlots()
    this.dirty = true
  }

  private setDark(dark: boolean): void {
    this.state.dark = dark
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
    for (const stage of this.stages) stage.setDark(dark)
    this.shown = []
    this.showPlots()
    this.dirty = true
  }

  private showPlots(): void {
    this.side.hidden = !this.state.plots
    this.side.classList.remove('empty') // plots are as wide as they find it
    if (this.state.plots) this.plots.draw(this.state.dark)
    const empty = this.plots.element.childElementCount + this.facts.childElementCount === 0
    this.side.classList.toggle('empty', empty)
    const docked = this.state.plots && !empty && innerWidth >= NARROW
    if (this.holder.classList.contains('beside') !== docked) {
      this.holder.classList.toggle('beside', docked)
      this.resize()
    }
    this.plots.move(this.state.time)
    this.dirty = true
  }

  private flipPanel(): void {
    this.panel?.show(!this.panel.open)
    this.resize()
  }

  private flipPlots(): void {
    this.state.plots = !this.state.plots
    this.showPlots()
  }

  // The address was changed by hand or by going back. It may have been written over since, by the frame before.
  private restore(hash: string): void {
    Object.assign(this.state, readState(hash))
    if (!this.state.colour) this.state.colour = this.usual.colour
    if (!this.state.labels) this.state.labels = this.usual.labels
    this.restoreChoice()
    this.touched = this.state.camera.length === 6
    this.look(this.touched)
    this.setDark(this.state.dark)
  }

  // -- time -----------------------------------------------------------------------------------

  private toggle(): void {
    if (!this.playing && !this.running && this.state.time >= this.duration) this.go(0)
    this.playing = !this.playing
    this.last = performance.now()
    this.dirty = true
  }

  private go(time: number): void {
    this.state.time = Math.min(Math.max(time, 0), this.duration)
    this.dirty = true
  }

  private step(by: number): void {
    this.playing = false
    const source = this.sources.reduce((a, b) => (b.duration > a.duration ? b : a))
    const frame = Math.min(Math.max(source.at(this.state.time) + by, 0), source.about.frames - 1)
    this.go(source.about.times[frame])
  }

  private flip(key: 'loop' | 'slow' | 'follow'): void {
    this.state[key] = !this.state[key]
    this.dirty = true
  }

  // Whether an impact happens within two frames of now.
  private get nearImpact(): boolean {
    return this.sources.some((source) => {
      const impacts = source.about.ledger.find((column) => column.name === 'impacts')?.values
      if (!impacts) return false
      const at = source.at(this.state.time)
      return impacts[Math.min(at + 2, impacts.length - 1)] > impacts[Math.max(at - 2, 0)]
    })
  }

  private advance(now: number): void {
    const rate = (this.sources[0].about.rate ?? 1) * (this.state.slow && this.nearImpact ? 1 / SLOWER : 1)
    const next = this.state.time + ((now - this.last) / 1000) * this.state.speed * rate
    if (next < this.duration || this.running) return this.go(next)
    if (this.recorder) void this.takeVideo()
    if (this.state.loop) return this.go(0)
    this.playing = false
    this.go(next)
  }

  // -- pictures and videos ----------------------------------------------------------------------

  private get fileName(): string {
    return (this.sources[0].words.match(/[a-z0-9]+/gi) ?? ['carom']).join('-').toLowerCase().slice(0, 60)
  }

  private async takePicture(): Promise<void> {
    this.draw()
    const scale = this.scales[0]
    const caption = {
      title: this.sources.map((source) => source.words).join('   |   '),
      scale: scale ? { words: wordsOfScale(scale), colours: colourList() } : null,
    }
    const blob = await picture(this.renderer.domElement, caption, this.state.dark)
    if (blob) save(blob, `${this.fileName}.png`)
  }

  // From here on until it is pressed again, or the end.
  private async takeVideo(): Promise<void> {
    const { recorder } = this
    this.dirty = true
    if (recorder) {
      this.recorder = null
      const video = await recorder.end()
      return video.size ? save(video, `${this.fileName}.webm`) : notice('Nothing was recorded: the video was too short.')
    }
    this.recorder = Recorder.begin(this.renderer.domElement)
    if (!this.recorder) return notice('This browser cannot record videos; `carom export --to mp4` can.')
    if (!this.playing) this.toggle()
  }

  // -- bodies ---------------------------------------------------------------------------------

  private repaint(): void {
    for (const stage of this.stages) {
      const { paint } = stage
      paint.by = paint.choices.includes(this.state.colour) ? this.state.colour : paint.usual
      stage.walls.mode = this.state.walls
      stage.setForces(this.state.forces && stage.source.about.contacts !== false)
      stage.paintVertices()
    }
    this.shown = []
    this.dirty = true
  }

  private restoreChoice(): void {
    const [source, body] = this.state.chosen ? this.state.chosen.split(':').map(Number) : [-1, -1]
    for (const stage of this.stages) stage.chosen = -1
    if (this.stages[source] && body >= 0 && body < this.stages[source].source.about.bodies.length)
      this.stages[source].chosen = body
    if (!this.choices.includes(this.state.colour)) this.state.colour = this.usual.colour
    this.repaint()
  }

  // A click is a press without a move; a drag turns the camera.
  private listenForPointers(): void {
    const canvas = this.renderer.domElement
    let down = [0, 0]
    let hovered = 0
    // before the camera hears of it
    canvas.addEventListener('pointerdown', (event) => this.grasp(event), { capture: true })
    canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]))
    canvas.addEventListener('pointermove', (event) => this.hand.busy && this.pull(event))
    canvas.addEventListener('pointerup', () => (this.hand.busy ? this.letGo() : (this.touched = true)))
    canvas.addEventListener('pointercancel', () => this.hand.drop())
    canvas.addEventListener('wheel', () => (this.touched = true), { passive: true })
    canvas.addEventListener('pointerleave', () => this.tip.show('', 0, 0))
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons || event.pointerType === 'touch' || event.timeStamp - hovered < 60) return
      hovered = event.timeStamp
      this.hover(event)
    })
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 5) this.choose(event)
    })
  }

  // -- the hand -------------------------------------------------------------------------------

  // A press on a moving body of a run takes it, with shift or where drags are meant to.
  private grasp(event: PointerEvent): void {
    if (!(event.shiftKey || this.state.grab) || event.button !== 0) return
    const found = this.under(event)
    const source = found && this.sources[found.which]
    const frame = source?.frame(source.at(this.state.time))
    if (!found || !frame || found.body < 0 || source!.about.bodies[found.body].kind !== 0) return
    if (source!.about.kind !== 'live' || !source!.provider.live)
      return notice('Nothing runs here: bodies can be thrown in a scene that `carom view` runs.')
    event.stopImmediatePropagation()
    this.renderer.domElement.setPointerCapture(event.pointerId)
    this.playing = false
    this.hand.take(this.stages[found.which], found.body, frame, this.camera, event.altKey)
    this.held = found.which
  }

  private pull(event: PointerEvent): void {
    this.tip.show(this.hand.pull(this.rayTo(event, this.held).ray), event.clientX, event.clientY)
    this.dirty = true
  }

  private letGo(): void {
    const thrown = this.hand.let()
    this.tip.show('', 0, 0)
    this.dirty = true
    if (!thrown) return
    const change: Record<string, number> = { body: thrown.body, from: this.sources[this.held].at(this.state.time) }
    for (const key of ['velocity', 'position'] as const)
      thrown[key]?.toArray().forEach((value, i) => (change[`${key}_${'xyz'[i]}`] = value))
    this.change(this.held, change)
    if (thrown.velocity) this.goAfter = true
  }

  private undo(): void {
    this.sources.forEach((source, i) => source.about.settings?.changes && this.change(i, { undo: 1 }))
  }

  private change(which: number, change: Record<string, number>): void {
    const source = this.sources[which]
    source.provider.control(which, change).catch((error: Error) => notice(error.message.replace(/^control: /, '')))
  }

  private rayTo(event: MouseEvent, which: number): THREE.Raycaster {
    const box = this.renderer.domElement.getBoundingClientRect()
    const { left, top, width, height } = this.part(which)
    const [x, y] = [event.clientX - box.left - left, event.clientY - box.top - top]
    const ray = new THREE.Raycaster()
    ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera)
    return ray
  }

  // The source and the body under a pointer.
  private under(event: MouseEvent): ({ which: number } & Picked) | null {
    const box = this.renderer.domElement.getBoundingClientRect()
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    const which = this.stages.findIndex((_, i) => {
      const part = this.part(i)
      return x >= part.left && x < part.right && y >= part.top && y < part.bottom
    })
    if (which < 0) return null
    return { which, ...this.stages[which].pick(this.rayTo(event, which)) }
  }

  private hover(event: MouseEvent): void {
    const found = this.under(event)
    const about = found && this.sources[found.which].about
    const body = found && found.body >= 0 ? about!.bodies[found.body] : null
    this.tip.show(body && !about!.channels ? `${body.name}${body.kind === 0 ? '' : ` (${kindOf(body.kind)})`}` : '', event.clientX, event.clientY)
  }

  private choose(event: MouseEvent): void {
    const found = this.under(event)
    if (!found) return
    if (this.ruler.on) return this.measureFrom(found)
    for (const stage of this.stages) stage.chosen = -1
    this.stages[found.which].chosen = found.body
    this.vertex = found.vertex
    this.choice(found.body >= 0 ? `${found.which}:${found.body}` : '')
  }

  private measureFrom({ which, body, point }: { which: number } & Picked): void {
    const source = this.sources[which]
    const frame = source.frame(source.at(this.state.time))
    if (point && frame) this.ruler.add(this.stages[which], body, point, frame)
    this.dirty = true
  }

  private flipRuler(): void {
    this.ruler.on = !this.ruler.on
    if (!this.ruler.on) this.ruler.clear()
    this.dirty = true
  }

  private choice(words: string): void {
    this.state.chosen = words
    if (!words) {
      this.state.follow = false
      for (const stage of this.stages) stage.chosen = -1
    }
    this.shown = []
    this.dirty = true
  }

  private describe(): void {
    const stage = this.stages.find((one) => one.chosen >= 0)
    const frame = stage?.source.frame(stage.source.at(this.state.time))
    this.card.hidden = !stage || !frame
    if (!stage || !frame) return
    this.cardText.textContent = cardOf(stage, frame, this.vertex)
    this.follow.hidden = stage.source.about.bodies[stage.chosen].kind === 1 || Boolean(stage.source.about.channels)
    this.follow.textContent = this.state.follow ? 'stop following' : 'follow (G)'
  }

  // The camera goes along with the chosen body.
  private pursue(): void {
    const stage = this.stages.find((one) => one.chosen >= 0)
    const frame = stage?.source.frame(stage.source.at(this.state.time))
    if (!this.state.follow || !stage || !frame || Number.isNaN(frame[stage.chosen * FLOATS])) return
    const way = new THREE.Vector3().fromArray(frame, stage.chosen * FLOATS).sub(this.controls.target)
    if (way.lengthSq() === 0) return
    this.touched = true
    this.camera.position.add(way)
    this.controls.target.add(way)
    this.controls.update()
  }

  // Where an impact stands is told with its source.
  private nameFrames(): void {
    this.sources.forEach((source, i) => this.titles[i].tell(source.about.labels?.[source.at(this.state.time)] ?? ''))
  }

  private get scales(): Scale[] {
    const colour = this.stages.find((stage) => stage.paint.scale)?.paint.scale
    const stage = this.stages.find((one) => one.bars.count > 0)
    const unit = stage?.source.about.force ?? stage?.bars.unit ?? 'N s'
    const force: Scale | null = stage
      ? { name: unit === 'N s' ? 'impulse of a contact' : 'force of a contact', unit, min: 0, max: stage.bars.strongest }
      : null
    return [colour, force].filter((one): one is Scale => Boolean(one))
  }

  private get hint(): string {
    if (this.ruler.on) return 'Ruler: click two points; D or Escape ends.'
    const { forces, impulses, normals } = this.state
    if (!forces && !impulses && !normals) return ''
    return this.sources.every((source) => source.about.contacts === false) ? NO_CONTACTS : ''
  }

  // -- keys -----------------------------------------------------------------------------------

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
    if (this.help.open) return this.help.show(false)
    if (this.hand.busy) return this.hand.drop()
    if (this.ruler.on) return this.flipRuler()
    if (target.closest('.lil-gui, .bar')) return target.blur()
    if (this.state.plots && innerWidth < NARROW) return this.flipPlots()
    if (this.state.chosen) this.choice('')
  }

  private actionOf(key: string, shift: boolean): (() => void) | undefined {
    const next = <T>(list: readonly T[], now: T) => list[(list.indexOf(now) + 1) % list.length]
    const change = (set: () => void) => () => {
      set()
      this.repaint()
    }
    const flip = (name: 'impulses' | 'normals' | 'velocities' | 'forces') => change(() => (this.state[name] = !this.state[name]))
    const actions: Record<string, () => void> = {
      ' ': () => this.toggle(),
      ArrowLeft: () => this.step(shift ? -10 : -1),
      ArrowRight: () => this.step(shift ? 10 : 1),
      r: () => this.go(0),
      Home: () => this.go(0),
      End: () => this.go(this.duration),
      '+': () => this.pace(1),
      '=': () => this.pace(1),
      '-': () => this.pace(-1),
      o: () => this.flip('loop'),
      s: () => this.flip('slow'),
      g: () => this.flip('follow'),
      d: () => this.flipRuler(),
      u: () => this.undo(),
      c: change(() => (this.state.colour = next(this.choices, this.state.colour))),
      b: change(() => (this.state.labels = next(['none', 'names', 'speeds'] as const, this.state.labels as Labels))),
      w: change(() => (this.state.walls = next(['back', 'all', 'none'] as const, this.state.walls))),
      x: change(() => (this.state.cut = next(['off', 'x', 'y', 'z'] as const, this.state.cut))),
      a: flip('impulses'),
      n: flip('normals'),
      v: flip('velocities'),
      k: flip('forces'),
      p: () => this.flipPlots(),
      t: () => this.flipPanel(),
      i: () => void this.takePicture(),
      m: () => void this.takeVideo(),
      f: () => this.fit(),
      l: () => this.setDark(!this.state.dark),
      h: () => this.help.show(!this.help.open),
      '?': () => this.help.show(!this.help.open),
    }
    return actions[key]
  }

  private pace(by: number): void {
    this.state.speed = this.bar.next(this.state.speed, by)
    this.dirty = true
  }

  // -- drawing --------------------------------------------------------------------------------

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next))
    if (this.playing) this.advance(now)
    this.last = now
    if (!this.dirty) return
    this.dirty = false
    this.pursue()
    this.placeCut()
    this.stages.forEach((stage, i) => this.update(stage, i))
    const frames = this.stages.map((stage) => stage.source.frame(stage.source.at(this.state.time)))
    this.stages.forEach((stage, i) => this.ruler.shows(stage) && this.ruler.show(frames[i], this.camera, this.part(i)))
    this.draw()
    const { about } = this.sources[0]
    this.bar.show({
      ...this.state,
      playing: this.playing,
      time: Math.min(this.state.time, this.duration),
      duration: this.duration,
      unit: about.unit ?? 's',
      words: (this.sources.length > 1 ? '' : about.labels?.[this.sources[0].at(this.state.time)]) || (this.running ? 'running' : ''),
      recording: this.recorder !== null,
    })
    this.begin.hidden = this.playing || this.state.time > 0 || this.still
    this.plots.move(this.state.time)
    this.nameFrames()
    this.tags.show(this.stages, frames, this.camera, this.state.labels || 'none', (i) => this.part(i))
    this.describe()
    this.legend.show(this.scales, this.hint)
    this.tellTests()
    if (now - this.saved > 500 || !this.playing) {
      this.saved = now
      history.replaceState(null, '', location.pathname + location.search + writeState(this.state, this.usual))
    }
  }

  // The cut takes away what is on the side of the camera.
  private placeCut(): void {
    const axis = ['x', 'y', 'z'].indexOf(this.state.cut)
    for (const stage of this.stages) {
      const before = stage.cut ? `${stage.cut.normal.toArray()} ${stage.cut.constant}` : ''
      if (axis < 0) stage.cut = null
      else {
        const { box } = stage.extent
        const [min, max] = [box.min.getComponent(axis), box.max.getComponent(axis)]
        const near = this.camera.position.getComponent(axis) > stage.middle.getComponent(axis) ? -1 : 1
        const at = near > 0 ? min + this.state.cutAt * (max - min) : max - this.state.cutAt * (max - min)
        stage.cut = new THREE.Plane(new THREE.Vector3().setComponent(axis, near), -near * at)
      }
      const after = stage.cut ? `${stage.cut.normal.toArray()} ${stage.cut.constant}` : ''
      if (before !== after) this.shown = []
    }
  }

  // What a test in a browser waits for.
  private tellTests(): void {
    const { dataset } = document.body
    dataset.frame = String(this.shown[0] ?? '')
    dataset.playing = this.playing ? '1' : '0'
    dataset.running = this.running ? '1' : '0'
    dataset.colour = this.stages[0].paint.by
    dataset.arrows = String(this.stages.reduce((sum, stage) => sum + stage.arrowCount, 0))
    dataset.walls = this.state.walls
    dataset.cut = this.state.cut
    dataset.law = this.sources.map((source) => source.about.law ?? '').join(' ')
  }

  private update(stage: Stage, i: number): void {
    const { source } = stage
    const index = source.at(this.state.time)
    if (this.shown[i] === index) return
    const frame = source.frame(index)
    const wake = () => (this.dirty = true)
    if (!frame) return void source.load(index).then(wake, (error) => notice(String(error.message ?? error)))
    stage.show(frame)
    this.shown[i] = index
    stage.showVelocities(this.state.velocities ? frame : null)
    if (!this.state.impulses && !this.state.normals && !this.state.forces) stage.showContacts(null, frame, this.state)
    else
      source.provider.contacts(source.number, index).then((contacts) => {
        if (this.shown[i] !== index || this.stages[i] !== stage) return
        stage.showContacts(contacts, frame, this.state)
        wake()
      }, () => {})
    if (stage.paint.wantsValues)
      source.provider.values(source.number, index).then((values) => {
        if (this.shown[i] !== index || this.stages[i] !== stage) return
        stage.paint.setValues(values)
        stage.show(frame)
        wake()
      }, () => {})
    source.load(Math.min(index + 32, source.about.frames - 1)).catch(() => {}) // read ahead
  }

  private draw(): void {
    const { clientHeight } = this.holder
    this.stages.forEach((stage, i) => {
      const { left, top, width, height } = this.part(i)
      stage.see(this.camera, this.state.glass)
      this.renderer.setViewport(left, clientHeight - top - height, width, height)
      this.renderer.setScissor(left, clientHeight - top - height, width, height)
      this.renderer.shadowMap.needsUpdate = stage.shadowsOld
      stage.shadowsOld = false
      this.renderer.render(stage.scene, this.camera)
    })
  }
}
