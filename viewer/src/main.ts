// The viewer: films side by side with one clock and one camera.
import GUI from 'lil-gui'
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { Bar } from './bar'
import { Film, FLOATS, openSource } from './film'
import { Plots } from './plots'
import { type ColourBy, COLOUR_BY, Stage } from './stage'
import { readState, type ViewState, writeState } from './state'
import './viewer.css'

const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'one moment back or on (with shift: ten)'],
  ['R', 'to the start'],
  ['C', 'colour by the next quantity'],
  ['A', 'impulses as arrows, on or off'],
  ['P', 'plots, on or off'],
  ['F', 'see everything'],
  ['L', 'light or dark'],
  ['click', 'choose a body and read its state'],
  ['H', 'this help'],
]

function element(name: string, parent: HTMLElement = document.body): HTMLDivElement {
  const made = document.createElement('div')
  made.className = name
  parent.append(made)
  return made
}

class Viewer {
  private readonly state: ViewState = readState(location.hash)
  private readonly holder = element('stages')
  private readonly renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true })
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000)
  private readonly controls: OrbitControls
  private readonly stages: Stage[]
  private readonly plots: Plots
  private readonly bar: Bar
  private readonly card = element('card')
  private readonly help = element('help')
  private readonly side = element('side')
  private playing = false
  private last = 0
  private dirty = true
  private shown: number[] = []
  private saved = 0
  private readonly duration: number

  constructor(private readonly films: Film[]) {
    this.camera.up.set(0, 0, 1)
    this.holder.append(this.renderer.domElement)
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.setScissorTest(true)
    this.controls = new OrbitControls(this.camera, this.renderer.domElement)
    this.controls.addEventListener('change', () => {
      this.state.camera = [...this.camera.position.toArray(), ...this.controls.target.toArray()]
      this.dirty = true
    })
    this.stages = films.map((film) => new Stage(film))
    this.duration = Math.max(...films.map((film) => film.duration))
    this.plots = new Plots(films[0], (time) => this.go(time))
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
    this.card.hidden = this.help.hidden = true
    this.explain()
  }

  async start(): Promise<void> {
    const [film] = this.films
    document.title = `${this.films.map((one) => one.about.title).join(' · ')} – Carom`
    for (const [i, stage] of this.stages.entries()) {
      const count = stage.film.about.moments
      const wanted = [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.floor(share * (count - 1))))]
      await Promise.all(wanted.map((moment) => stage.film.load(moment)))
      stage.measure(wanted.flatMap((moment) => stage.film.moment(moment) ?? []))
      const title = element('title')
      title.textContent = stage.film.about.title
      title.style.left = `calc(${(100 * i) / this.stages.length}% + 8px)`
      if (stage.film.about.damage) notice(stage.film.about.damage)
    }
    this.makePanel()
    this.look(this.state.camera.length === 6)
    this.restoreChoice()
    this.setDark(this.state.dark)
    this.side.hidden = !this.state.plots
    addEventListener('resize', () => this.resize())
    addEventListener('keydown', (event) => this.key(event))
    this.renderer.domElement.addEventListener('click', (event) => this.choose(event))
    this.resize()
    requestAnimationFrame((now) => this.frame(now))
    if (film.about.moments < 2) this.bar.element.classList.add('still')
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
    const changed = () => (this.dirty = true)
    gui.add(this.state, 'colour', COLOUR_BY).name('colour by').onChange(() => this.repaint()).listen()
    gui.add(this.state, 'arrows').name('impulses').onChange(() => this.repaint()).listen()
    gui.add(this.state, 'plots').onChange(() => this.showPlots()).listen()
    gui.add(this.state, 'dark').onChange((dark: boolean) => this.setDark(dark)).listen()
    gui.add({ fit: () => this.look(false) }, 'fit').name('see everything')
    gui.onChange(changed)
    if (innerWidth < 900) gui.close()
  }

  // -- camera ---------------------------------------------------------------------------------

  private look(restore: boolean): void {
    const stage = this.stages[0]
    const radius = Math.max(...this.stages.map((one) => one.radius))
    this.camera.near = radius / 500
    this.camera.far = radius * 200
    if (restore) {
      this.camera.position.fromArray(this.state.camera, 0)
      this.controls.target.fromArray(this.state.camera, 3)
    } else {
      const away = radius / Math.sin((0.5 * this.camera.fov * Math.PI) / 180)
      this.controls.target.copy(stage.middle)
      this.camera.position.copy(stage.middle).addScaledVector(new THREE.Vector3(0.35, -0.85, 0.4).normalize(), 1.05 * away)
    }
    this.controls.update()
    this.dirty = true
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.holder
    this.renderer.setSize(clientWidth, clientHeight, false)
    this.camera.aspect = clientWidth / this.stages.length / clientHeight
    this.camera.updateProjectionMatrix()
    this.showPlots()
    this.dirty = true
  }

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
    this.plots.move(this.state.time)
    this.dirty = true
  }

  // -- time -----------------------------------------------------------------------------------

  private toggle(): void {
    if (!this.playing && this.state.time >= this.duration) this.go(0)
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
    const film = this.films[0]
    const moment = Math.min(Math.max(film.at(this.state.time) + by, 0), film.about.moments - 1)
    this.go(film.about.times[moment])
  }

  // -- bodies ---------------------------------------------------------------------------------

  private repaint(): void {
    for (const stage of this.stages) stage.colourBy = this.state.colour as ColourBy
    this.shown = []
    this.dirty = true
  }

  private restoreChoice(): void {
    const [film, body] = this.state.chosen.split(':').map(Number)
    if (this.stages[film] && body >= 0 && body < this.stages[film].film.about.bodies.length)
      this.stages[film].chosen = body
    if (!COLOUR_BY.includes(this.state.colour as ColourBy)) this.state.colour = 'body'
    this.repaint()
  }

  private choose(event: MouseEvent): void {
    const box = this.renderer.domElement.getBoundingClientRect()
    const wide = box.width / this.stages.length
    const which = Math.min(Math.floor((event.clientX - box.left) / wide), this.stages.length - 1)
    const at = new THREE.Vector2(
      (2 * (event.clientX - box.left - which * wide)) / wide - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    )
    const ray = new THREE.Raycaster()
    ray.setFromCamera(at, this.camera)
    for (const stage of this.stages) stage.chosen = -1
    const body = this.stages[which].pick(ray)
    this.stages[which].chosen = body
    this.state.chosen = body >= 0 ? `${which}:${body}` : ''
    this.shown = []
    this.dirty = true
  }

  private describe(): void {
    const stage = this.stages.find((one) => one.chosen >= 0)
    const moment = stage?.film.moment(stage.film.at(this.state.time))
    this.card.hidden = !stage || !moment
    if (!stage || !moment) return
    const body = stage.film.about.bodies[stage.chosen]
    const at = stage.chosen * FLOATS
    const three = (k: number) => [0, 1, 2].map((i) => moment[at + k + i].toPrecision(5).padStart(12)).join('')
    const speed = Math.hypot(moment[at + 7], moment[at + 8], moment[at + 9])
    const kind = ['moving', 'fixed', 'driven', 'removed'][body.kind] ?? ''
    this.card.textContent =
      `${body.name}   ${kind}${body.kind === 0 ? `, ${body.mass.toPrecision(5)} kg` : ''}\n` +
      `position (m)   ${three(0)}\nvelocity (m/s) ${three(7)}\nspin (rad/s)   ${three(10)}\n` +
      `speed ${speed.toPrecision(5)} m/s, energy of motion ${(0.5 * body.mass * speed * speed).toPrecision(5)} J`
  }

  // -- keys -----------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const actions: Record<string, () => void> = {
      ' ': () => this.toggle(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      r: () => this.go(0),
      c: () => {
        const next = (COLOUR_BY.indexOf(this.state.colour as ColourBy) + 1) % COLOUR_BY.length
        this.state.colour = COLOUR_BY[next]
        this.repaint()
      },
      a: () => {
        this.state.arrows = !this.state.arrows
        this.repaint()
      },
      p: () => {
        this.state.plots = !this.state.plots
        this.showPlots()
      },
      f: () => this.look(false),
      l: () => this.setDark(!this.state.dark),
      h: () => (this.help.hidden = !this.help.hidden),
      Escape: () => (this.help.hidden = true),
    }
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  // -- drawing --------------------------------------------------------------------------------

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next))
    if (this.playing) {
      const next = this.state.time + ((now - this.last) / 1000) * this.state.speed
      if (next >= this.duration) this.playing = false
      this.go(next)
    }
    this.last = now
    if (!this.dirty) return
    this.dirty = false
    const ready = this.stages.map((stage, i) => this.update(stage, i)).every(Boolean)
    this.draw()
    this.bar.show(this.playing, this.state.time, this.duration, this.state.speed)
    this.plots.move(this.state.time)
    this.describe()
    document.body.dataset.moment = String(this.shown[0] ?? '')
    if (!ready) this.dirty = true
    if (now - this.saved > 500 || !this.playing) {
      this.saved = now
      history.replaceState(null, '', location.pathname + location.search + writeState(this.state))
    }
  }

  // False while the moment is on its way.
  private update(stage: Stage, i: number): boolean {
    const index = stage.film.at(this.state.time)
    if (this.shown[i] === index) return true
    const moment = stage.film.moment(index)
    if (!moment) {
      stage.film.load(index).then(() => (this.dirty = true), (error) => notice(String(error.message ?? error)))
      return true // the promise wakes us
    }
    stage.show(moment)
    this.shown[i] = index
    if (!this.state.arrows) stage.showContacts(null)
    else
      stage.film.source.contacts(stage.film.number, index).then((contacts) => {
        if (this.shown[i] !== index) return
        stage.showContacts(contacts)
        this.dirty = true
      })
    void stage.film.load(Math.min(index + 32, stage.film.about.moments - 1)) // read ahead
    return true
  }

  private draw(): void {
    const { clientWidth, clientHeight } = this.holder
    const wide = clientWidth / this.stages.length
    this.stages.forEach((stage, i) => {
      this.renderer.setViewport(i * wide, 0, wide, clientHeight)
      this.renderer.setScissor(i * wide, 0, wide, clientHeight)
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
  box.hidden = false
}

async function begin(): Promise<void> {
  const source = openSource()
  const count = await source.count()
  const films = await Promise.all(Array.from({ length: count }, (_, i) => Film.open(source, i)))
  await new Viewer(films).start()
}

begin().catch((error: unknown) => {
  notice(`This cannot be shown: ${error instanceof Error ? error.message : String(error)}`)
})
