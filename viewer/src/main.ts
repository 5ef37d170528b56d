// Opens what is to be seen, and says so while that takes its time.
import { Film, openSource } from './film'
import { notice, waiting } from './overlay'
import { Viewer } from './viewer'
import './viewer.css'

async function begin(): Promise<void> {
  waiting('Asking for the films ...')
  const source = openSource()
  const count = await source.count()
  waiting(count > 1 ? `Reading ${count} films ...` : 'Reading the film ...')
  const films = await Promise.all(Array.from({ length: count }, (_, i) => Film.open(source, i)))
  const bodies = films.reduce((sum, film) => sum + film.about.bodies.length, 0)
  waiting(`Placing ${bodies.toLocaleString('en')} bodies ...`)
  await new Promise((done) => setTimeout(done, 0)) // lets the words be seen
  await new Viewer(films).start()
  waiting('')
}

begin().catch((error: unknown) => {
  const words = error instanceof Error ? error.message : String(error)
  waiting('')
  notice(/WebGL/i.test(words) ? `This browser cannot show it: ${words}` : `This cannot be shown: ${words}`)
})
