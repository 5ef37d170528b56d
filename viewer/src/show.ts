// Opens what is to be seen, and says so while that takes its time.
import { type Provider, Source } from './source'
import { notice, waiting } from './overlay'
import { Viewer } from './viewer'
import './viewer.css'

async function begin(provider: Provider): Promise<Source[]> {
  waiting('Asking what there is ...')
  const count = await provider.count()
  waiting(count > 1 ? `Reading ${count} recordings ...` : 'Reading ...')
  const sources = await Promise.all(Array.from({ length: count }, (_, i) => Source.open(provider, i)))
  const bodies = sources.reduce((sum, source) => sum + source.about.bodies.length, 0)
  waiting(`Placing ${bodies.toLocaleString('en')} bodies ...`)
  await new Promise((done) => setTimeout(done, 0)) // lets the words be seen
  await new Viewer(sources).start()
  waiting('')
  return sources
}

export async function show(provider: Provider): Promise<Source[]> {
  try {
    return await begin(provider)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    waiting('')
    notice(/WebGL/i.test(words) ? `This browser cannot show it: ${words}` : `This cannot be shown: ${words}`)
    return []
  }
}
