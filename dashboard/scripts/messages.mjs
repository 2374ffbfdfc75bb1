// The page's messages: reads them from core/text, and writes each as JavaScript. docs/translating.md describes their language.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A message is a list of texts, places, forms and tags.
 * @typedef {string | { place: string, number: boolean } | { count: string, forms: Forms } | { kind: string, forms: Forms }
 *   | { tag: string, inner: Part[] }} Part
 * @typedef {Record<string, Part[]>} Forms
 * @typedef {Record<string, Part[]>} Messages the messages of a language by key
 * @typedef {'number' | 'text' | 'tag' | string[]} PlaceKind a place is filled by a number, a text, a component or one of some words
 */

const folder = join(import.meta.dirname, '../../core/text')

/** The names of the files that the messages are read from, English first. */
const files = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort((a, b) => Number(b === 'en.json') - Number(a === 'en.json') || a.localeCompare(b))

/**
 * Reads the page's messages in every language, English first. A draft has the English text where it has none of its own.
 * @returns {Record<string, Messages>}
 */
export function readMessages() {
  /** @type {Record<string, Messages>} */
  const languages = {}
  for (const name of files()) {
    const { page = {}, draft } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const parsed = Object.fromEntries(
      Object.entries(page).map(([key, text]) => [key, parse(String(text), `${key} in ${name}`)]),
    )
    languages[name.replace('.json', '')] = draft ? { ...languages.en, ...parsed } : parsed
  }
  return languages
}

/**
 * Parses a message, or throws an error that names it.
 * @param {string} text
 * @param {string} name
 * @returns {Part[]}
 */
export function parse(text, name) {
  let at = 0
  /** @param {string} why */
  const fail = (why) => new Error(`${name}: ${why}, at ${at} of “${text}”`)
  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  /**
   * @param {string} [count] the place that # stands for
   * @param {string} [tag] the tag that ends the parts
   * @returns {Part[]}
   */
  function parts(count, tag) {
    /** @type {Part[]} */
    const found = []
    for (;;) {
      const plain = take(count ? /(?:[^{}#<]|<(?!\/?[a-z][A-Za-z0-9]*>))+/y : /(?:[^{}<]|<(?!\/?[a-z][A-Za-z0-9]*>))+/y)
      if (plain) found.push(plain[0])
      else if (count && take(/#/y)) found.push({ place: count, number: true })
      else if (text[at] === '{') found.push(place())
      else if (text[at] === '<' && text[at + 1] !== '/') {
        const opened = take(/<([a-z][A-Za-z0-9]*)>/y)?.[1] ?? ''
        found.push({ tag: opened, inner: parts(count, opened) })
      } else if (tag && take(/<\/([a-z][A-Za-z0-9]*)>/y)?.[1] !== tag) throw fail(`<${tag}> does not end`)
      else return found
    }
  }
  /** @returns {Part} */
  function place() {
    const head = take(/\{\s*([a-z][A-Za-z0-9]*)\s*(?:,\s*(number|plural|select)\s*)?(?=[,}])/y)
    if (!head) throw fail('a place is not understood')
    const [, name = '', format] = head
    if (take(/\}/y)) {
      if (format === 'plural' || format === 'select') throw fail(`${format} without forms`)
      return { place: name, number: format === 'number' }
    }
    if (!take(/,\s*/y) || !format || format === 'number') throw fail('a place does not end')
    /** @type {Forms} */
    const forms = {}
    for (;;) {
      const form = take(/\s*(=\d+|[a-z][A-Za-z0-9_]*)\s*\{/y)?.[1]
      if (!form) break
      forms[form] = parts(format === 'plural' ? name : undefined)
      if (!take(/\}/y)) throw fail(`the form ${form} does not end`)
    }
    if (!take(/\s*\}/y)) throw fail('forms do not end')
    if (!forms.other) throw fail('no form other')
    return format === 'plural' ? { count: name, forms } : { kind: name, forms }
  }
  const all = parts()
  if (at < text.length) throw fail('a brace or a tag too many')
  return all
}

/**
 * Returns the places of a message with their kinds.
 * @param {Part[]} parts
 * @param {Record<string, PlaceKind>} places
 */
export function placesOf(parts, places = {}) {
  for (const part of parts) {
    if (typeof part === 'string') continue
    if ('place' in part) places[part.place] = part.number ? 'number' : (places[part.place] ?? 'text')
    else if ('tag' in part) {
      places[part.tag] = 'tag'
      placesOf(part.inner, places)
    } else {
      if ('count' in part) places[part.count] = 'number'
      else places[part.kind] = Object.keys(part.forms).sort()
      for (const form of Object.values(part.forms)) placesOf(form, places)
    }
  }
  return places
}

/**
 * Returns a message as JavaScript: a string, or a function of its places and of the helpers in src/lib/texts.ts. With elements in
 * its places it returns a list.
 * @param {Part[]} parts
 * @param {boolean} asList
 * @returns {string}
 */
export function compile(parts, asList) {
  if (Object.keys(placesOf(parts)).length === 0) return JSON.stringify(parts.join(''))
  /** @param {Part[]} inner @returns {string} */
  const written = (inner) => {
    const each = inner.map((part) => {
      if (typeof part === 'string') return JSON.stringify(part)
      if ('place' in part) return part.number ? `h.n(p.${part.place})` : `p.${part.place}`
      if ('tag' in part) return `p.${part.tag}(h.l(${written(part.inner)}))`
      const forms = Object.entries(part.forms).map(([form, text]) => `${JSON.stringify(form)}:${written(text)}`)
      return 'count' in part ? `h.p(p.${part.count},{${forms}})` : `h.s(p.${part.kind},{${forms}})`
    })
    if (asList) return `[${each}]`
    return each.length === 0 || typeof inner[0] !== 'string' ? ['""', ...each].join('+') : each.join('+')
  }
  return `((p,h)=>${written(parts)})`
}

/**
 * Returns messages in a pseudo-language: the same words, and a third more letters. The journeys show with it that
 * translations fit (e2e/journeys/languages.spec.ts).
 * @param {Messages} messages
 * @returns {Messages}
 */
export function pseudo(messages) {
  /** @param {Part[]} parts @returns {number} */
  const length = (parts) =>
    parts.reduce((sum, part) => {
      if (typeof part === 'string') return sum + part.length
      if ('inner' in part) return sum + length(part.inner)
      return sum + ('forms' in part ? Math.max(...Object.values(part.forms).map(length)) : 4)
    }, 0)
  return Object.fromEntries(
    Object.entries(messages).map(([key, parts]) => {
      const longer = Math.ceil(length(parts) / 3)
      return [key, [...parts, ` ${'ēēēē ēēēēē ēēē '.repeat(longer).slice(0, longer).trim()}`]]
    }),
  )
}
