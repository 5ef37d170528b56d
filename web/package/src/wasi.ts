// The part of WASI (preview 1) that Carom uses, with files in memory: the same code in browsers and in Node.

const OK = 0
const BADF = 8
const EXIST = 20
const INVAL = 28
const NOENT = 44
const NOSYS = 52
const NOTDIR = 54
const ISDIR = 31

const ROOT = 3 // the folder that everything is opened from

/** How a program leaves. */
export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`)
  }
}

// Bytes that grow.
class File {
  private static count = 2
  private room = new Uint8Array(0)
  readonly number = ++File.count // as an inode: no two files are the same
  size = 0

  get bytes(): Uint8Array {
    return this.room.subarray(0, this.size)
  }
  resize(size: number): void {
    if (size > this.room.length) {
      const more = new Uint8Array(Math.max(size, 2 * this.room.length, 256))
      more.set(this.bytes)
      this.room = more
    } else if (size < this.size) this.room.fill(0, size, this.size)
    this.size = size
  }
  write(at: number, bytes: Uint8Array): void {
    if (at + bytes.length > this.size) this.resize(at + bytes.length)
    this.room.set(bytes, at)
  }
}

interface Open {
  file: File | null // null: a folder
  path: string
  at: number
  append: boolean
}

export class FileSystem {
  private readonly files = new Map<string, File>()
  private readonly folders = new Set<string>([''])

  static path(path: string): string {
    const parts: string[] = []
    for (const part of path.split('/'))
      if (part === '..') parts.pop()
      else if (part && part !== '.') parts.push(part)
    return parts.join('/')
  }
  write(path: string, bytes: Uint8Array | string): void {
    const name = FileSystem.path(path)
    const file = new File()
    file.write(0, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)
    for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) this.folders.add(name.slice(0, at))
    this.files.set(name, file)
  }
  read(path: string): Uint8Array | null {
    return this.files.get(FileSystem.path(path))?.bytes.slice() ?? null
  }
  remove(path: string): boolean {
    return this.files.delete(FileSystem.path(path))
  }
  list(): string[] {
    return [...this.files.keys()].sort()
  }
  find(path: string): File | 'folder' | null {
    return this.files.get(path) ?? (this.folders.has(path) ? 'folder' : null)
  }
  create(path: string): File {
    const file = new File()
    this.files.set(path, file)
    return file
  }
  rename(from: string, to: string): boolean {
    const file = this.files.get(from)
    if (!file) return false
    this.files.delete(from)
    this.files.set(to, file)
    return true
  }
  makeFolder(path: string): void {
    this.folders.add(path)
  }
  removeFolder(path: string): boolean {
    return this.folders.delete(path)
  }
  // Names directly in a folder.
  names(folder: string): string[] {
    const begin = folder ? `${folder}/` : ''
    const inside = (path: string) => path.startsWith(begin) && path !== folder && !path.slice(begin.length).includes('/')
    return [...this.files.keys(), ...this.folders].filter(inside).map((path) => path.slice(begin.length)).filter(Boolean)
  }
}

export interface Streams {
  out: string
  err: string
}

export class Wasi {
  readonly streams: Streams = { out: '', err: '' }
  memory!: WebAssembly.Memory
  private readonly open = new Map<number, Open>()
  private readonly decode = [new TextDecoder(), new TextDecoder()]

  constructor(readonly files: FileSystem, private readonly environment: Record<string, string> = {}) {}

  // Runs `call` and returns its value, or the code it left with.
  run(call: () => number): number {
    try {
      return call()
    } catch (error) {
      if (error instanceof Exit) return error.code
      throw error
    }
  }

  private get view(): DataView {
    return new DataView(this.memory.buffer)
  }
  private bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at >>> 0, size >>> 0)
  }
  private text(at: number, size: number): string {
    return new TextDecoder().decode(this.bytes(at, size))
  }
  private set32(at: number, value: number): void {
    this.view.setUint32(at >>> 0, value, true)
  }
  private set64(at: number, value: number | bigint): void {
    this.view.setBigUint64(at >>> 0, BigInt(value), true)
  }
  private path(folder: number, at: number, size: number): string {
    const base = folder === ROOT ? '' : (this.open.get(folder)?.path ?? '')
    return FileSystem.path(`${base}/${this.text(at, size)}`)
  }
  private put(file: File | null, path: string, append: boolean): number {
    let number = ROOT + 1
    while (this.open.has(number)) ++number
    this.open.set(number, { file, path, at: 0, append })
    return number
  }
  private statistics(at: number, found: File | 'folder'): void {
    this.bytes(at, 64).fill(0)
    this.set64(at + 8, found === 'folder' ? 2 : found.number)
    this.view.setUint8((at >>> 0) + 16, found === 'folder' ? 3 : 4)
    this.set64(at + 24, 1)
    this.set64(at + 32, found === 'folder' ? 0 : found.size)
  }
  // Pieces of memory that are read or written one after the other.
  private pieces(at: number, count: number): Uint8Array[] {
    return Array.from({ length: count }, (_, i) =>
      this.bytes(this.view.getUint32((at >>> 0) + 8 * i, true), this.view.getUint32((at >>> 0) + 8 * i + 4, true)),
    )
  }
  private readAt(file: File, from: number, at: number, count: number): number {
    let done = 0
    for (const piece of this.pieces(at, count)) {
      const part = file.bytes.subarray(from + done, from + done + piece.length)
      piece.set(part)
      done += part.length
      if (part.length < piece.length) break
    }
    return done
  }
  private listPairs(entries: string[], list: number, words: number): number {
    for (const [i, entry] of entries.entries()) {
      const bytes = new TextEncoder().encode(`${entry}\0`)
      this.set32(list + 4 * i, words)
      this.bytes(words, bytes.length).set(bytes)
      words += bytes.length
    }
    return OK
  }
  private countPairs(entries: string[], count: number, size: number): number {
    this.set32(count, entries.length)
    this.set32(size, entries.reduce((sum, entry) => sum + new TextEncoder().encode(entry).length + 1, 0))
    return OK
  }
  private get pairs(): string[] {
    return Object.entries(this.environment).map(([key, value]) => `${key}=${value}`)
  }

  readonly imports = {
    wasi_snapshot_preview1: {
      args_get: (list: number, words: number) => this.listPairs(['carom'], list, words),
      args_sizes_get: (count: number, size: number) => this.countPairs(['carom'], count, size),
      environ_get: (list: number, words: number) => this.listPairs(this.pairs, list, words),
      environ_sizes_get: (count: number, size: number) => this.countPairs(this.pairs, count, size),
      clock_time_get: (clock: number, _precision: bigint, at: number) => {
        const milliseconds = clock === 0 ? Date.now() : performance.now()
        this.set64(at, BigInt(Math.round(milliseconds * 1e6)))
        return OK
      },
      fd_close: (number: number) => (this.open.delete(number) ? OK : BADF),
      fd_fdstat_get: (number: number, at: number) => {
        const one = this.open.get(number)
        if (!one && number > ROOT) return BADF
        this.bytes(at, 24).fill(0)
        this.view.setUint8(at >>> 0, number < ROOT ? 2 : one?.file ? 4 : 3)
        this.view.setUint16((at >>> 0) + 2, one?.append ? 1 : 0, true)
        this.set64(at + 8, 0x1fffffffn)
        this.set64(at + 16, 0x1fffffffn)
        return OK
      },
      fd_fdstat_set_flags: () => OK,
      fd_filestat_get: (number: number, at: number) => {
        const one = this.open.get(number)
        if (!one && number > ROOT) return BADF
        this.statistics(at, one?.file ?? 'folder')
        return OK
      },
      fd_filestat_set_size: (number: number, size: bigint) => {
        const file = this.open.get(number)?.file
        if (!file) return BADF
        file.resize(Number(size))
        return OK
      },
      fd_pread: (number: number, at: number, count: number, from: bigint, read: number) => {
        const file = this.open.get(number)?.file
        if (!file) return BADF
        this.set32(read, this.readAt(file, Number(from), at, count))
        return OK
      },
      fd_prestat_get: (number: number, at: number) => {
        if (number !== ROOT) return BADF
        this.set32(at, 0)
        this.set32(at + 4, 1)
        return OK
      },
      fd_prestat_dir_name: (number: number, at: number) => {
        if (number !== ROOT) return BADF
        this.bytes(at, 1).set([47]) // "/"
        return OK
      },
      fd_read: (number: number, at: number, count: number, read: number) => {
        if (number === 0) {
          this.set32(read, 0)
          return OK
        }
        const one = this.open.get(number)
        if (!one?.file) return BADF
        const done = this.readAt(one.file, one.at, at, count)
        one.at += done
        this.set32(read, done)
        return OK
      },
      fd_readdir: (number: number, at: number, room: number, cookie: bigint, used: number) => {
        const folder = number === ROOT ? '' : this.open.get(number)?.path
        if (folder === undefined) return BADF
        let done = 0
        for (const [i, name] of this.files.names(folder).entries()) {
          if (BigInt(i) < cookie) continue
          const bytes = new TextEncoder().encode(name)
          const entry = new Uint8Array(24 + bytes.length)
          const view = new DataView(entry.buffer)
          view.setBigUint64(0, BigInt(i + 1), true)
          view.setUint32(16, bytes.length, true)
          view.setUint8(20, this.files.find(FileSystem.path(`${folder}/${name}`)) === 'folder' ? 3 : 4)
          entry.set(bytes, 24)
          const part = entry.subarray(0, Math.min(entry.length, room - done))
          this.bytes(at + done, part.length).set(part)
          done += part.length
          if (done === room) break
        }
        this.set32(used, done)
        return OK
      },
      fd_renumber: () => NOSYS,
      fd_seek: (number: number, by: bigint, whence: number, at: number) => {
        const one = this.open.get(number)
        if (!one?.file) return BADF
        const to = Number(by) + (whence === 0 ? 0 : whence === 1 ? one.at : one.file.size)
        if (to < 0) return INVAL
        one.at = to
        this.set64(at, to)
        return OK
      },
      fd_sync: () => OK,
      fd_tell: (number: number, at: number) => {
        const one = this.open.get(number)
        if (!one) return BADF
        this.set64(at, one.at)
        return OK
      },
      fd_write: (number: number, at: number, count: number, written: number) => {
        const one = this.open.get(number)
        if (number > 2 && !one?.file) return BADF
        let done = 0
        for (const piece of this.pieces(at, count)) {
          if (number === 1 || number === 2) {
            const words = this.decode[number - 1].decode(piece, { stream: true })
            if (number === 1) this.streams.out += words
            else this.streams.err += words
          } else {
            if (one!.append) one!.at = one!.file!.size
            one!.file!.write(one!.at, piece)
            one!.at += piece.length
          }
          done += piece.length
        }
        this.set32(written, done)
        return OK
      },
      path_create_directory: (folder: number, at: number, size: number) => {
        const path = this.path(folder, at, size)
        if (this.files.find(path)) return EXIST
        this.files.makeFolder(path)
        return OK
      },
      path_filestat_get: (folder: number, _flags: number, at: number, size: number, out: number) => {
        const found = this.files.find(this.path(folder, at, size))
        if (!found) return NOENT
        this.statistics(out, found)
        return OK
      },
      path_link: () => NOSYS,
      path_open: (
        folder: number, _look: number, at: number, size: number, how: number,
        _base: bigint, _inherit: bigint, flags: number, out: number,
      ) => {
        const path = this.path(folder, at, size)
        const [create, directory, exclusive, truncate] = [how & 1, how & 2, how & 4, how & 8]
        let found = this.files.find(path)
        if (found && create && exclusive) return EXIST
        if (!found && !create) return NOENT
        if (found === 'folder') {
          if (create || truncate) return ISDIR
          this.set32(out, this.put(null, path, false))
          return OK
        }
        if (directory) return NOTDIR
        found ??= this.files.create(path)
        if (truncate) found.resize(0)
        this.set32(out, this.put(found, path, (flags & 1) !== 0))
        return OK
      },
      path_readlink: () => INVAL,
      path_remove_directory: (folder: number, at: number, size: number) =>
        this.files.removeFolder(this.path(folder, at, size)) ? OK : NOENT,
      path_rename: (from: number, at: number, size: number, to: number, toAt: number, toSize: number) =>
        this.files.rename(this.path(from, at, size), this.path(to, toAt, toSize)) ? OK : NOENT,
      path_unlink_file: (folder: number, at: number, size: number) =>
        this.files.remove(this.path(folder, at, size)) ? OK : NOENT,
      poll_oneoff: () => NOSYS,
      proc_exit: (code: number) => {
        throw new Exit(code)
      },
      sched_yield: () => OK,
    },
  }
}
