// Sources as the page sees them: a description, surfaces, and frames that are loaded when needed.
import { Box3 } from 'three'
import { bytesOf, type Column, describe, type Description, type Settings } from './description'

export interface News {
  generation: number
  unreadable?: string // the file as it is now cannot be shown
  trouble?: string // the run stopped
  running?: boolean
  settings?: Settings
  frames?: number
  times?: number[]
  ledger?: Column[]
}

export interface Surface {
  positions: Float32Array
  normals: Float32Array
  channels: Float32Array[]
  indices: Uint32Array
}

// Per body: position 3, rotation 4 (x y z w), velocity 3, spin 3.
export const FLOATS = 13
// Per contact: a, b, impact, point 3, normal 3, impulse 3, duration (s; 0: an impact, or not known).
export const CONTACT_FLOATS = 13

// Where the bytes come from: the server, or the page itself.
export interface Provider {
  live: boolean
  count(): Promise<number>
  describe(source: number): Promise<Description>
  surfaces(source: number): Promise<ArrayBuffer>
  frames(source: number, first: number, count: number): Promise<Float32Array>
  contacts(source: number, frame: number): Promise<Float32Array>
  values(source: number, frame: number): Promise<Float32Array>
  news(source: number, have: number): Promise<News>
  control(source: number, change: Record<string, string | number>): Promise<void>
}

// Who answers part by part: a server, or a module in the page.
export abstract class Asked implements Provider {
  readonly live = true
  abstract count(): Promise<number>
  abstract control(source: number, change: Record<string, string | number>): Promise<void>
  protected abstract ask(part: string, values: Record<string, string | number>): Promise<Uint8Array>

  protected async text(part: string, values: Record<string, number>): Promise<string> {
    return new TextDecoder().decode(await this.ask(part, values))
  }
  private async floats(part: string, values: Record<string, number>): Promise<Float32Array> {
    const bytes = await this.ask(part, values)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  }

  async describe(source: number) {
    return describe(await this.text('describe', { source }))
  }
  async surfaces(source: number) {
    return (await this.ask('surfaces', { source })).buffer as ArrayBuffer
  }
  frames(source: number, first: number, count: number) {
    return this.floats('frames', { source, first, count })
  }
  contacts(source: number, frame: number) {
    return this.floats('contacts', { source, frame })
  }
  values(source: number, frame: number) {
    return this.floats('values', { source, frame })
  }
  async news(source: number, have: number) {
    return JSON.parse(await this.text('news', { source, have })) as News
  }
}

class Server extends Asked {
  private readonly token = new URLSearchParams(location.search).get('token')

  private async fetch(path: string, values: Record<string, string | number>, method: string): Promise<Response> {
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(values)) query.set(key, String(value))
    if (this.token) query.set('token', this.token)
    const response = await fetch(`/${path}?${query}`, { method })
    if (!response.ok) throw new Error(`${path}: ${(await response.text()).trim()}`)
    return response
  }
  protected async ask(path: string, values: Record<string, string | number>) {
    return new Uint8Array(await (await this.fetch(path, values, 'GET')).arrayBuffer())
  }
  async count() {
    return JSON.parse(await this.text('sources', {})).sources as number
  }
  async control(source: number, change: Record<string, string | number>) {
    await this.fetch('control', { source, ...change }, 'POST')
  }
}

const partOf = (id: string) => bytesOf(document.getElementById(id)?.textContent ?? '').buffer

