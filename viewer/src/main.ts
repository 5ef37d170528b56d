// The viewer: films side by side with one clock and one camera.
import GUI from 'lil-gui'
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { Bar } from './bar'
import { gradient } from './colours'
import { Film, FLOATS, openSource } from './film'
import { Live } from './live'
import { Plots } from './plots'
import { Stage } from './stage'
import { openingHash, readState, type ViewState, writeState } from './state'
import './viewer.css'

const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'one moment back or on (with shift: ten)'],
  ['R, Home', 'to the start'],
  ['End', 'to the end'],
  ['+ −', 'faster, slower'],
  ['C', 'colour by the next quantity'],
  ['A', 'impulses as arrows'],
  ['N', 'contact normals'],
  ['V', 'velocities'],
  ['P', 'plots'],
  ['F', 'see everything'],
  ['L', 'light or dark'],
  ['click', 'choose a body and read its state'],
  ['drag, wheel', 'turn and zoom; with the right button: move'],
  ['H', 'this help'],
]

function element(name: string, parent: HTMLElement = document.body): HTMLDivElement {
  const made = document.createElement('div')
  made.className = name
  parent.append(made)
  return made
}

const WIDE = 1100 // px from which on the panel stands beside the pictures

const short = (value: number) => `${+value.toPrecision(3)}`

