// What is written over the pictures: titles, names at bodies, what is under the pointer, notices. The card of the
// chosen body and the scales have files of their own.
import * as THREE from 'three'
import { FLOATS, type Source } from './source'
import type { Stage } from './stage'
import type { Labels } from './state'
import { short } from './words'

export function element(name: string, parent: HTMLElement = document.body, tag = 'div'): HTMLElement {
  const made = document.createElement(tag)
  made.className = name
  parent.append(made)
  return made
}

export const LABELS_MAX = 40

const LEAST_ROOM = 24 // px: bodies that are smaller have no room for a label

const spot = new THREE.Vector3()

// A source's law large, what it is below, and where it stands in an impact.
export class Title {
  readonly element: HTMLElement
  private readonly large: HTMLElement
  private readonly small: HTMLElement
  private readonly now: HTMLElement

  constructor(parent: HTMLElement) {
    this.element = element('title', parent)
    this.large = element('large', this.element)
    this.small = element('small', this.element)
    this.now = element('now-words', this.element)
  }

  name(source: Source): void {
    const { law, title } = source.about
    this.large.textContent = law ?? title
    this.small.textContent = law ? title : ''
  }

  tell(words: string): void {
    if (this.now.textContent !== words) this.now.textContent = words
  }
}

// Names or speeds beside bodies, in the part of the page where their source is drawn.
export class Tags {
  private readonly tags: HTMLElement[] = []

  constructor(private readonly parent: HTMLElement) {}

  show(stages: Stage[], frames: (Float32Array | null)[], camera: THREE.Camera, labels: Labels, part: (i: number) => DOMRect): void {
    let used = 0
    stages.forEach((stage, i) => {
      const { bodies } = stage.source.about
      const frame = frames[i]
      if (labels === 'none' || !frame) return
      const moving = bodies.flatMap((body, b) => (body.kind === 0 ? [b] : []))
      if (moving.length > LABELS_MAX) return
      const { left, top, width, height } = part(i)
      for (const body of moving) {
        const at = body * FLOATS
        spot.fromArray(frame, at)
        const small = (stage.source.reach(bodies[body].form) / spot.distanceTo(camera.position)) * camera.projectionMatrix.elements[5] * height < LEAST_ROOM
        spot.project(camera)
        if (small || Number.isNaN(spot.x) || Math.abs(spot.x) > 1 || Math.abs(spot.y) > 1) continue
        const speed = Math.hypot(frame[at + 7], frame[at + 8], frame[at + 9])
        const tag = (this.tags[used] ??= element('tag', this.parent))
        ++used
        tag.hidden = false
        tag.textContent = labels === 'names' ? bodies[body].name : short(speed < 2e-3 * stage.paint.fastest ? 0 : speed, 2)
        tag.style.transform = `translate(-50%, -50%) translate(${left + ((spot.x + 1) / 2) * width}px, ${top + ((1 - spot.y) / 2) * height}px)`
      }
    })
    for (let i = used; i < this.tags.length; ++i) this.tags[i].hidden = true
  }
}

export class Tip {
  private readonly box = element('tip')

  constructor() {
    this.box.hidden = true
  }

  show(words: string, x: number, y: number): void {
    this.box.hidden = words === ''
    this.box.textContent = words
    this.box.style.transform = `translate(${Math.min(x + 14, innerWidth - 160)}px, ${y + 14}px)`
  }
}

export function kindOf(kind: number): string {
  return ['moving', 'fixed', 'driven', 'removed'][kind] ?? ''
}

let box: HTMLElement | null = null

export function notice(words: string): void {
  if (!box) {
    box = element('notice')
    box.setAttribute('role', 'alert')
    box.addEventListener('click', () => (box!.hidden = true))
  }
  box.textContent = words
  box.hidden = words === ''
}

// What one waits for, before there is anything to see.
export function waiting(words: string): void {
  let line = document.getElementById('waiting')
  if (!line && words) {
    line = element('waiting')
    line.id = 'waiting'
    line.setAttribute('role', 'status')
  }
  if (!words) line?.remove()
  else line!.textContent = words
}
