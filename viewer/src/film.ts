// Films as the page sees them: a description, surfaces, and moments that are loaded when needed.

export interface Body {
  name: string
  form: number
  kind: number // 0 moving, 1 fixed, 2 driven, 3 removed
  mass: number // kg; 0: infinite
  colour: number // 0xrrggbb; -1: chosen by the page
}

export interface Form {
  radius?: number // of a sphere, m
  vertices?: number
  indices?: number
  plane: boolean
}

export interface Column {
  name: string
  unit: string
  values: number[]
}

export interface Description {
  title: string
  damage?: string
  moments: number
  times: number[]
  bodies: Body[]
  forms: Form[]
  ledger: Column[]
}

export interface Surface {
  positions: Float32Array
  normals: Float32Array
  indices: Uint32Array
}

// Per body: position 3, rotation 4 (x y z w), velocity 3, spin 3.
export const FLOATS = 13
// Per contact: a, b, impact, point 3, normal 3, impulse 3.
export const CONTACT_FLOATS = 12

// Where the bytes come from: the server, or the page itself.
export interface Source {
  count(): Promise<number>
  describe(film: number): Promise<Description>
  surfaces(film: number): Promise<ArrayBuffer>
  moments(film: number, first: number, count: number): Promise<Float32Array>
  contacts(film: number, moment: number): Promise<Float32Array>
}

class Server implements Source {
  private readonly token = new URLSearchParams(location.search).get('token')

  private async ask(path: string, values: Record<string, number>): Promise<Response> {
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(values)) query.set(key, String(value))
    if (this.token) query.set('token', this.token)
    const response = await fetch(`/${path}?${query}`)
    if (!response.ok) throw new Error(`${path}: ${(await response.text()).trim()}`)
    return response
  }

  async count() {
    return (await (await this.ask('films', {})).json()).films as number
  }
  async describe(film: number) {
    return (await (await this.ask('describe', { film })).json()) as Description
  }
  async surfaces(film: number) {
    return (await this.ask('surfaces', { film })).arrayBuffer()
  }
  async moments(film: number, first: number, count: number) {
    return new Float32Array(await (await this.ask('moments', { film, first, count })).arrayBuffer())
  }
  async contacts(film: number, moment: number) {
    return new Float32Array(await (await this.ask('contacts', { film, moment })).arrayBuffer())
  }
}

function bytesOf(id: string): ArrayBuffer {
  const text = document.getElementById(id)?.textContent ?? ''
  const words = atob(text)
  const bytes = new Uint8Array(words.length)
  for (let i = 0; i < words.length; ++i) bytes[i] = words.charCodeAt(i)
  return bytes.buffer
}

class Page implements Source {
  private readonly held = new Map<number, Float32Array>()
  private bodies = new Map<number, number>()

  async count() {
    return JSON.parse(document.getElementById('films')!.textContent!).films as number
  }
  async describe(film: number) {
    const found = JSON.parse(document.getElementById(`film-${film}-describe`)!.textContent!) as Description
    this.bodies.set(film, found.bodies.length)
    return found
  }
  async surfaces(film: number) {
    return bytesOf(`film-${film}-surfaces`)
  }
  async moments(film: number, first: number, count: number) {
    let all = this.held.get(film)
    if (!all) this.held.set(film, (all = new Float32Array(bytesOf(`film-${film}-moments`))))
    const size = FLOATS * this.bodies.get(film)!
    return all.subarray(first * size, (first + count) * size)
  }
  async contacts() {
    return new Float32Array()
  }
}

export function openSource(): Source {
  return document.getElementById('films') ? new Page() : new Server()
}

// Moments in pieces, the most recently used kept: a long film need not fit into memory.
export class Film {
  private readonly pieces = new Map<number, Float32Array>()
  private readonly asked = new Map<number, Promise<void>>()
  private readonly size: number
  private readonly piece: number
  private readonly most: number

  private constructor(
    readonly source: Source,
    readonly number: number,
    readonly about: Description,
    readonly surfaces: (Surface | null)[],
  ) {
    this.size = FLOATS * about.bodies.length
    this.piece = Math.max(1, Math.min(64, Math.floor((8 << 20) / (4 * this.size + 1))))
    this.most = Math.max(4, Math.floor((512 << 20) / (4 * this.size * this.piece + 1)))
  }

  static async open(source: Source, number: number): Promise<Film> {
    const about = await source.describe(number)
    const bytes = await source.surfaces(number)
    let at = 0
    const surfaces = about.forms.map((form) => {
      if (form.radius !== undefined) return null
      const corners = 3 * form.vertices!
      const positions = new Float32Array(bytes, at, corners)
      const normals = new Float32Array(bytes, at + 4 * corners, corners)
      const indices = new Uint32Array(bytes, at + 8 * corners, form.indices!)
      at += 8 * corners + 4 * form.indices!
      return { positions, normals, indices }
    })
    return new Film(source, number, about, surfaces)
  }

  // Null while it is on its way; whatever waits for it is told through the promise of `load`.
  moment(index: number): Float32Array | null {
    const number = Math.floor(index / this.piece)
    const piece = this.pieces.get(number)
    if (!piece) return null
    this.pieces.delete(number) // used last: goes to the end
    this.pieces.set(number, piece)
    const at = (index - number * this.piece) * this.size
    return piece.subarray(at, at + this.size)
  }

  load(index: number): Promise<void> {
    const number = Math.floor(index / this.piece)
    if (this.pieces.has(number)) return Promise.resolve()
    let asked = this.asked.get(number)
    if (!asked) {
      const first = number * this.piece
      const count = Math.min(this.piece, this.about.moments - first)
      asked = this.source.moments(this.number, first, count).then((piece) => {
        this.pieces.set(number, piece)
        this.asked.delete(number)
        if (this.pieces.size > this.most) this.pieces.delete(this.pieces.keys().next().value!)
      })
      this.asked.set(number, asked)
    }
    return asked
  }

  // The last moment that is not after a time.
  at(time: number): number {
    const times = this.about.times
    let low = 0
    let high = times.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (times[middle] <= time + 1e-9) low = middle
      else high = middle - 1
    }
    return low
  }

  get duration(): number {
    return this.about.times[this.about.times.length - 1] ?? 0
  }
}
