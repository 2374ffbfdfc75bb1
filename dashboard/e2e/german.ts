// The page in German: its texts by their keys, and the English words that are left on it.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type Part, readMessages } from '../scripts/messages.mjs'

const { en = {}, de = {} } = readMessages()

type Values = Record<string, string | number>

/** Returns a text of the page in German. Journeys name texts by their keys, so that a better translation breaks none. */
export function german(key: string, values: Values = {}): string {
  const parts = de[key]
  if (!parts) throw new Error(`the page has no text ${key}`)
  return filled(parts, values)
}

function filled(parts: Part[], values: Values): string {
  const each = parts.map((part) => {
    if (typeof part === 'string') return part
    if ('tag' in part) return filled(part.inner, values)
    if ('place' in part) return values[part.place]?.toLocaleString('de') ?? ''
    const value = String(values['count' in part ? part.count : part.kind])
    const form = 'count' in part && value === '1' ? 'one' : value
    return filled(part.forms[`=${value}`] ?? part.forms[form] ?? part.forms.other ?? [], values)
  })
  return each.join('')
}

/** The words of a text. Letters beside digits are none: "p5mo0779" is a name. */
const wordsIn = (text: string) => text.toLowerCase().match(/(?<![\p{L}\p{N}])\p{L}{2,}(?![\p{L}\p{N}])/gu) ?? []

function wordsOf(parts: Part[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return wordsIn(part)
    if ('inner' in part) return wordsOf(part.inner)
    return 'forms' in part ? Object.values(part.forms).flatMap(wordsOf) : []
  })
}

/** Words of the page's English texts that German texts have not, and some of libraries, browsers and servers. */
const english = new Set([
  ...Object.values(en).flatMap(wordsOf),
  ...'the of and with from this that must is are be has not failed invalid error notifications toast toggle'.split(' '),
])
for (const word of Object.values(de).flatMap(wordsOf)) english.delete(word)

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const game = read('../../core/game/game.json')
const { categories, coins } = read('../../core/text/de.json')
// Professions and coins have German names.
for (const { name } of [...game.professions, ...game.coins]) english.add(name.toLowerCase())
for (const name of Object.values<string>({ ...categories, ...coins })) english.delete(name.toLowerCase())

/** Returns everything that a page says: visible text, its title, and the texts for screen readers and of tips. */
async function said(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [document.title]
    const typed = '[dir=auto], noscript, script, style, template, [data-typed]'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement
      if (!element || element.closest(typed)) continue
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '')
      else
        for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'])
          texts.push(element.getAttribute(name) ?? '')
    }
    return texts
  })
}

/** Returns the texts of a page that have an English word: the word and the text. Names are texts that people typed. */
export async function englishOn(page: Page, names: (string | RegExp)[]): Promise<string[]> {
  const found = (await said(page)).flatMap((text) => {
    const own = names.reduce<string>((left, name) => left.replaceAll(name, ''), text.replace(/https?:\S+/g, ''))
    const word = wordsIn(own).find((word) => english.has(word))
    return word ? [`${word}: ${text.trim().slice(0, 200)}`] : []
  })
  return [...new Set(found)]
}
