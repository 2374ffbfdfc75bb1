import type { BoardView } from '@/lib/boardView'
import { parseCopper, printCopper } from '@/lib/copper'
import { filterTexts, mapFilterTexts } from '@/lib/fields'
import { categories, importances } from '@/lib/market'
import { t } from '@/lib/texts'
import type { BrowseFilter } from './filter'
import type { Category, Importance, SearchDraft } from './types'

const copperOf = (text?: string) => Number(parseCopper(text ?? '').copper ?? 0n)
const textOf = (copper?: number) => (copper ? printCopper(BigInt(copper)) : undefined)
const orNone = <T>(list: T[]) => (list.length > 0 ? list : undefined)

/** What the board shows, to be saved by a name. */
export function searchOf(filter: BrowseFilter, view: BoardView, name: string): SearchDraft {
  const { category = [], q = '', importance = [], level = 0, min, max, sort = 'newest' } = filter
  const texts = mapFilterTexts(filter, (text) => text)
  const prices = { minPrice: copperOf(min), maxPrice: copperOf(max) }
  return { name, q, category, importance, level, ...texts, ...prices, forMe: filter.for === 'me', sort, view }
}

/** The whole filter of a saved search. What this game doesn't have is left out. */
export function filterOf(search: SearchDraft): Record<keyof BrowseFilter, unknown> & BrowseFilter {
  return {
    category: orNone(categories.filter((c) => search.category?.includes(c as Category)) as Category[]),
    q: search.q || undefined,
    importance: orNone(importances.filter((i) => search.importance?.includes(i)) as Importance[]),
    level: search.level || undefined,
    ...mapFilterTexts(search, (text) => text || undefined),
    min: textOf(search.minPrice),
    max: textOf(search.maxPrice),
    sort: search.sort === 'newest' ? undefined : search.sort,
    for: search.forMe ? 'me' : undefined,
  }
}

const importanceWords: Record<Importance, string> = {
  low: t('lib_search_low'),
  medium: t('lib_search_medium'),
  high: t('lib_search_high'),
  urgent: t('lib_search_urgent'),
}

/** A saved search in a few words: "iron · Miner, Chef · urgent · for me". */
export function describeSearch(search: SearchDraft): string {
  const parts = [
    search.q && t('lib_search_words', { words: search.q }),
    search.category?.join(', '),
    search.importance?.map((importance) => importanceWords[importance]).join(', '),
    search.level ? t('lib_search_level', { level: String(search.level) }) : '',
    ...filterTexts(search).map(({ text }) => text),
    search.minPrice ? t('lib_search_from', { price: printCopper(BigInt(search.minPrice)) }) : '',
    search.maxPrice ? t('lib_search_up_to', { price: printCopper(BigInt(search.maxPrice)) }) : '',
    search.forMe ? t('lib_search_for_me') : '',
  ]
  return parts.filter(Boolean).join(' · ') || t('lib_search_all')
}
