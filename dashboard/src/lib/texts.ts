// The page's texts, by the keys of core/text. The build puts the text in the place of each key (scripts/texts.ts), so a key must
// stand in the call as it is.
import { createElement, Fragment, type ReactNode } from 'react'
import { formatNumber, language } from './locale'
import type { Tag, Text, Texts } from './texts.gen'

type Places<K extends keyof Texts> = {
  [P in keyof Texts[K]]: Texts[K][P] extends Text ? string : Texts[K][P] extends Tag ? never : Texts[K][P]
}
type RichPlaces<K extends keyof Texts> = {
  [P in keyof Texts[K]]: Texts[K][P] extends Text
    ? ReactNode
    : Texts[K][P] extends Tag
      ? (inner: ReactNode) => ReactNode
      : Texts[K][P]
}
type Filled<P> = keyof P extends never ? [] : [places: P]

const rules = new Intl.PluralRules(language)

type Forms<T> = { other: T; [form: string]: T }

/** What a text needs besides its places. */
const helpers = {
  n: formatNumber,
  p: <T>(n: number, forms: Forms<T>): T => forms[`=${n}`] ?? forms[rules.select(n)] ?? forms.other,
  s: <T>(word: string, forms: Forms<T>): T => forms[word] ?? forms.other,
  l: (parts: ReactNode) => (Array.isArray(parts) ? list(parts) : parts),
}
const list = (parts: ReactNode) => createElement(Fragment, null, ...[parts].flat(Number.POSITIVE_INFINITY))

/** A text in the page's language. */
export function t<K extends keyof Texts>(text: K, ...[places]: Filled<Places<K>>): string {
  return (text as unknown as (p: unknown, h: unknown) => string)(places, helpers)
}

/** A text with elements in its places and around its parts. */
export function rich<K extends keyof Texts>(text: K, ...[places]: Filled<RichPlaces<K>>): ReactNode {
  return list((text as unknown as (p: unknown, h: unknown) => ReactNode)(places, helpers))
}
