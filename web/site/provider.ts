// The viewer's provider where the module takes the place of the server.
import { describe } from '../../viewer/src/description'
import type { News, Provider } from '../../viewer/src/source'

export class Computer {
  private readonly worker: Worker
  private readonly waiting = new Map<number, { done(value: any): void; fail(error: Error): void }>()
  private next = 0

  // A page from a folder may not load workers: theirs is text of the page.
  constructor(source: string) {
    this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const one = this.waiting.get(id)!
      this.waiting.delete(id)
      if (error === undefined) one.done(result)
      else one.fail(new Error(error))
    }
    this.worker.onerror = (event) => {
      for (const one of this.waiting.values()) one.fail(new Error(event.message || 'the module ended'))
      this.waiting.clear()
    }
  }
  end(): void {
    this.worker.terminate()
  }
  call<T>(call: string, args: unknown): Promise<T> {
    const id = this.next++
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail })
      this.worker.postMessage({ id, call, args })
    })
  }
}

export class ModuleProvider implements Provider {
  readonly live = true
  onNews: (source: number, news: News) => void = () => {}

  constructor(private readonly computer: Computer, private readonly sources: number) {}

  private ask(part: string, values: Record<string, string | number>): Promise<Uint8Array> {
    return this.computer.call('ask', { part, values })
  }
  private async text(part: string, values: Record<string, string | number>): Promise<string> {
    return new TextDecoder().decode(await this.ask(part, values))
  }
  private async floats(part: string, values: Record<string, number>): Promise<Float32Array> {
    const bytes = await this.ask(part, values)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  }
  async count() {
    return this.sources
  }
  async describe(source: number) {
    return describe(await this.text('describe', { source }))
  }
  async surfaces(source: number) {
    return (await this.ask('surfaces', { source })).buffer as ArrayBuffer
  }
  frames(source: number, first: number, count: number) {
    return this.floats('frames', { source, first, count })
  }
  contacts(source: number, frame: number) {
    return this.floats('contacts', { source, frame })
  }
  values(source: number, frame: number) {
    return this.floats('values', { source, frame })
  }
  async news(source: number, have: number) {
    const news = JSON.parse(await this.text('news', { source, have })) as News
    this.onNews(source, news)
    return news
  }
  async control(source: number, change: Record<string, string | number>) {
    await this.computer.call('change', { source, ...change })
  }
}
