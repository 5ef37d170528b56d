// What is seen: the sources, their stages, and the state of the view that all of them share. Who changes any of it says
// here what is to be drawn anew; drawing itself is elsewhere.
import { measure } from './measure'
import { LABELS_MAX, notice } from './overlay'
import type { Source } from './source'
import { Stage } from './stage'
import { type Labels, openingHash, readState, type ViewState } from './state'

export class View {
  readonly state: ViewState = readState(openingHash())
  readonly stages: Stage[] = []
  dirty = true // since the last picture
  shown: number[] = [] // frames in the stages
  vertex = -1 // where a surface with numbers of its own was clicked

  constructor(readonly sources: Source[], private readonly slow: boolean) {}

  wake(): void {
    this.dirty = true
  }

  // All stages take their frames again with the next picture.
  forget(): void {
    this.shown = []
  }

  renew(): void {
    this.forget()
    this.wake()
  }

  // -- what the sources have in common --------------------------------------------------------

  get duration(): number {
    return Math.max(...this.sources.map((source) => source.duration))
  }

  get running(): boolean {
    return this.sources.some((source) => source.about.running)
  }

  // A single frame has nothing to play.
  get still(): boolean {
    return this.sources.every((source) => source.about.frames < 2 && !source.about.running)
  }

  get noContacts(): boolean {
    return this.sources.every((source) => source.about.contacts === false)
  }

  get radius(): number {
    return Math.max(...this.stages.map((stage) => stage.radius))
  }

  // What bodies can be coloured by.
  get choices(): string[] {
    return [...new Set(this.stages.flatMap((stage) => stage.paint.choices))]
  }

  // What the page chooses where the address says nothing.
  get usual(): { colour: string; labels: Labels } {
    const impact = this.sources.every((source) => source.about.kind === 'impact' && source.about.bodies.length <= LABELS_MAX)
    return { colour: this.stages[0].paint.usual, labels: impact ? 'speeds' : 'none' }
  }

  // Null while it is on its way.
  frameOf(stage: Stage): Float32Array | null {
    return stage.source.frame(stage.source.at(this.state.time))
  }

  // A stage for a source, with what is known of it by frames spread over it.
  async stageOf(source: Source): Promise<Stage> {
    const stage = new Stage(source, this.slow)
    await measure(stage)
    if (source.about.damage) notice(source.about.damage)
    return stage
  }

  // -- what is chosen -------------------------------------------------------------------------

  flip(key: 'loop' | 'slow' | 'follow'): void {
    this.state[key] = !this.state[key]
    this.wake()
  }

  chooseUsual(): void {
    if (!this.state.colour) this.state.colour = this.usual.colour
    if (!this.state.labels) this.state.labels = this.usual.labels
  }

  repaint(): void {
    for (const stage of this.stages) {
      const { paint } = stage
      paint.by = paint.choices.includes(this.state.colour) ? this.state.colour : paint.usual
      stage.walls.mode = this.state.walls
      stage.setForces(this.state.forces && stage.source.about.contacts !== false)
      stage.paintVertices()
    }
    this.renew()
  }

  get chosen(): Stage | undefined {
    return this.stages.find((stage) => stage.chosen >= 0)
  }

  choose(which: number, body: number, vertex: number): void {
    for (const stage of this.stages) stage.chosen = -1
    this.stages[which].chosen = body
    this.vertex = vertex
    if (body < 0) return this.chooseNone()
    this.state.chosen = `${which}:${body}`
    this.renew()
  }

  chooseNone(): void {
    this.state.chosen = ''
    this.state.follow = false
    for (const stage of this.stages) stage.chosen = -1
    this.renew()
  }

  // The body and the colours of the state.
  restoreChoice(): void {
    const [source, body] = this.state.chosen ? this.state.chosen.split(':').map(Number) : [-1, -1]
    for (const stage of this.stages) stage.chosen = -1
    if (this.stages[source] && body >= 0 && body < this.stages[source].source.about.bodies.length)
      this.stages[source].chosen = body
    if (!this.choices.includes(this.state.colour)) this.state.colour = this.usual.colour
    this.repaint()
  }
}
