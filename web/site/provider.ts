// The viewer's provider where the module takes the place of the server.
import { Asked, type News } from '../../viewer/src/source'

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

export class ModuleProvider extends Asked {
  onNews: (source: number, news: News) => void = () => {}

  constructor(private readonly computer: Computer, private readonly sources: number) {
    super()
  }

  protected ask(part: string, values: Record<string, string | number>): Promise<Uint8Array> {
    return this.computer.call('ask', { part, values })
  }
  async count() {
    return this.sources
  }
  async news(source: number, have: number) {
    const news = await super.news(source, have)
    this.onNews(source, news)
    return news
  }
  async control(source: number, change: Record<string, string | number>) {
    await this.computer.call('change', { source, ...change })
  }
}
