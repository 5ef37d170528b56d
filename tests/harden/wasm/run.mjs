// Runs a wasm32 program by Node's WASI; ends with its exit code.
import { readFile } from 'node:fs/promises'
import { argv, env, exit } from 'node:process'
import { WASI } from 'node:wasi'

const wasi = new WASI({ version: 'preview1', args: argv.slice(2), env, returnOnExit: true })
const program = await WebAssembly.compile(await readFile(argv[2]))
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport })
exit(wasi.start(instance))
