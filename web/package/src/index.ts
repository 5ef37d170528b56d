/**
 * Carom in JavaScript: rigid-body impacts that come out right, the same C code and the same bits as the library.
 *
 *     import { load } from 'carom'
 *     const carom = await load()
 *     const { velocities } = carom.resolve({ bodies, contacts }, 'wave')
 */
import { BODY, CONTACT, need, needObject, putBody, putContact, putIndex, putNumber, putVector } from './given.js'
import { CaromError, compile, Instance, shown } from './module.js'

export { CaromError } from './module.js'

export type Vector = [number, number, number]

/** A body of an instant. Inverse mass and inertia 0: fixed or driven. */
export interface Body {
  mass?: number // kg; default 1; Infinity: immovable
  inverseInertia?: number | number[] // 1/(kg m^2): one number for all axes, or xx yy zz xy xz yz; default 10
  position?: Vector // m
  velocity?: Vector // m/s
  spin?: Vector // rad/s
}

/** Two bodies that touch. */
export interface Contact {
  a: number
  b: number
  point: Vector // m
  normal: Vector // unit vector from a to b
  restitution?: number // default 1
  friction?: number // default 0
  stiffness?: number // of a contact spring; default 1; only ratios matter
  exponent?: number // default 1.5, Hertz
  gap?: number // m, default 0
  tangentialRestitution?: number // -1 to 1: share of the slip that comes back where it sticks; default 0
  shift?: Vector // m: b touches a not where it is but so far from there, as an image in a periodic box; default 0, 0, 0
}

/** What an impact leaves. */
export interface Outcome {
  velocities: Vector[] // m/s
  spins: Vector[] // rad/s
  impulses: Vector[] // N s, on b
  energyBefore: number // J
  energyAfter: number // J
  sweeps: number
}

/** A contact as another engine finds it at the beginning of a step; see carom/pass.h. */
export interface PassContact {
  a: number
  b: number
  point: Vector
  normal: Vector
  distance: number // m between the surfaces; negative: overlap
  restitution: number
  friction?: number
}

/** How a pass works; what is left out has the default of carom/pass.h. */
export interface PassOptions {
  law?: string // default qce
  speed?: number // m/s: contacts that approach more slowly rest, which is the engine's affair; default 0.01
  touch?: number // m: contacts not further apart than this pass a shock on at once; default 1e-5
  rounds?: number // most instants of one group of bodies within a step; default 16
}

/** What a pass did. */
export interface PassReport {
  rounds: number // instants, one after the other
  impacts: number // contacts that passed an impulse on
  left: number // contacts that would still meet within the step
  energyBefore: number // J, kinetic
  energyAfter: number // J
}

/** What became of a body in a pass. */
export interface Motion {
  velocity: Vector // m/s
  spin: Vector // rad/s
  shift: Vector // m, to be added to its position
  struck: boolean
}

function vector(numbers: Float64Array, at: number): Vector {
  return [numbers[at], numbers[at + 1], numbers[at + 2]]
}

/** Room in the module's memory for numbers, kept and grown. */
class Room {
  private at = 0
  private size = 0
  constructor(private readonly instance: Instance) {}

  /** The address of room for this many numbers. */
  take(count: number): number {
    if (count > this.size) {
      if (this.at) this.instance.calls.carom_web_release(this.at)
      this.at = this.size = 0 // until there is another
      this.at = this.instance.reserve(16 * count)
      this.size = 2 * count
    }
    return this.at
  }
}

/** Impacts for another engine, step by step. */
export class Pass {
  private pass: number
  private readonly room: Room

