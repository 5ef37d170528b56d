// What bodies are coloured by, and the scale that goes with it.
import * as THREE from 'three'
import { bodyColour, ramp, type Rgb, STILL, STILL_DARK } from './colours'
import type { Extent } from './extent'
import type { Scale } from './description'
import { FLOATS, type Source, type Surface } from './source'

const MANY = 24 // moving bodies from which on eight colours tell nothing
const PALE = 0xc3cad1
const rgb: Rgb = [0, 0, 0]

export class Painter {
  by = 'body'
  dark = false // the page
  pale = false // beside bars of force bodies that show no quantity are grey
  fastest = 1e-12 // m/s
  private lowest = 0
  private highest = 1
  private heaviest = 1e-12
  private liveliest = 1e-12
  private largest = 1e-300 // of the values of the source, as far as they were seen
  private values: Float32Array | null = null
  private start: Float32Array | null = null // 0 to 1: where a body began, along the longest way
  private readonly many: boolean // bodies move
  private readonly coloured: boolean // by the scene, some of what moves
  private readonly ranges = new Map<string, [number, number]>() // of numbers per vertex

  constructor(private readonly source: Source) {
    const { bodies } = source.about
    for (const body of bodies) this.heaviest = Math.max(this.heaviest, body.mass)
    this.many = bodies.filter((body) => body.kind === 0).length > MANY
    this.coloured = bodies.some((body) => body.kind === 0 && body.colour >= 0)
    source.about.channels?.forEach((channel, which) => this.ranges.set(channel.name, this.range(which)))
  }

  private range(which: number): [number, number] {
    let min = Infinity
    let max = -Infinity
    for (const surface of this.source.surfaces)
      for (const value of surface?.channels[which] ?? []) {
        if (!Number.isFinite(value)) continue
        min = Math.min(min, value)
        max = Math.max(max, value)
      }
    return min <= max ? [min, max] : [0, 1]
  }

  get choices(): string[] {
    const { about } = this.source
    if (about.channels) return about.channels.map((one) => one.name)
    const out = ['body', 'speed', 'energy', 'height', 'mass']
    if (this.many) out.splice(1, 0, 'start')
    if (about.bodies[0]?.restitution !== undefined) out.push('restitution', 'friction')
    if (about.values) out.push(about.values.name)
    return out
  }


  // What a source opens with.
  get usual(): string {
    const { about } = this.source
    if (about.channels) return about.channels[0].name
    if (about.kind === 'chain' && about.values && about.forms.some((form) => form.radius === undefined && (form.vertices ?? 0) > 30)) return about.values.name
    if (about.kind === 'chain' && this.many) return 'speed' // where the wave is
    return this.many && !this.coloured ? 'start' : 'body'
  }

  // The scale beside the picture; null for plain colours.
  get scale(): Scale | null {
    const { about } = this.source
    const channel = about.channels?.find((one) => one.name === this.by)
    if (channel) {
      const [min, max] = this.ranges.get(channel.name)!
      return { ...channel, min, max }
    }
    if (about.values?.name === this.by)
      return { ...about.values, min: about.values.signed ? -this.largest : 0, max: this.largest }
    const known: Record<string, [string, number, number]> = {
      speed: ['m/s', 0, this.fastest],
      energy: ['J', 0, this.liveliest],
      height: ['m', this.lowest, this.highest],
      mass: ['kg', 0, this.heaviest],
      restitution: ['1', 0, 1],
      friction: ['1', 0, 1],
    }
    const found = known[this.by]
    return found ? { name: this.by, unit: found[0], min: found[1], max: found[2] } : null
  }

  get wantsValues(): boolean {
    return this.source.about.values?.name === this.by
  }

  // Whether colours change with time.
  get changes(): boolean {
    return this.wantsValues || ['speed', 'energy', 'height'].includes(this.by)
  }

