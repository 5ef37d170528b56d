// The page of the viewer: shows what its server has, or what the page itself holds.
import { openProvider } from './source'
import { show } from './show'

void show(openProvider())
