// Carom as a WebAssembly module: instances, memory, and calls.
import { Exit, FileSystem, Wasi } from './wasi.js'

interface Exports {
  memory: WebAssembly.Memory
  _initialize(): void
  carom_web_reserve(size: number): number
  carom_web_release(at: number): void
  carom_web_failure(): number
  carom_web_error(): number
  carom_web_command(lines: number): number
  carom_web_open(path: number, law: number): number
  carom_web_set(path: number, setting: number): number
  carom_web_close(): void
  carom_web_ask(part: number, values: number): number
  carom_web_size(): number
  carom_web_change(values: number): number
  carom_web_body_size(): number
  carom_web_contact_size(): number
  carom_web_resolve(law: number, bodies: number, body: number, contacts: number, contact: number, out: number): number
  carom_web_pass(law: number, speed: number, touch: number, rounds: number): number
  carom_pass_destroy(pass: number): void
  carom_pass_begin(pass: number): void
  carom_pass_add_body(pass: number, body: number): number
  carom_pass_add_contact(pass: number, contact: number): number
  carom_pass_resolve(pass: number, dt: number, report: number, error: number): number
  carom_pass_body(pass: number, body: number): number
  carom_pass_parts(pass: number, contact: number): number
  carom_pass_distance(pass: number, contact: number): number
}

/** What went wrong, where, and what to try next. */
export class CaromError extends Error {
  constructor(readonly what: string, readonly where: string, readonly fix: string) {
    super([where ? `${where}: ${what}` : what, fix && `Fix: ${fix}.`].filter(Boolean).join(' '))
    this.name = 'CaromError'
  }
}

const NO_MEMORY = ['no memory in the module', '', 'hand over less at once'] as const
const MAX_BYTES = 2 ** 31 // an address has 32 bits, and half of them is more than there is

/** One instance with a memory and a file system of its own. */
export class Instance {
  private views?: { numbers: Float64Array; integers: Int32Array }
  /** Why nothing can be called any more; empty while all is well. */
  ended = ''
  readonly calls: Exports

  private constructor(readonly files: FileSystem, private readonly wasi: Wasi, exports: WebAssembly.Exports) {
    const guarded = Object.entries(exports).map(([name, one]) => [name, typeof one === 'function' ? this.guarded(one) : one])
    this.calls = Object.fromEntries(guarded) as unknown as Exports
    wasi.memory = this.calls.memory
    this.calls._initialize()
  }

  /** A function of the module. What ends it in the middle (its stack or memory is used up) leaves a state that nobody knows. */
  private guarded(one: Function): Function {
    return (...values: unknown[]) => {
      if (this.ended) throw new CaromError(`the module has ended before: ${this.ended}`, '', 'make anew what you call this on')
      try {
        return one(...values)
      } catch (error) {
        if (error instanceof Exit) throw error
        this.ended = error instanceof Error ? error.message : String(error)
        throw new CaromError(`the module ended: ${this.ended}`, '', 'hand over less at once, or a smaller scene')
      }
    }
  }

  /** The memory as numbers and as integers. Ask again after a call: where memory grew, the former are empty. */
  get memory(): { numbers: Float64Array; integers: Int32Array } {
    const { buffer } = this.calls.memory
    if (this.views?.numbers.buffer !== buffer) this.views = { numbers: new Float64Array(buffer), integers: new Int32Array(buffer) }
    return this.views
  }

  static async create(module: WebAssembly.Module, files = new FileSystem()): Promise<Instance> {
    const wasi = new Wasi(files, { CAROM_CACHE: '' })
    return new Instance(files, wasi, (await WebAssembly.instantiate(module, wasi.imports)).exports)
  }

  /** The same at once, for one that has ended. */
  static again(module: WebAssembly.Module): Instance {
    const files = new FileSystem()
    const wasi = new Wasi(files, { CAROM_CACHE: '' })
    return new Instance(files, wasi, new WebAssembly.Instance(module, wasi.imports).exports)
  }

  /** The address of memory, to be released. */
  reserve(size: number): number {
    const at = size < MAX_BYTES ? this.calls.carom_web_reserve(size) : 0
    if (!at) throw new CaromError(...NO_MEMORY)
    return at >>> 0
  }

  /** Runs `use` with texts in memory. */
  withTexts<T>(texts: (string | null)[], use: (...places: number[]) => T): T {
    const places: number[] = []
    try {
      for (const text of texts) places.push(text === null ? 0 : this.putText(text))
      return use(...places)
    } finally {
      for (const at of places) if (at && !this.ended) this.calls.carom_web_release(at)
    }
  }

  private putText(text: string): number {
    if (typeof text !== 'string' || text.includes('\0'))
      throw new CaromError(`${shown(text)} is no text`, '', 'give a string without NUL characters')
    const bytes = new TextEncoder().encode(`${text}\0`)
    const at = this.reserve(bytes.length)
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes)
    return at
  }

  text(at: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer, at >>> 0)
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))
  }

  failure(): CaromError {
    const at = this.calls.carom_web_error()
    if (!at) return new CaromError(...NO_MEMORY)
    const { what, where, fix } = JSON.parse(this.text(at))
    return what ? new CaromError(what, where, fix) : new CaromError(...NO_MEMORY)
  }

  /** Runs `carom` with these arguments; files are those of this instance. */
  command(args: string[]): { code: number; out: string; err: string } {
    if (!Array.isArray(args) || args.some((one) => typeof one !== 'string' || one === '' || one.includes('\n')))
      throw new CaromError(`${shown(args)} are no arguments`, '', 'give a list of strings of one line each, none of them empty')
    this.wasi.streams.out = this.wasi.streams.err = ''
    const code = this.withTexts([args.join('\n')], (lines) => this.wasi.run(() => this.calls.carom_web_command(lines)))
    return { code, out: this.wasi.streams.out, err: this.wasi.streams.err }
  }

  /** Opens a file for a viewer; returns its number. */
  open(path: string, law: string | null): number {
    const number = this.withTexts([path, law], (p, l) => this.calls.carom_web_open(p, l))
    if (number < 0) throw this.failure()
    return number
  }

  /** Changes a value of a scene file by its path: "materials.*.friction=0.3". */
  set(path: string, setting: string): void {
    if (!this.withTexts([path, setting], (p, s) => this.calls.carom_web_set(p, s))) throw this.failure()
  }

  /** What a viewer asks of its sources. */
  ask(part: string, values: Record<string, string | number>): Uint8Array {
    const at = this.withTexts([part, lines(values)], (p, v) => this.calls.carom_web_ask(p, v))
    if (!at) throw this.failure()
    return new Uint8Array(this.calls.memory.buffer, at, this.calls.carom_web_size()).slice()
  }

  change(values: Record<string, string | number>): void {
    if (!this.withTexts([lines(values)], (v) => this.calls.carom_web_change(v))) throw this.failure()
  }
}

/** A value in a message. */
export function shown(value: unknown): string {
  let words: string | undefined
  try {
    words = typeof value === 'number' ? String(value) : JSON.stringify(value)
  } catch {
    words = undefined // circular, or a BigInt
  }
  words ??= String(value)
  return words.length > 60 ? `${words.slice(0, 57)}...` : words
}

function lines(values: Record<string, string | number>): string {
  return Object.entries(values).map(([key, value]) => `${key}=${value}`).join('\n')
}

/** Unpacks and compiles a module that is gzipped or plain. */
export async function compile(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return WebAssembly.compile(bytes)
  const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
  return WebAssembly.compile(await plain.arrayBuffer())
}