class Viewer {
  private readonly state: ViewState = readState(openingHash())
  private readonly holder = element('stages')
  private readonly renderer: THREE.WebGLRenderer
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000)
  private readonly controls: OrbitControls
  private stages: Stage[] = []
  private titles: HTMLDivElement[] = []
  private readonly plots: Plots
  private readonly bar: Bar
  private readonly card = element('card')
  private readonly help = element('help')
  private readonly side = element('side')
  private readonly facts = element('facts', this.side)
  private readonly legend = element('legend', this.holder)
  private playing = false
  private last = 0
  private dirty = true
  private shown: number[] = []
  private saved = 0
  private vertex = -1

  constructor(private readonly films: Film[]) {
    const many = films.reduce((sum, film) => sum + film.about.bodies.length, 0) > 20000
    this.renderer = new THREE.WebGLRenderer({ antialias: !many, preserveDrawingBuffer: true })
    this.camera.up.set(0, 0, 1)
    this.holder.append(this.renderer.domElement)
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.setScissorTest(true)
    this.controls = new OrbitControls(this.camera, this.renderer.domElement)
    this.controls.addEventListener('change', () => {
      this.state.camera = [...this.camera.position.toArray(), ...this.controls.target.toArray()]
      this.dirty = true
    })
    this.plots = new Plots(
      () => this.films,
      (time) => this.go(time),
    )
    this.bar = new Bar({
      toggle: () => this.toggle(),
      step: (by) => this.step(by),
      restart: () => this.go(0),
      scrub: (share) => this.go(share * this.duration),
      speed: (value) => (this.state.speed = value),
      help: () => (this.help.hidden = !this.help.hidden),
    })
    document.body.append(this.bar.element)
    this.side.append(this.plots.element)
    this.card.hidden = this.help.hidden = this.legend.hidden = true
    this.explain()
  }

  private get duration(): number {
    return Math.max(...this.films.map((film) => film.duration))
  }

  private get running(): boolean {
    return this.films.some((film) => film.about.running)
  }

  async start(): Promise<void> {
    document.title = `${this.films.map((one) => one.words).join(' | ')} – Carom`
    for (const [i, film] of this.films.entries()) {
      this.titles.push(element('title', this.holder))
      this.stages.push(await this.stageOf(film, i))
    }
    document.body.dataset.films = String(this.films.length)
    this.tellFacts()
    this.makePanel()
    this.touched = this.state.camera.length === 6
    this.look(this.touched)
    this.restoreChoice()
    this.setDark(this.state.dark)
    addEventListener('resize', () => this.resize())
    addEventListener('keydown', (event) => this.key(event))
    addEventListener('hashchange', () => this.restore())
    this.listenForClicks()
    this.resize()
    if (!this.state.time && this.films.some((film) => film.about.kind === 'live' && film.source.live)) this.playing = true
    requestAnimationFrame((now) => this.frame(now))
    if (this.films[0].source.live) void this.listen()
    if (this.films.every((film) => film.about.moments < 2 && !film.about.running)) this.bar.element.hidden = true
  }

  private async stageOf(film: Film, i: number): Promise<Stage> {
    const stage = new Stage(film)
    await this.measure(stage)
    this.titles[i].textContent = film.words
    if (film.about.damage) notice(film.about.damage)
    return stage
  }

  // What is known of each film as a whole, above the plots.
  private tellFacts(): void {
    this.facts.replaceChildren()
    for (const film of this.films) {
      if (!film.about.facts) continue
      const table = document.createElement('table')
      table.createCaption().textContent = film.words
      for (const words of film.about.facts) {
        const row = table.insertRow()
        for (const word of words) row.insertCell().textContent = word
      }
      this.facts.append(table)
    }
  }

  // How far and how fast things go, from moments spread over the film.
  private async measure(stage: Stage): Promise<void> {
    const { film } = stage
    const count = film.about.moments
    const most = Math.max(5, Math.min(60, Math.floor(60000 / film.about.bodies.length)))
    const share = Math.min(most, count)
    const wanted = Array.from({ length: share }, (_, i) => Math.floor((i * (count - 1)) / Math.max(share - 1, 1)))
    await Promise.all(wanted.map((moment) => film.load(moment)))
    stage.measure(wanted.flatMap((moment) => film.moment(moment) ?? []))
    this.measured[film.number] = count
  }
  private readonly measured: number[] = []

  // A run that has doubled its length may have gone further.
  private async measureAgain(film: Film): Promise<void> {
    const enough = !film.about.running || film.about.moments >= 2 * this.measured[film.number]
    if (!enough || film.about.moments === this.measured[film.number]) return
    const before = Math.max(...this.stages.map((one) => one.radius))
    await this.measure(this.stages[film.number])
    this.shown = []
    if (!this.fixedCamera && Math.max(...this.stages.map((one) => one.radius)) > 1.05 * before) this.look(false)
  }

  private explain(): void {
    const box = element('', this.help)
    for (const [key, words] of KEYS) {
      const line = element('', box)
      const name = document.createElement('kbd')
      name.textContent = key
      line.append(name, words)
    }
    this.help.addEventListener('click', () => (this.help.hidden = true))
  }

  private makePanel(): void {
    const gui = new GUI({ title: 'view', width: 210 })
    gui.add(this.state, 'colour', this.choices).name('colour by').onChange(() => this.repaint()).listen()
    for (const key of ['impulses', 'normals', 'velocities'] as const)
      gui.add(this.state, key).onChange(() => this.repaint()).listen()
    gui.add(this.state, 'plots').onChange(() => this.showPlots()).listen()
    gui.add(this.state, 'dark').onChange((dark: boolean) => this.setDark(dark)).listen()
    gui.add({ fit: () => this.look(false) }, 'fit').name('see everything')
    gui.onChange(() => (this.dirty = true))
    if (this.films.some((film) => film.about.kind === 'live' && film.source.live))
      new Live(gui, {
        films: () => this.films,
        moment: (film) => this.films[film].at(this.state.time),
        trouble: notice,
      })
    if (innerWidth < 900 || (innerWidth < WIDE && this.films.length > 1)) gui.close()
  }

  private get choices(): string[] {
    return [...new Set(this.stages.flatMap((stage) => stage.choices))]
  }

  // -- news of runs and files -----------------------------------------------------------------

  private async listen(): Promise<void> {
    let lost = false
    for (;;) {
      await new Promise((done) => setTimeout(done, this.running ? 200 : 700))
      try {
        await Promise.all(this.films.map((film) => this.hear(film)))
        if (lost) notice('')
        lost = false
      } catch {
        if (!lost) notice('The viewer has ended: start `carom view` again and reload this page.')
        lost = true
      }
    }
  }

  private async hear(film: Film): Promise<void> {
    const news = await film.source.news(film.number, film.about.times.length)
    if (news.generation !== film.generation) return this.reload(film.number)
    const before = film.about.running
    if (film.grow(news)) this.plots.refresh()
    if (film.about.kind === 'live') await this.measureAgain(film)
    if (news.unreadable) notice(`The file cannot be shown as it is now: ${news.unreadable}`)
    else if (news.trouble) notice(`The run stopped: ${news.trouble}`)
    else if (/^The file cannot/.test(document.querySelector('.notice')?.textContent ?? '')) notice('')
    if (before !== film.about.running || news.times?.length) this.dirty = true
  }

  // Everything anew, but the view.
  private async reload(number: number): Promise<void> {
    const film = await Film.open(this.films[0].source, number)
    const old = this.stages[number]
    const stage = await this.stageOf(film, number)
    stage.colourBy = this.state.colour
    if (old.chosen < film.about.bodies.length) stage.chosen = old.chosen
    this.films[number] = film
    this.stages[number] = stage
    old.dispose()
    this.tellFacts()
    stage.setDark(this.state.dark)
    notice('')
    this.state.time = Math.min(this.state.time, film.about.running ? Infinity : this.duration)
    this.showPlots()
    this.repaint()
    document.body.dataset.generation = String(film.generation)
  }

  // -- camera ---------------------------------------------------------------------------------

  private get grid(): [number, number] {
    const count = this.stages.length
    const wide = count <= 3 ? count : Math.ceil(Math.sqrt(count))
    return [wide, Math.ceil(count / wide)]
  }

  private look(restore: boolean): void {
    const radius = Math.max(...this.stages.map((one) => one.radius))
    const aspect = this.camera.aspect || 1
    this.camera.near = radius / 500
    this.camera.far = radius * 200
    if (restore) {
      this.camera.position.fromArray(this.state.camera, 0)
      this.controls.target.fromArray(this.state.camera, 3)
    } else {
      const half = Math.tan((0.5 * this.camera.fov * Math.PI) / 180) * Math.min(1, aspect)
      const away = radius / Math.sin(Math.atan(half))
      const flat = this.films.every((film) => film.about.flat)
      const from = flat ? new THREE.Vector3(0.02, -1, 0.1) : new THREE.Vector3(0.35, -0.85, 0.4)
      this.controls.target.copy(this.stages[0].middle)
      this.camera.position.copy(this.stages[0].middle).addScaledVector(from.normalize(), (flat ? 0.85 : 1.04) * away)
    }
    this.camera.updateProjectionMatrix()
    this.controls.update()
    this.dirty = true
  }

  private resize(): void {
    this.holder.classList.toggle('wide', innerWidth >= WIDE && this.films.length > 1)
    const { clientWidth, clientHeight } = this.holder
    const [wide, high] = this.grid
    this.renderer.setSize(clientWidth, clientHeight, false)
    const before = this.camera.aspect
    this.camera.aspect = clientWidth / wide / (clientHeight / high)
    this.camera.updateProjectionMatrix()
    if (this.state.camera.length === 0 || before !== this.camera.aspect) this.look(this.fixedCamera)
    this.titles.forEach((title, i) => {
      title.style.maxWidth = `calc(${100 / wide}% - 16px)`
      title.style.left = `calc(${(100 * (i % wide)) / wide}% + 8px)`
      title.style.bottom = `${(high - 1 - Math.floor(i / wide)) * (clientHeight / high) + 8}px`
    })
    this.showPlots()
    this.dirty = true
  }

  // Once it came from the address or was moved by hand, the camera stays.
  private get fixedCamera(): boolean {
    return this.touched
  }
  private touched = false

  private setDark(dark: boolean): void {
    this.state.dark = dark
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
    for (const stage of this.stages) stage.setDark(dark)
    this.showPlots()
    this.dirty = true
  }

  private showPlots(): void {
    this.side.hidden = !this.state.plots
    if (this.state.plots) this.plots.draw(this.state.dark)
    const empty = this.plots.element.childElementCount + this.facts.childElementCount === 0
    this.side.classList.toggle('empty', empty)
    const docked = this.state.plots && !empty && innerWidth >= 760
    if (this.holder.classList.contains('beside') !== docked) {
      this.holder.classList.toggle('beside', docked)
      this.resize()
    }
    this.plots.move(this.state.time)
    this.dirty = true
  }

  // The address was changed by hand or by going back.
  private restore(): void {
    Object.assign(this.state, readState(location.hash))
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
    const film = this.films.reduce((a, b) => (b.duration > a.duration ? b : a))
    const moment = Math.min(Math.max(film.at(this.state.time) + by, 0), film.about.moments - 1)
    this.go(film.about.times[moment])
  }

  // -- bodies ---------------------------------------------------------------------------------

  private repaint(): void {
    for (const stage of this.stages) {
      stage.colourBy = stage.choices.includes(this.state.colour) ? this.state.colour : stage.choices[0]
      stage.paintVertices()
    }
    this.shown = []
    this.dirty = true
  }

  private restoreChoice(): void {
    const [film, body] = this.state.chosen ? this.state.chosen.split(':').map(Number) : [-1, -1]
    for (const stage of this.stages) stage.chosen = -1
    if (this.stages[film] && body >= 0 && body < this.stages[film].film.about.bodies.length)
      this.stages[film].chosen = body
    if (!this.choices.includes(this.state.colour)) this.state.colour = this.choices[0]
    this.repaint()
  }

  // A click is a press without a move; a drag turns the camera.
  private listenForClicks(): void {
    const canvas = this.renderer.domElement
    let down = [0, 0]
    canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]))
    canvas.addEventListener('pointerup', () => (this.touched = true))
    canvas.addEventListener('wheel', () => (this.touched = true), { passive: true })
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 5) this.choose(event)
    })
  }

  private choose(event: MouseEvent): void {
    const box = this.renderer.domElement.getBoundingClientRect()
    const [columns, rows] = this.grid
    const wide = box.width / columns
    const high = box.height / rows
    const column = Math.min(Math.floor((event.clientX - box.left) / wide), columns - 1)
    const row = Math.min(Math.floor((event.clientY - box.top) / high), rows - 1)
    const which = row * columns + column
    if (!this.stages[which]) return
    const ray = new THREE.Raycaster()
    ray.setFromCamera(
      new THREE.Vector2(
        (2 * (event.clientX - box.left - column * wide)) / wide - 1,
        1 - (2 * (event.clientY - box.top - row * high)) / high,
      ),
      this.camera,
    )
    for (const stage of this.stages) stage.chosen = -1
    const { body, vertex } = this.stages[which].pick(ray)
    this.stages[which].chosen = body
    this.vertex = vertex
    this.state.chosen = body >= 0 ? `${which}:${body}` : ''
    this.shown = []
    this.dirty = true
  }

  private describe(): void {
    const stage = this.stages.find((one) => one.chosen >= 0)
    const moment = stage?.film.moment(stage.film.at(this.state.time))
    this.card.hidden = !stage || !moment
    if (!stage || !moment) return
    const { about } = stage.film
    const body = about.bodies[stage.chosen]
    if (about.channels) {
      const channels = stage.film.surfaces[body.form]?.channels ?? []
      this.card.textContent = about.channels
        .map((one, i) => `${one.name} ${this.vertex < 0 ? '' : short(channels[i][this.vertex])} ${one.unit === '1' ? '' : one.unit}`)
        .join('\n')
      return
    }
    const at = stage.chosen * FLOATS
    const three = (k: number) => [0, 1, 2].map((i) => moment[at + k + i].toPrecision(5).padStart(12)).join('')
    const speed = Math.hypot(moment[at + 7], moment[at + 8], moment[at + 9])
    const kind = ['moving', 'fixed', 'driven', 'removed'][body.kind] ?? ''
    const surface = body.restitution === undefined ? '' : `\nrestitution ${short(body.restitution)}, friction ${short(body.friction ?? 0)}`
    this.card.textContent =
      `${body.name}   ${kind}${body.kind === 0 ? `, ${body.mass.toPrecision(5)} kg` : ''}\n` +
      `position (m)   ${three(0)}\nvelocity (m/s) ${three(7)}\n${about.stretch ? '' : `spin (rad/s)   ${three(10)}\n`}` +
      `speed ${speed.toPrecision(5)} m/s, energy of motion ${(0.5 * body.mass * speed * speed).toPrecision(5)} J${surface}`
  }

  // Films side by side may be at different sweeps.
  private nameMoments(): void {
    if (this.films.length < 2) return
    this.films.forEach((film, i) => {
      const label = film.about.labels?.[film.at(this.state.time)]
      if (label) this.titles[i].textContent = `${film.words} · ${label}`
    })
  }

  private showLegend(): void {
    const scale = this.stages.find((stage) => stage.scale)?.scale
    this.legend.hidden = !scale
    if (!scale) return
    const unit = scale.unit === '1' ? '' : ` ${scale.unit}`
    const shown = (value: number) => short(Math.abs(value) < 1e-200 ? 0 : value) // nothing seen yet
    const words = `${shown(scale.least ?? 0)} – ${shown(scale.most ?? 1)}${unit}   ${scale.name}`
    if (this.legend.dataset.words === words) return
    this.legend.dataset.words = words
    this.legend.replaceChildren()
    element('ramp', this.legend).style.background = gradient()
    element('', this.legend).textContent = words
  }

  // -- keys -----------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox') return
    const flip = (key: 'impulses' | 'normals' | 'velocities') => {
      this.state[key] = !this.state[key]
      this.repaint()
    }
    const actions: Record<string, () => void> = {
      ' ': () => this.toggle(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      r: () => this.go(0),
      Home: () => this.go(0),
      End: () => this.go(this.duration),
      '+': () => this.pace(1),
      '=': () => this.pace(1),
      '-': () => this.pace(-1),
      c: () => {
        this.state.colour = this.choices[(this.choices.indexOf(this.state.colour) + 1) % this.choices.length]
        this.repaint()
      },
      a: () => flip('impulses'),
      n: () => flip('normals'),
      v: () => flip('velocities'),
      p: () => {
        this.state.plots = !this.state.plots
        this.showPlots()
      },
      f: () => {
        this.touched = false
        this.look(false)
      },
      l: () => this.setDark(!this.state.dark),
      h: () => (this.help.hidden = !this.help.hidden),
      '?': () => (this.help.hidden = !this.help.hidden),
      Escape: () => (this.help.hidden = true),
    }
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  private pace(by: number): void {
    this.state.speed = this.bar.next(this.state.speed, by)
    this.dirty = true
  }

  // -- drawing --------------------------------------------------------------------------------

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next))
    if (this.playing) {
      const rate = this.films[0].about.rate ?? 1
      const next = this.state.time + ((now - this.last) / 1000) * this.state.speed * rate
      if (next >= this.duration && !this.running) this.playing = false
      this.go(next)
    }
    this.last = now
    if (!this.dirty) return
    this.dirty = false
    this.stages.forEach((stage, i) => this.update(stage, i))
    this.draw()
    const { about } = this.films[0]
    this.bar.show({
      playing: this.playing,
      time: this.state.time,
      duration: this.duration,
      speed: this.state.speed,
      unit: about.unit ?? 's',
      words: (this.films.length > 1 ? '' : about.labels?.[this.films[0].at(this.state.time)]) || (this.running ? 'running' : ''),
    })
    this.plots.move(this.state.time)
    this.nameMoments()
    this.describe()
    this.showLegend()
    this.tellTests()
    if (now - this.saved > 500 || !this.playing) {
      this.saved = now
      history.replaceState(null, '', location.pathname + location.search + writeState(this.state))
    }
  }

  // What a test in a browser waits for.
  private tellTests(): void {
    const { dataset } = document.body
    dataset.moment = String(this.shown[0] ?? '')
    dataset.playing = this.playing ? '1' : '0'
    dataset.running = this.running ? '1' : '0'
    dataset.colour = this.stages[0].colourBy
    dataset.arrows = String(this.stages.reduce((sum, stage) => sum + stage.arrowCount, 0))
    dataset.law = this.films.map((film) => film.about.law ?? '').join(' ')
  }

  private update(stage: Stage, i: number): void {
    const { film } = stage
    const index = film.at(this.state.time)
    if (this.shown[i] === index) return
    const moment = film.moment(index)
    const wake = () => (this.dirty = true)
    if (!moment) return void film.load(index).then(wake, (error) => notice(String(error.message ?? error)))
    stage.show(moment)
    this.shown[i] = index
    stage.showVelocities(this.state.velocities ? moment : null)
    if (!this.state.impulses && !this.state.normals) stage.showContacts(null, this.state)
    else
      film.source.contacts(film.number, index).then((contacts) => {
        if (this.shown[i] !== index || this.stages[i] !== stage) return
        stage.showContacts(contacts, this.state)
        wake()
      }, () => {})
    if (stage.wantsValues)
      film.source.values(film.number, index).then((values) => {
        if (this.shown[i] !== index || this.stages[i] !== stage) return
        stage.setValues(values)
        stage.show(moment)
        wake()
      }, () => {})
    film.load(Math.min(index + 32, film.about.moments - 1)).catch(() => {}) // read ahead
  }

  private draw(): void {
    const { clientWidth, clientHeight } = this.holder
    const [columns, rows] = this.grid
    const wide = clientWidth / columns
    const high = clientHeight / rows
    this.stages.forEach((stage, i) => {
      const x = (i % columns) * wide
      const y = (rows - 1 - Math.floor(i / columns)) * high
      this.renderer.setViewport(x, y, wide, high)
      this.renderer.setScissor(x, y, wide, high)
      this.renderer.render(stage.scene, this.camera)
    })
  }
}

function notice(words: string): void {
  let box = document.querySelector<HTMLDivElement>('.notice')
  if (!box) {
    box = element('notice')
    box.addEventListener('click', () => (box!.hidden = true))
  }
  box.textContent = words
  box.hidden = words === ''
}

async function begin(): Promise<void> {
  const source = openSource()
  const count = await source.count()
  const films = await Promise.all(Array.from({ length: count }, (_, i) => Film.open(source, i)))
  await new Viewer(films).start()
}

begin().catch((error: unknown) => {
  const words = error instanceof Error ? error.message : String(error)
  notice(/WebGL/i.test(words) ? `This browser cannot show it: ${words}` : `This cannot be shown: ${words}`)
})