// Numbers as src/view/view_page.c packs them: those of one kind together, of one body in the order of time, by the
// significance of their bytes, deflated.
async function unpack(packed: ArrayBuffer): Promise<Float32Array> {
  const [count, frames, kinds] = packed.byteLength < 12 ? [0, 1, 1] : new Uint32Array(packed.slice(0, 12))
  const words = new Uint32Array(count)
  if (count === 0) return new Float32Array(words.buffer)
  const stream = new Blob([packed.slice(12)]).stream().pipeThrough(new DecompressionStream('deflate'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const alike = count / kinds
  const bodies = alike / frames
  for (let kind = 0; kind < kinds; ++kind) {
    const from = 4 * kind * alike
    for (let i = 0; i < alike; ++i) {
      const body = Math.floor(i / frames)
      const to = ((i - body * frames) * bodies + body) * kinds + kind
      words[to] = bytes[from + i] | (bytes[from + alike + i] << 8) | (bytes[from + 2 * alike + i] << 16) | (bytes[from + 3 * alike + i] << 24)
    }
  }
  return new Float32Array(words.buffer)
}

class Page implements Provider {
  readonly live = false
  private readonly held = new Map<number, Promise<Float32Array>>()
  private readonly pieces = new Map<string, Promise<Float32Array[]>>() // per frame, of the sources' parts
  private readonly bodies = new Map<number, number>()

  async count() {
    return JSON.parse(document.getElementById('sources')!.textContent!).sources as number
  }
  async describe(source: number) {
    const found = describe(document.getElementById(`source-${source}-describe`)!.textContent!)
    this.bodies.set(source, found.bodies.length)
    if (found.kind === 'live') found.kind = 'recording' // nothing runs
    return found
  }
  async surfaces(source: number) {
    return partOf(`source-${source}-surfaces`)
  }
  async frames(source: number, first: number, count: number) {
    let all = this.held.get(source)
    if (!all) this.held.set(source, (all = unpack(partOf(`source-${source}-frames`))))
    const size = FLOATS * this.bodies.get(source)!
    return (await all).subarray(first * size, (first + count) * size)
  }
  private async piece(id: string, frame: number): Promise<Float32Array> {
    let all = this.pieces.get(id)
    if (!all) this.pieces.set(id, (all = this.split(partOf(id))))
    return (await all)[frame] ?? new Float32Array()
  }
  // Arrays of different lengths: their number and lengths stand before all of them.
  private async split(bytes: ArrayBuffer): Promise<Float32Array[]> {
    const count = bytes.byteLength < 4 ? 0 : new DataView(bytes).getUint32(0, true)
    const sizes = new Uint32Array(bytes.slice(4, 4 + 4 * count))
    const all = await unpack(bytes.slice(4 + 4 * count))
    let at = 0
    return Array.from(sizes, (size) => all.subarray(at, (at += size)))
  }
  async contacts(source: number, frame: number) {
    return this.piece(`source-${source}-contacts`, frame)
  }
  async values(source: number, frame: number) {
    return this.piece(`source-${source}-values`, frame)
  }
  async news(): Promise<News> {
    return { generation: 0 }
  }
  async control() {}
}

export function openProvider(): Provider {
  return document.getElementById('sources') ? new Page() : new Server()
}

const AHEAD = 32

// Frames in pieces, the most recently used kept: a long source need not fit into memory.
export class Source {
  private readonly pieces = new Map<number, Float32Array>()
  private readonly asked = new Map<number, Promise<void>>()
  private readonly size: number
  private readonly piece: number
  private readonly max: number

  private constructor(
    readonly provider: Provider,
    readonly number: number,
    readonly about: Description,
    readonly surfaces: (Surface | null)[],
    readonly generation: number,
  ) {
    this.size = FLOATS * about.bodies.length
    this.piece = Math.max(1, Math.min(64, Math.floor((4 << 20) / (4 * this.size + 1))))
    this.max = Math.max(4, Math.floor((256 << 20) / (4 * this.size * this.piece + 1)))
  }

  static async open(provider: Provider, number: number): Promise<Source> {
    const { generation } = await provider.news(number, 999999999)
    const about = await provider.describe(number)
    const bytes = await provider.surfaces(number)
    let at = 0
    const take = (count: number) => {
      at += 4 * count
      return new Float32Array(bytes, at - 4 * count, count)
    }
    const surfaces = about.forms.map((form) => {
      if (form.radius !== undefined) return null
      const positions = take(3 * form.vertices!)
      const normals = take(3 * form.vertices!)
      const channels = Array.from({ length: form.channels ?? 0 }, () => take(form.vertices!))
      at += 4 * form.indices!
      return { positions, normals, channels, indices: new Uint32Array(bytes, at - 4 * form.indices!, form.indices!) }
    })
    return new Source(provider, number, about, surfaces, generation)
  }

  // What came since: frames are appended; the rest of the description stays.
  grow(news: News): boolean {
    if (news.running !== undefined) this.about.running = news.running
    if (!news.times?.length) return false
    this.about.times.push(...news.times)
    this.about.frames = this.about.times.length
    for (const column of news.ledger ?? [])
      this.about.ledger.find((one) => one.name === column.name)?.values.push(...column.values)
    return true
  }

  // Null while it is on its way; whatever waits for it is told through the promise of `load`.
  frame(index: number): Float32Array | null {
    const number = Math.floor(index / this.piece)
    const piece = this.pieces.get(number)
    const at = (index - number * this.piece) * this.size
    if (!piece || at + this.size > piece.length) return null
    this.pieces.delete(number) // used last: goes to the end
    this.pieces.set(number, piece)
    return piece.subarray(at, at + this.size)
  }

  load(index: number): Promise<void> {
    const number = Math.floor(index / this.piece)
    if (this.frame(index)) return Promise.resolve()
    let asked = this.asked.get(number)
    if (!asked) {
      const first = number * this.piece
      const count = Math.min(this.piece, this.about.frames - first)
      asked = this.provider
        .frames(this.number, first, count)
        .then((piece) => {
          this.pieces.set(number, piece)
          if (this.pieces.size > this.max) this.pieces.delete(this.pieces.keys().next().value!)
        })
        .finally(() => this.asked.delete(number))
      this.asked.set(number, asked)
    }
    return asked
  }

  // How many frames before it is needed a piece is asked for.
  get ahead(): number {
    return Math.min(AHEAD, this.piece)
  }

  // The last frame that is not after a time.
  at(time: number): number {
    const times = this.about.times
    const slack = 1e-9 * (this.about.rate ?? 1)
    let low = 0
    let high = times.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (times[middle] <= time + slack) low = middle
      else high = middle - 1
    }
    return low
  }

  // How far a form goes from its centre; 0 for planes.
  reach(form: number): number {
    let found = this.reaches.get(form)
    if (found !== undefined) return found
    const { radius, plane } = this.about.forms[form]
    const surface = this.surfaces[form]
    found = radius ?? 0
    if (surface && !plane)
      for (let i = 0; i < surface.positions.length; i += 3)
        found = Math.max(found, Math.hypot(surface.positions[i], surface.positions[i + 1], surface.positions[i + 2]))
    this.reaches.set(form, found)
    return found
  }
  private readonly reaches = new Map<number, number>()

  // The box around a surface, in its own frame.
  box(form: number): Box3 {
    let found = this.boxes.get(form)
    if (!found) this.boxes.set(form, (found = new Box3().setFromArray(this.surfaces[form]!.positions)))
    return found
  }
  private readonly boxes = new Map<number, Box3>()

  get duration(): number {
    return this.about.times[this.about.times.length - 1] ?? 0
  }

  // "wave" where laws stand side by side, else the title.
  get words(): string {
    return this.about.law ? `${this.about.title} · ${this.about.law}` : this.about.title
  }
}