  constructor(private readonly instance: Instance, options: PassOptions) {
    needObject(options, 'options')
    const { law, speed = -1, touch = -1, rounds = 0 } = options
    for (const [name, value] of Object.entries({ speed, touch, rounds })) need(typeof value === 'number', name, value, 'give a number')
    need(Number.isInteger(rounds) && Math.abs(rounds) < 2 ** 31, 'rounds', rounds, 'give a whole number')
    this.pass = instance.withTexts([law ?? null], (name) => instance.calls.carom_web_pass(name, speed, touch, rounds))
    if (!this.pass) throw instance.failure()
    this.room = new Room(instance)
    this.room.take(BODY)
  }
  private get open(): number {
    if (!this.pass) throw new CaromError('this pass is closed', '', 'make another: carom.pass()')
    return this.pass
  }
  begin(): void {
    this.instance.calls.carom_pass_begin(this.open)
  }
  addBody(body: Body): number {
    const pass = this.open
    const at = this.room.take(BODY)
    putBody(this.instance.memory.numbers, at / 8, body)
    return this.added(this.instance.calls.carom_pass_add_body(pass, at))
  }
  addContact(contact: PassContact): number {
    const pass = this.open
    const at = this.room.take(BODY)
    const { numbers, integers } = this.instance.memory
    const n = at / 8
    needObject(contact, 'the contact')
    putIndex(integers, 2 * n, contact.a, 'a')
    putIndex(integers, 2 * n + 1, contact.b, 'b')
    putVector(numbers, n + 1, contact.point, 'point')
    putVector(numbers, n + 4, contact.normal, 'normal')
    putNumber(numbers, n + 7, contact.distance, 'distance')
    putNumber(numbers, n + 8, contact.restitution, 'restitution')
    putNumber(numbers, n + 9, contact.friction ?? 0, 'friction')
    return this.added(this.instance.calls.carom_pass_add_contact(pass, at))
  }
  private added(number: number): number {
    if (number < 0) throw new CaromError('no memory in the module', '', 'begin() anew, and hand over less in one step')
    return number
  }
  /** Resolves the impacts of a step of dt seconds. */
  resolve(dt: number): PassReport {
    const pass = this.open
    need(typeof dt === 'number', 'dt', dt, 'give seconds')
    const at = this.room.take(BODY)
    if (this.instance.calls.carom_pass_resolve(pass, dt, at, this.instance.calls.carom_web_failure()) !== 0)
      throw this.instance.failure()
    const { numbers, integers } = this.instance.memory
    const n = at / 8
    return { rounds: integers[2 * n], impacts: integers[2 * n + 1], left: integers[2 * n + 2],
      energyBefore: numbers[n + 2], energyAfter: numbers[n + 3] }
  }
  body(number: number): Motion {
    const at = Number.isInteger(number) ? this.instance.calls.carom_pass_body(this.open, number) : 0
    if (!at) throw new CaromError(`there is no body ${shown(number)}`, '', 'use what addBody returned')
    const { numbers, integers } = this.instance.memory
    const n = (at >>> 0) / 8
    return { velocity: vector(numbers, n), spin: vector(numbers, n + 3), shift: vector(numbers, n + 6),
      struck: integers[2 * n + 18] !== 0 }
  }
  /** Whether the two of a contact part: it is then to be kept from the engine's own solver. */
  parts(contact: number): boolean {
    return this.instance.calls.carom_pass_parts(this.open, contact) !== 0
  }
  /** m between the two of a contact after the shifts. */
  distance(contact: number): number {
    return this.instance.calls.carom_pass_distance(this.open, contact)
  }
  /** Gives its memory back; a second time does nothing. */
  close(): void {
    if (this.pass && !this.instance.ended) this.instance.calls.carom_pass_destroy(this.pass)
    this.pass = 0
  }
}

/** How a world is run. */
export interface RunOptions {
  files?: Record<string, string | Uint8Array> // meshes and the like, by the names that the scene uses
  law?: string
  set?: Record<string, string | number> // any value of the scene by its path
  steps?: number
}

/** A run to its end. */
export interface Run {
  hash: string // of the last state: that of the native library
  summary: Record<string, unknown> // as `carom run --json`
  trajectory: Uint8Array // a .carom file
}

export class Carom {
  private inputs: [Room, Room, Room]

  constructor(private readonly module: WebAssembly.Module, private current: Instance) {
    if (current.calls.carom_web_body_size() !== 8 * BODY || current.calls.carom_web_contact_size() !== 8 * CONTACT)
      throw new CaromError('the module and its wrapper are of different versions', '', 'install the package again')
    this.inputs = [new Room(current), new Room(current), new Room(current)]
  }

  // One that has ended makes room for another: what went wrong in one call is nothing to the next.
  private get instance(): Instance {
    if (this.current.ended) {
      this.current = Instance.again(this.module)
      this.inputs = [new Room(this.current), new Room(this.current), new Room(this.current)]
    }
    return this.current
  }

