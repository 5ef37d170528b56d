// What the address holds: enough to see the same view again. Short keys, only what differs.
export interface ViewState {
  time: number
  speed: number
  colour: string
  impulses: boolean
  normals: boolean
  velocities: boolean
  plots: boolean
  dark: boolean
  chosen: string // "film:body", or ""
  camera: number[] // position 3, target 3; empty: chosen by the page
}

// How a kept page opens, and what its address says.
export function openingHash(): string {
  const films = document.getElementById('films')?.textContent
  return location.hash.length > 1 || !films ? location.hash : `#${JSON.parse(films).start ?? ''}`
}

export function standard(): ViewState {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  return { time: 0, speed: 1, colour: 'body', impulses: false, normals: false, velocities: false, plots: true, dark, chosen: '', camera: [] }
}

export function readState(hash: string): ViewState {
  const state = standard()
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const number = (key: string, old: number) => {
    const value = Number(given.get(key) ?? NaN)
    return Number.isFinite(value) ? value : old
  }
  const flag = (key: string, old: boolean) => (given.has(key) ? given.get(key) === '1' : old)
  state.time = number('t', state.time)
  state.speed = number('speed', state.speed)
  state.colour = given.get('colour') ?? state.colour
  state.impulses = flag('impulses', state.impulses)
  state.normals = flag('normals', state.normals)
  state.velocities = flag('velocities', state.velocities)
  state.plots = flag('plots', state.plots)
  state.dark = flag('dark', state.dark)
  state.chosen = given.get('body') ?? ''
  const camera = (given.get('camera') ?? '').split(',').map(Number)
  if (camera.length === 6 && camera.every(Number.isFinite)) state.camera = camera
  return state
}

export function writeState(state: ViewState): string {
  const out = new URLSearchParams()
  const usual = standard()
  if (state.time) out.set('t', state.time.toPrecision(6))
  if (state.speed !== usual.speed) out.set('speed', String(state.speed))
  if (state.colour !== usual.colour) out.set('colour', state.colour)
  for (const key of ['impulses', 'normals', 'velocities'] as const)
    if (state[key] !== usual[key]) out.set(key, state[key] ? '1' : '0')
  if (state.plots !== usual.plots) out.set('plots', state.plots ? '1' : '0')
  if (state.dark !== usual.dark) out.set('dark', state.dark ? '1' : '0')
  if (state.chosen) out.set('body', state.chosen)
  if (state.camera.length) out.set('camera', state.camera.map((v) => v.toPrecision(5)).join(','))
  return `#${out}`
}
