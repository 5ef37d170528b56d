// What the address holds: enough to see the same view again. Short keys, only what differs.
import type { WallMode } from './walls'

export type Labels = 'none' | 'names' | 'speeds'
export type Axis = 'off' | 'x' | 'y' | 'z'

export interface ViewState {
  time: number
  speed: number
  colour: string // "": chosen by the page
  impulses: boolean
  normals: boolean
  velocities: boolean
  forces: boolean
  walls: WallMode
  glass: number // opacity of walls that stand in the way
  cut: Axis
  cutAt: number // 0 to 1, through what moves
  labels: Labels | '' // "": chosen by the page
  loop: boolean
  slow: boolean
  follow: boolean // the chosen body
  grab: boolean // a drag pulls bodies instead of turning the camera
  plots: boolean
  dark: boolean
  chosen: string // "source:body", or ""
  camera: number[] // position 3, target 3; empty: chosen by the page
}

export const NARROW = 760 // px up to which plots are a drawer

// How a kept page opens, and what its address says.
export function openingHash(): string {
  const sources = document.getElementById('sources')?.textContent
  return location.hash.length > 1 || !sources ? location.hash : `#${JSON.parse(sources).start ?? ''}`
}

export function standard(): ViewState {
  return {
    time: 0, speed: 1, colour: '', impulses: false, normals: false, velocities: false, forces: false, walls: 'back', glass: 0.06,
    cut: 'off', cutAt: 0.5, labels: '', loop: false, slow: false, follow: false, grab: false, plots: innerWidth >= NARROW,
    dark: matchMedia('(prefers-color-scheme: dark)').matches, chosen: '', camera: [],
  }
}

const FLAGS = ['impulses', 'normals', 'velocities', 'forces', 'loop', 'slow', 'follow', 'plots', 'dark'] as const

export function readState(hash: string): ViewState {
  const state = standard()
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const number = (key: string, old: number) => {
    const value = Number(given.get(key) ?? NaN)
    return Number.isFinite(value) ? value : old
  }
  const word = <T extends string>(key: string, words: T[], old: T): T => words.find((one) => one === given.get(key)) ?? old
  state.time = number('t', state.time)
  state.speed = number('speed', state.speed)
  state.colour = given.get('colour') ?? state.colour
  state.walls = word('walls', ['all', 'back', 'none'], state.walls)
  state.glass = Math.min(Math.max(number('glass', state.glass), 0), 1)
  state.cut = word('cut', ['off', 'x', 'y', 'z'], state.cut)
  state.cutAt = Math.min(Math.max(number('cutat', state.cutAt), 0), 1)
  state.labels = word<Labels | ''>('labels', ['none', 'names', 'speeds'], state.labels)
  for (const key of FLAGS) if (given.has(key)) state[key] = given.get(key) === '1'
  state.chosen = given.get('body') ?? ''
  const camera = (given.get('camera') ?? '').split(',').map(Number)
  if (camera.length === 6 && camera.every(Number.isFinite)) state.camera = camera
  return state
}

// `usual` is what the page would choose by itself.
export function writeState(state: ViewState, usual: { colour: string; labels: Labels }): string {
  const out = new URLSearchParams()
  const plain = standard()
  if (state.time) out.set('t', state.time.toPrecision(6))
  if (state.speed !== plain.speed) out.set('speed', String(state.speed))
  if (state.colour !== usual.colour) out.set('colour', state.colour)
  if (state.walls !== plain.walls) out.set('walls', state.walls)
  if (state.glass !== plain.glass) out.set('glass', String(state.glass))
  if (state.cut !== plain.cut) {
    out.set('cut', state.cut)
    out.set('cutat', String(state.cutAt))
  }
  if (state.labels !== usual.labels) out.set('labels', state.labels)
  for (const key of FLAGS) if (state[key] !== plain[key]) out.set(key, state[key] ? '1' : '0')
  if (state.chosen) out.set('body', state.chosen)
  if (state.camera.length) out.set('camera', state.camera.map((v) => v.toPrecision(5)).join(','))
  return `#${out}`
}
