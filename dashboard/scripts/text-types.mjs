// Writes src/lib/texts.gen.ts: the keys of the page's texts with the places of each.
import { writeFileSync } from 'node:fs'
import { placesOf, readMessages } from './messages.mjs'

const kinds = { number: 'number', text: 'Text', tag: 'Tag' }
const { en } = readMessages()
const lines = Object.keys(en)
  .sort()
  .map((key) => {
    const places = Object.entries(placesOf(en[key])).map(([name, kind]) => {
      const words = Array.isArray(kind) && kind.filter((word) => word !== 'other').map((word) => `'${word}'`)
      return `${name}: ${words ? [...words, '(string & {})'].join(' | ') : kinds[kind]}`
    })
    return `  ${key}: ${places.length > 0 ? `{ ${places.join('; ')} }` : 'Record<never, never>'}\n`
  })
writeFileSync(
  new URL('../src/lib/texts.gen.ts', import.meta.url),
  `// Made by scripts/text-types.mjs from core/text/en.json.

/** A place for a text or an element. */
export type Text = { text: true }
/** A place for a component around a part of the text. */
export type Tag = { tag: true }

export interface Texts {
${lines.join('')}}
`,
)