  measure(frames: Float32Array[], extent: Extent): void {
    const { bodies } = this.source.about
    this.lowest = extent.box.min.z
    this.highest = Math.max(extent.box.max.z, extent.box.min.z + 1e-12)
    for (const frame of frames)
      bodies.forEach((body, i) => {
        const at = i * FLOATS
        if (body.kind !== 0 || Number.isNaN(frame[at])) return
        const v2 = frame[at + 7] ** 2 + frame[at + 8] ** 2 + frame[at + 9] ** 2
        this.fastest = Math.max(this.fastest, Math.sqrt(v2))
        this.liveliest = Math.max(this.liveliest, 0.5 * body.mass * v2)
      })
    if (!this.start && this.many) this.findStart(frames[0])
  }

  private findStart(frame: Float32Array): void {
    const { bodies } = this.source.about
    const box = new THREE.Box3()
    const at = new THREE.Vector3()
    bodies.forEach((body, i) => body.kind === 0 && !Number.isNaN(frame[i * FLOATS]) && box.expandByPoint(at.fromArray(frame, i * FLOATS)))
    const size = box.getSize(new THREE.Vector3()).toArray()
    const axis = size.indexOf(Math.max(...size))
    const min = box.min.toArray()[axis]
    this.start = Float32Array.from(bodies, (_, i) => (size[axis] > 0 ? (frame[i * FLOATS + axis] - min) / size[axis] : 0.5))
  }

  setValues(values: Float32Array | null): void {
    this.values = values
    if (values) this.foresee(values)
  }

  // The scale reaches as far as all but the 50th part of any frame that was seen: one thin slice does not pale the others.
  foresee(values: Float32Array): void {
    const sizes = values.map(Math.abs).sort()
    this.largest = Math.max(this.largest, sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0)
  }

  // Whether a body keeps its own colour.
  plain(body: number): boolean {
    return this.source.about.bodies[body].kind !== 0 && this.by !== 'restitution' && this.by !== 'friction' && !this.wantsValues
  }

  colour(frame: Float32Array, body: number, out: THREE.Color): THREE.Color {
    const about = this.source.about.bodies[body]
    const at = body * FLOATS
    if (this.source.about.channels) return out.setRGB(1, 1, 1)
    if (this.plain(body) || this.by === 'body' || (this.pale && this.by === 'start')) {
      const hex = this.pale && about.kind === 0 ? PALE : about.colour >= 0 ? about.colour : about.kind === 0 ? bodyColour(body) : this.dark ? STILL_DARK : STILL
      return out.setHex(hex, THREE.SRGBColorSpace)
    }
    const v2 = frame[at + 7] ** 2 + frame[at + 8] ** 2 + frame[at + 9] ** 2
    let value = 0
    if (this.by === 'speed') value = Math.sqrt(v2) / this.fastest
    else if (this.by === 'start') value = 0.08 + 0.84 * (this.start?.[body] ?? 0.5)
    else if (this.by === 'energy') value = (0.5 * about.mass * v2) / this.liveliest
    else if (this.by === 'height') value = (frame[at + 2] - this.lowest) / (this.highest - this.lowest)
    else if (this.by === 'mass') value = about.mass / this.heaviest
    else if (this.by === 'restitution') value = about.restitution ?? 0
    else if (this.by === 'friction') value = about.friction ?? 0
    else if (this.values) {
      value = (this.values[body] ?? 0) / this.largest
      if (this.source.about.values?.signed) value = 0.5 + 0.5 * value
    }
    ramp(value, rgb)
    out.setRGB(...rgb, THREE.SRGBColorSpace)
    // neighbours differ a little, so that each is seen
    return this.by === 'start' ? out.multiplyScalar(0.86 + 0.28 * (((body * 2654435761) >>> 16 & 255) / 255)) : out
  }

  vertices(surface: Surface, target: THREE.BufferAttribute): void {
    const which = this.source.about.channels?.findIndex((one) => one.name === this.by) ?? -1
    const values = surface.channels[which]
    if (!values) return
    const [min, max] = this.ranges.get(this.by)!
    const colour = new THREE.Color()
    for (let i = 0; i < values.length; ++i) {
      ramp(max > min ? (values[i] - min) / (max - min) : 0, rgb)
      colour.setRGB(...rgb, THREE.SRGBColorSpace)
      target.setXYZ(i, colour.r, colour.g, colour.b)
    }
    target.needsUpdate = true
  }
}
