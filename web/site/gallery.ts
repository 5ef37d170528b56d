// The gallery of the papers in the page: one entry after the other is computed by the module, in the small sizes of
// `carom gallery --quick`, and shown as the page that the command writes, with its pictures.
import { compile } from '../package/src/module'
import { fingerprint } from './fingerprint'
import { bytesOf } from '../../viewer/src/description'
import { Computer } from './provider'
import type { Written } from './worker'

interface Entry {
  id: string
  paper: string
  what: string
  title: string
  native: { hash: string; seconds: number } | null // of the native command; null: it did not end either
}

declare const CAROM_GALLERY: Entry[]
declare const CAROM_GALLERY_SCENES: Record<string, string>
declare const CAROM_GALLERY_MESHES: Record<string, string> // base64 of gzipped files, by path
declare const CAROM_MODULE: string
declare const CAROM_WORKER: string

const TYPES: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png' }
const parts = <T extends HTMLElement>(row: HTMLElement, name: string) => row.querySelector<T>(name)!

/** The page of an entry with its pictures inside; links to what is not here become text. */
function whole(page: string, files: Record<string, Uint8Array>): string {
  const picture = (name: string) => {
    const bytes = files[name]
    const letters = Array.from(bytes ?? [], (byte) => String.fromCharCode(byte)).join('')
    return `data:${TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain'};base64,${btoa(letters)}`
  }
  return page.replace(/src="([^":]+)"/g, (_, name) => `src="${picture(name)}"`)
    .replace(/<a href="index.html">[^<]*<\/a>/g, '').replace(/<a href="[^"#]*"/g, '<a')
}

let module: Promise<WebAssembly.Module> | undefined
let files: Promise<Record<string, string | Uint8Array>> | undefined

async function disk(): Promise<Record<string, string | Uint8Array>> {
  const all: Record<string, string | Uint8Array> = { ...CAROM_GALLERY_SCENES }
  for (const [path, packed] of Object.entries(CAROM_GALLERY_MESHES)) {
    const plain = new Response(new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('gzip')))
    all[path] = new Uint8Array(await plain.arrayBuffer())
  }
  return all
}

async function compute(entry: Entry, row: HTMLElement): Promise<void> {
  const button = parts<HTMLButtonElement>(row, 'button')
  const words = parts(row, '.state')
  button.disabled = true
  const about = entry.native ? `, native ${entry.native.seconds.toFixed(1)} s` : ''
  words.textContent = `computing${about} ...`
  row.dataset.state = 'computing'
  try {
    module ??= compile(bytesOf(CAROM_MODULE))
    files ??= disk()
    const computer = new Computer(CAROM_WORKER)
    const begun = performance.now()
    const { code, err, files: written } = await computer.call<Written>('write', {
      module: await module, files: await files, folder: 'gallery',
      command: ['gallery', '--only', entry.id, '--quick', '--threads', '1', '--out', 'gallery'],
    })
    computer.end()
    const text = (name: string) => new TextDecoder().decode(written[name] ?? new Uint8Array())
    if (!written[`${entry.id}.json`]) throw new Error(err || `it ended with ${code}`)
    const hash = fingerprint('gallery', text(`${entry.id}.json`))
    const verdict = JSON.parse(text(`${entry.id}.json`)).verdict
    row.dataset.hash = hash
    row.dataset.equal = entry.native ? String(entry.native.hash === hash) : ''
    words.textContent = `${verdict}, ${((performance.now() - begun) / 1000).toFixed(1)} s; here ${hash}` +
      (entry.native ? `, native ${entry.native.hash}: ${entry.native.hash === hash ? 'equal' : 'NOT equal'}` : '')
    const shown = parts<HTMLIFrameElement>(row, 'iframe')
    shown.srcdoc = whole(text(`${entry.id}.html`), written)
    shown.hidden = false
    row.dataset.state = 'done'
  } catch (error) {
    words.textContent = `could not be computed here: ${(error as Error).message}`
    row.dataset.state = 'failed'
  }
  button.disabled = false
}

for (const entry of CAROM_GALLERY) {
  const row = document.getElementById(entry.id)!
  parts<HTMLButtonElement>(row, 'button').onclick = () => void compute(entry, row)
}
if (location.hash) document.querySelector<HTMLButtonElement>(`#${CSS.escape(location.hash.slice(1))} button`)?.click()
document.documentElement.dataset.ready = 'true'
