// A scene that runs in the page: the viewer as its face, the module behind it, and a bar to choose scene, laws and
// numbers. What is chosen stands in the address (?scene=impact/cradle.json&law=wave&set=row.restitution=0.9), so that it
// can be kept or sent; every choice opens the page anew.
import { bytesOf } from '../../viewer/src/description'
import type { News } from '../../viewer/src/source'
import { show } from '../../viewer/src/show'
import { compile } from '../package/src/module'
import { commandFor, fingerprint } from './fingerprint'
import { Computer, ModuleProvider } from './provider'
import './live.css'

interface Scene {
  kind: string
  title: string
  text: string
  law: string // its own
  hashes: Record<string, string> // of the native command, by law
}

declare const CAROM_SCENES: Record<string, Scene>
declare const CAROM_LAWS: string[]
declare const CAROM_FILES: Record<string, string> // meshes and maps in base64, by path
declare const CAROM_MODULE: string // base64 of the gzipped module
declare const CAROM_WORKER: string

const MAKERS = ['row', 'chain', 'rack', 'ring', 'cluster', 'grid']
const SLIDERS = [
  { name: 'restitution', unit: '', key: 'restitution', max: 1, step: 0.01, lists: ['contacts.*', 'materials.*', 'materials.default'] },
  { name: 'friction', unit: '', key: 'friction', max: 1, step: 0.01, lists: ['contacts.*', 'materials.*', 'materials.default'] },
  { name: 'gap', unit: 'm', key: 'gap', max: 0.01, step: 0.0001, lists: ['contacts.*'] },
  { name: 'mass', unit: 'kg', key: 'mass', max: 10, step: 0.1, lists: ['bodies.0', 'bodies.1'] },
  { name: 'speed', unit: 'm/s', key: 'speed', max: 10, step: 0.1, lists: [] },
]

const asked = new URLSearchParams(location.search)
const chosen = asked.get('scene') ?? Object.keys(CAROM_SCENES)[0]
const scene = CAROM_SCENES[chosen]
const laws = asked.getAll('law').length ? asked.getAll('law') : [scene?.law ?? 'wave']
const settings = asked.getAll('set')

function open(next: { scene?: string; laws?: string[]; settings?: string[] }): void {
  const query = new URLSearchParams({ scene: next.scene ?? chosen })
  const moved = next.scene !== undefined && next.scene !== chosen
  for (const law of next.laws ?? (moved ? [] : laws)) query.append('law', law)
  for (const setting of next.settings ?? (moved ? [] : settings)) query.append('set', setting)
  location.search = query.toString()
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, parent: Element, set: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] {
  return parent.appendChild(Object.assign(document.createElement(tag), set))
}

// -- the bar --------------------------------------------------------------------------------------

function sceneList(bar: Element): void {
  const label = element('label', bar, { textContent: 'scene ' })
  const list = element('select', label, { name: 'scene', onchange: () => open({ scene: list.value }) })
  const groups = new Map<string, HTMLOptGroupElement>()
  for (const [path, { kind }] of Object.entries(CAROM_SCENES)) {
    if (!groups.has(kind)) groups.set(kind, element('optgroup', list, { label: kind }))
    element('option', groups.get(kind)!, { value: path, textContent: path.replace(/^.*\/|\.json$/g, ''), selected: path === chosen })
  }
}

function lawList(bar: Element): void {
  if (scene.kind !== 'world' && scene.kind !== 'impact' && scene.kind !== 'outcomes') return
  const box = element('details', bar)
  element('summary', box, { textContent: `laws: ${laws.join(', ')}` })
  for (const law of CAROM_LAWS) {
    const label = element('label', box)
    const tick = element('input', label, { type: 'checkbox', checked: laws.includes(law), name: `law-${law}` })
    label.append(` ${law}`)
    tick.onchange = () => {
      const next = tick.checked ? [...laws, law] : laws.filter((one) => one !== law)
      open({ laws: next.length ? next : [scene.law] })
    }
  }
}

