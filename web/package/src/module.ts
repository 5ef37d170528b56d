// Carom as a WebAssembly module: instances, memory, and calls.
import { FileSystem, Wasi } from './wasi'

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

/** One instance with a memory and a file system of its own. */
export class Instance {
  private views?: { numbers: Float64Array; integers: Int32Array }

  private constructor(readonly files: FileSystem, private readonly wasi: Wasi, readonly calls: Exports) {}

  /** The memory as numbers and as integers. Ask again after a call: where memory grew, the former are empty. */
  get memory(): { numbers: Float64Array; integers: Int32Array } {
    const { buffer } = this.calls.memory
    if (this.views?.numbers.buffer !== buffer) this.views = { numbers: new Float64Array(buffer), integers: new Int32Array(buffer) }
    return this.views
  }

  static async create(module: WebAssembly.Module, files = new FileSystem()): Promise<Instance> {
    const wasi = new Wasi(files, { CAROM_CACHE: '' })
    const instance = await WebAssembly.instantiate(module, wasi.imports)
    const calls = instance.exports as unknown as Exports
    wasi.memory = calls.memory
    calls._initialize()
    return new Instance(files, wasi, calls)
  }

  /** Runs `use` with texts in memory. */
  withTexts<T>(texts: (string | null)[], use: (...places: number[]) => T): T {
    const places = texts.map((text) => {
      if (text === null) return 0
      const bytes = new TextEncoder().encode(`${text}\0`)
      const at = this.calls.carom_web_reserve(bytes.length)
      new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes)
      return at
    })
    try {
      return use(...places)
    } finally {
      for (const at of places) if (at) this.calls.carom_web_release(at)
    }
  }

  text(at: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer, at)
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))
  }

  failure(): CaromError {
    const { what, where, fix } = JSON.parse(this.text(this.calls.carom_web_error()))
    return new CaromError(what || 'no memory', where, fix)
  }

  /** Runs `carom` with these arguments; files are those of this instance. */
  command(args: string[]): { code: number; out: string; err: string } {
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

function lines(values: Record<string, string | number>): string {
  return Object.entries(values).map(([key, value]) => `${key}=${value}`).join('\n')
}

/** Unpacks and compiles a module that is gzipped or plain. */
export async function compile(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return WebAssembly.compile(bytes)
  const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
  return WebAssembly.compile(await plain.arrayBuffer())
}
