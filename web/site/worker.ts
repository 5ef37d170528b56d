// Computes away from the page: holds an instance of the module, opens scenes and answers the viewer.
import { Instance } from '../package/src/module'
import { FileSystem } from '../package/src/wasi'

export interface Start {
  module: WebAssembly.Module
  files: Record<string, string | Uint8Array>
  scene: string
  laws: (string | null)[]
  settings: string[]
}

/** What a command wrote into a folder, by name. */
export interface Written {
  code: number
  err: string
  files: Record<string, Uint8Array>
}

let instance: Instance
let given: Start

async function fresh(): Promise<Instance> {
  const files = new FileSystem()
  for (const [name, bytes] of Object.entries(given.files)) files.write(name, bytes)
  const made = await Instance.create(given.module, files)
  for (const setting of given.settings) made.set(given.scene, setting)
  return made
}

const calls: Record<string, (args: any) => unknown> = {
  async start(args: Start) {
    given = args
    instance = await fresh()
    for (const law of given.laws) instance.open(given.scene, law)
    return given.laws.length
  },
  // The first of several settings that this scene takes, and null where it takes none.
  async accepts(settings: string[]) {
    const trial = await fresh()
    for (const setting of settings)
      try {
        trial.set(given.scene, setting)
        return setting.slice(0, setting.indexOf('='))
      } catch {
        continue
      }
    return null
  },
  ask: ({ part, values }: { part: string; values: Record<string, string | number> }) => instance.ask(part, values),
  change: (values: Record<string, string | number>) => instance.change(values),
  async command(args: string[]) {
    return (await fresh()).command(args)
  },
  // A command on files of its own, and what it wrote into a folder.
  async write({ module, files, folder, command }: Pick<Start, 'module' | 'files'> & { folder: string; command: string[] }): Promise<Written> {
    const disk = new FileSystem()
    for (const [name, bytes] of Object.entries(files)) disk.write(name, bytes)
    const { code, err } = (await Instance.create(module, disk)).command(command)
    const inside = disk.list().filter((path) => path.startsWith(`${folder}/`))
    return { code, err, files: Object.fromEntries(inside.map((path) => [path.slice(folder.length + 1), disk.read(path)!])) }
  },
}

onmessage = async ({ data: { id, call, args } }: MessageEvent) => {
  try {
    const result = await calls[call](args)
    postMessage({ id, result }, { transfer: result instanceof Uint8Array ? [result.buffer] : [] })
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
}