async function sliders(bar: Element, computer: Computer): Promise<void> {
  for (const { name, unit, key, max, step, lists } of SLIDERS) {
    const held = settings.find((setting) => setting.slice(0, setting.indexOf('=')).endsWith(`.${key}`))
    const paths = [...MAKERS, ...lists].map((place) => `${place}.${key}=${max / 2}`)
    const path = held ? held.slice(0, held.indexOf('=')) : await computer.call<string | null>('accepts', paths)
    if (!path) continue
    const label = element('label', bar, { textContent: `${name} ` })
    const value = held?.slice(held.indexOf('=') + 1)
    const slide = element('input', label, {
      type: 'range', min: '0', max: String(max), step: String(step), value: value ?? String(max), name, title: path,
    })
    const words = element('output', label, { textContent: value ? `${value} ${unit}` : 'unchanged' })
    slide.oninput = () => (words.textContent = `${slide.value} ${unit}`)
    slide.onchange = () => open({ settings: [...settings.filter((one) => one !== held), `${path}=${slide.value}`] })
  }
  if (settings.length) element('button', bar, { textContent: 'as in the file', onclick: () => open({ settings: [] }) })
}

// -- hashes ---------------------------------------------------------------------------------------

// The native command's hash and this browser's beside each other, per law; only of the scene as it is in its file.
class Hashes {
  private readonly rows = new Map<number, HTMLElement>()

  constructor(bar: Element) {
    const list = element('div', bar, { className: 'hashes' })
    const why = scene.kind === 'world' && !Object.keys(scene.hashes).length ? '; the native run takes more than 20 s of a processor' : ''
    laws.forEach((law, i) => this.rows.set(i, element('p', list, { textContent: `${law}: not at its end yet${why}` })))
  }
  set(source: number, hash: string): void {
    const native = settings.length ? undefined : scene.hashes[laws[source]]
    const row = this.rows.get(source)!
    row.dataset.hash = hash
    row.dataset.equal = native === undefined ? '' : String(native === hash)
    row.textContent = `${laws[source]}: here ${hash}` +
      (native === undefined ? '' : `, native ${native}: ${native === hash ? 'equal' : 'NOT equal'}`)
  }
}

async function begin(): Promise<void> {
  const bar = element('details', element('nav', document.body, { className: 'live' }), { open: innerWidth >= 1000 && laws.length < 3 })
  element('summary', bar, { textContent: 'this scene' })
  element('a', bar, { href: 'index.html', textContent: 'all scenes and lessons' })
  if (!scene) {
    element('p', bar, { textContent: `There is no scene "${chosen}".` })
    return
  }
  document.title = `${scene.title} - Carom`
  sceneList(bar)
  lawList(bar)
  const computer = new Computer(CAROM_WORKER)
  const files: Record<string, string | Uint8Array> = { [chosen]: scene.text }
  for (const [name, base64] of Object.entries(CAROM_FILES)) files[name] = bytesOf(base64)
  const module = await compile(bytesOf(CAROM_MODULE))
  await computer.call('start', { module, files, scene: chosen, laws: laws.map((law) => (scene.kind === 'chain' ? null : law)), settings })
  const provider = new ModuleProvider(computer, laws.length)
  const hashes = new Hashes(bar)
  provider.onNews = (source, news: News & { hash?: string }) => news.hash && hashes.set(source, news.hash)
  await show(provider)
  document.documentElement.dataset.ready = 'true'
  void sliders(bar, computer)
  if (scene.kind === 'world') return
  for (const [i, law] of laws.entries()) {
    const { out, err } = await computer.call<{ out: string; err: string }>('command', commandFor(scene.kind, chosen, law))
    if (out) hashes.set(i, fingerprint(scene.kind, out))
    else console.warn(err)
  }
}

begin().catch((error: Error) => {
  document.documentElement.dataset.ready = 'failed'
  element('p', document.body, { className: 'failed', textContent: error.message })
})
