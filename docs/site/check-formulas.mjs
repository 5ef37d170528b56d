// Every formula of the built pages is one that KaTeX sets: node check-formulas.mjs KATEX.js HTML...
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [path, ...pages] = process.argv.slice(2)
const katex = createRequire(import.meta.url)(path)
const plain = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
let formulas = 0
let wrong = 0
for (const page of pages)
  for (const [, text] of readFileSync(page, 'utf8').matchAll(/class="arithmatex">([^]*?)<\/(?:span|div)>/g)) {
    ++formulas
    try {
      katex.renderToString(plain(text).slice(2, -2), { displayMode: text.startsWith('\\['), throwOnError: true, strict: 'error' })
    } catch (error) {
      ++wrong
      console.error(`${page}: ${error.message}`)
    }
  }
console.log(`${formulas} formulas`)
process.exit(wrong ? 1 : 0)
