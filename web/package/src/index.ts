/**
 * Carom in JavaScript: rigid-body impacts that come out right, the same C code and the same bits as the library.
 *
 *     import { load } from 'carom'
 *     const carom = await load()
 *     const { velocities } = carom.resolve({ bodies, contacts }, 'wave')
 */
import { CaromError, compile, Instance } from './module'

export { CaromError } from './module'

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

const BODY = 16 // numbers of carom_impact_body
const CONTACT = 13 // of carom_impact_contact, its two indices in the first

const ZERO: Vector = [0, 0, 0]

function putVector(to: Float64Array, at: number, from: Vector): void {
  to[at] = from[0]
  to[at + 1] = from[1]
  to[at + 2] = from[2]
}

function putBody(to: Float64Array, at: number, body: Body): void {
  const inverseMass = 1 / (body.mass ?? 1)
  const inertia = body.inverseInertia ?? (inverseMass === 0 ? 0 : 10)
  to[at] = inverseMass
  for (let k = 0; k < 6; ++k) to[at + 1 + k] = typeof inertia !== 'number' ? inertia[k] : k < 3 ? inertia : 0
  putVector(to, at + 7, body.position ?? ZERO)
  putVector(to, at + 10, body.velocity ?? ZERO)
  putVector(to, at + 13, body.spin ?? ZERO)
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
      this.size = 2 * count
      this.at = this.instance.calls.carom_web_reserve(8 * this.size)
      if (!this.at) throw new CaromError('no memory', '', 'hand over fewer bodies at once')
    }
    return this.at
  }
}

/** Impacts for another engine, step by step. */
export class Pass {
  private readonly pass: number
  private readonly room: Room

  constructor(private readonly instance: Instance, { law, speed = -1, touch = -1, rounds = 0 }: PassOptions) {
    this.pass = instance.withTexts([law ?? null], (name) => instance.calls.carom_web_pass(name, speed, touch, rounds))
    if (!this.pass) throw instance.failure()
    this.room = new Room(instance)
    this.room.take(BODY)
  }
  begin(): void {
    this.instance.calls.carom_pass_begin(this.pass)
  }
  addBody(body: Body): number {
    const at = this.room.take(BODY)
    putBody(this.instance.memory.numbers, at / 8, body)
    return this.instance.calls.carom_pass_add_body(this.pass, at)
  }
  addContact(contact: PassContact): number {
    const at = this.room.take(BODY)
    const { numbers, integers } = this.instance.memory
    const n = at / 8
    integers[2 * n] = contact.a
    integers[2 * n + 1] = contact.b
    putVector(numbers, n + 1, contact.point)
    putVector(numbers, n + 4, contact.normal)
    numbers[n + 7] = contact.distance
    numbers[n + 8] = contact.restitution
    numbers[n + 9] = contact.friction ?? 0
    return this.instance.calls.carom_pass_add_contact(this.pass, at)
  }
  /** Resolves the impacts of a step of dt seconds. */
  resolve(dt: number): PassReport {
    const at = this.room.take(BODY)
    if (this.instance.calls.carom_pass_resolve(this.pass, dt, at, this.instance.calls.carom_web_failure()) !== 0)
      throw this.instance.failure()
    const { numbers, integers } = this.instance.memory
    const n = at / 8
    return { rounds: integers[2 * n], impacts: integers[2 * n + 1], left: integers[2 * n + 2],
      energyBefore: numbers[n + 2], energyAfter: numbers[n + 3] }
  }
  body(number: number): Motion {
    const at = this.instance.calls.carom_pass_body(this.pass, number)
    if (!at) throw new CaromError(`there is no body ${number}`, '', 'use what addBody returned')
    const { numbers, integers } = this.instance.memory
    const n = at / 8
    return { velocity: vector(numbers, n), spin: vector(numbers, n + 3), shift: vector(numbers, n + 6),
      struck: integers[2 * n + 18] !== 0 }
  }
  /** Whether the two of a contact part: it is then to be kept from the engine's own solver. */
  parts(contact: number): boolean {
    return this.instance.calls.carom_pass_parts(this.pass, contact) !== 0
  }
  /** m between the two of a contact after the shifts. */
  distance(contact: number): number {
    return this.instance.calls.carom_pass_distance(this.pass, contact)
  }
  close(): void {
    this.instance.calls.carom_pass_destroy(this.pass)
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
  private readonly inputs: [Room, Room, Room]

  constructor(private readonly module: WebAssembly.Module, private readonly instance: Instance) {
    if (instance.calls.carom_web_body_size() !== 8 * BODY || instance.calls.carom_web_contact_size() !== 8 * CONTACT)
      throw new CaromError('the module and its wrapper are of different versions', '', 'install the package again')
    this.inputs = [new Room(instance), new Room(instance), new Room(instance)]
  }

  /** Resolves one instant by a law. */
  resolve(impact: { bodies: Body[]; contacts: Contact[] }, law = 'wave'): Outcome {
    const { bodies, contacts } = impact
    const [bodyRoom, contactRoom, outRoom] = this.inputs
    const outSize = 6 * bodies.length + 3 * contacts.length + 3
    const at = [bodyRoom.take(BODY * bodies.length), contactRoom.take(CONTACT * contacts.length), outRoom.take(outSize)]
    const { numbers, integers } = this.instance.memory
    bodies.forEach((body, i) => putBody(numbers, at[0] / 8 + BODY * i, body))
    contacts.forEach((one, i) => {
      const n = at[1] / 8 + CONTACT * i
      integers.set([one.a, one.b], 2 * n)
      numbers.set([...one.point, ...one.normal, one.restitution ?? 1, one.friction ?? 0, one.stiffness ?? 1,
        one.exponent ?? 1.5, one.gap ?? 0, 0], n + 1)
    })
    const good = this.instance.withTexts([law], (name) =>
      this.instance.calls.carom_web_resolve(name, bodies.length, at[0], contacts.length, at[1], at[2]))
    if (!good) throw this.instance.failure()
    const out = this.instance.memory.numbers.subarray(at[2] / 8, at[2] / 8 + outSize)
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
    const instance = await Instance.create(this.module)
    instance.files.write('scene.json', typeof scene === 'string' ? scene : JSON.stringify(scene))
    for (const [name, bytes] of Object.entries(options.files ?? {})) instance.files.write(name, bytes)
    const args = ['run', 'scene.json', '--out', 'run.carom', '--json', '--threads', '1']
    if (options.law) args.push('--law', options.law)
    if (options.steps !== undefined) args.push('--steps', String(options.steps))
    for (const [path, value] of Object.entries(options.set ?? {})) args.push('--set', `${path}=${value}`)
    const { code, out, err } = instance.command(args)
    if (!out.trim().startsWith('{')) throw new CaromError(err.trim() || `carom ended with ${code}`, '', '')
    const summary = JSON.parse(out)
    return { hash: summary.hash, summary, trajectory: instance.files.read('run.carom') ?? new Uint8Array() }
  }

  /** Any command of `carom`, with files in and out. */
  async command(args: string[], files: Record<string, string | Uint8Array> = {}) {
    const instance = await Instance.create(this.module)
    for (const [name, bytes] of Object.entries(files)) instance.files.write(name, bytes)
    const result = instance.command(args)
    return { ...result, files: (path: string) => instance.files.read(path) }
  }

  /** An impact pass for another engine. */
  pass(options: PassOptions = {}): Pass {
    return new Pass(this.instance, options)
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