  /** Resolves one instant by a law. */
  resolve(impact: { bodies: Body[]; contacts: Contact[] }, law = 'wave'): Outcome {
    needObject(impact, 'the instant')
    const { bodies, contacts } = impact
    need(Array.isArray(bodies), 'bodies', bodies, 'give a list')
    need(Array.isArray(contacts), 'contacts', contacts, 'give a list')
    const instance = this.instance
    const [bodyRoom, contactRoom, outRoom] = this.inputs
    const outSize = 6 * bodies.length + 3 * contacts.length + 3
    const at = [bodyRoom.take(BODY * bodies.length), contactRoom.take(CONTACT * contacts.length), outRoom.take(outSize)]
    const { numbers, integers } = instance.memory
    for (let i = 0; i < bodies.length; ++i) putBody(numbers, at[0] / 8 + BODY * i, bodies[i], i)
    for (let i = 0; i < contacts.length; ++i) putContact(numbers, integers, at[1] / 8 + CONTACT * i, contacts[i], i)
    const good = instance.withTexts([law], (name) =>
      instance.calls.carom_web_resolve(name, bodies.length, at[0], contacts.length, at[1], at[2]))
    if (!good) throw instance.failure()
    const out = instance.memory.numbers.subarray(at[2] / 8, at[2] / 8 + outSize)
    const after = 6 * bodies.length
    return {
      velocities: bodies.map((_, i) => vector(out, 6 * i)),
      spins: bodies.map((_, i) => vector(out, 6 * i + 3)),
      impulses: contacts.map((_, i) => vector(out, after + 3 * i)),
      energyBefore: out[outSize - 3], energyAfter: out[outSize - 2], sweeps: out[outSize - 1],
    }
  }

  /** Runs a scene (an object or the text of a file) to its end. */
  async run(scene: object | string, options: RunOptions = {}): Promise<Run> {
    needObject(options, 'options')
    const args = ['run', 'scene.json', '--out', 'run.carom', '--json', '--threads', '1']
    if (options.law !== undefined) args.push('--law', options.law)
    if (options.steps !== undefined) args.push('--steps', String(options.steps))
    for (const [path, value] of Object.entries(options.set ?? {})) args.push('--set', `${path}=${value}`)
    const { code, out, err, files } = await this.command(args, { ...options.files, 'scene.json': sceneText(scene) })
    if (!out.trim().startsWith('{')) throw new CaromError(err.trim() || `carom ended with ${code}`, '', '')
    const summary = JSON.parse(out)
    return { hash: summary.hash, summary, trajectory: files('run.carom') ?? new Uint8Array() }
  }

  /** Any command of `carom`, with files in and out. */
  async command(args: string[], files: Record<string, string | Uint8Array> = {}) {
    const instance = await Instance.create(this.module)
    needObject(files, 'files')
    for (const [name, bytes] of Object.entries(files)) {
      need(typeof bytes === 'string' || bytes instanceof Uint8Array, `the file ${name}`, bytes, 'give a string or a Uint8Array')
      instance.files.write(name, bytes)
    }
    const result = instance.command(args)
    return { ...result, files: (path: string) => instance.files.read(path) }
  }

  /** An impact pass for another engine. */
  pass(options: PassOptions = {}): Pass {
    return new Pass(this.instance, options)
  }
}

function sceneText(scene: object | string): string {
  if (typeof scene === 'string') return scene
  needObject(scene, 'the scene')
  try {
    return JSON.stringify(scene)
  } catch (error) {
    throw new CaromError(`the scene cannot be written as JSON: ${(error as Error).message}`, '', 'give plain objects, arrays, texts and numbers')
  }
}

/** Carom from the bytes of the module, or from the package's own file. */
export async function load(bytes?: Uint8Array<ArrayBuffer>): Promise<Carom> {
  const module = await compile(bytes ?? (await ownBytes()))
  return new Carom(module, await Instance.create(module))
}

async function ownBytes(): Promise<Uint8Array<ArrayBuffer>> {
  const address = new URL('./carom.wasm.gz', import.meta.url)
  if (address.protocol !== 'file:') return new Uint8Array(await (await fetch(address)).arrayBuffer())
  const files = 'node:fs/promises' // not for bundlers
  const { readFile } = await import(/* @vite-ignore */ files)
  return new Uint8Array(await readFile(address))
}
