import type { BoardView } from '@/lib/boardView'
import { parseCopper, printCopper } from '@/lib/copper'
import { filterTexts, mapFilterTexts } from '@/lib/fields'
import { categories, categoryName, importances } from '@/lib/market'
import type { Side } from '@/lib/side'
import { t } from '@/lib/texts'
import type { BrowseFilter } from './filter'
import type { Category, Importance, SavedDraft, SearchDraft } from './types'

const copperOf = (text?: string) => Number(parseCopper(text ?? '').copper ?? 0n)
const textOf = (copper?: number) => (copper ? printCopper(BigInt(copper)) : undefined)
const orNone = <T>(list: T[]) => (list.length > 0 ? list : undefined)

/** What the board shows, to be saved by a name. */
export function searchOf(filter: BrowseFilter, view: BoardView, name: string, side?: Side): SearchDraft {
  const { category = [], q = '', importance = [], level = 0, min, max, sort = 'newest' } = filter
  const texts = mapFilterTexts(filter, (text) => text)
  const prices = { minPrice: copperOf(min), maxPrice: copperOf(max) }
  return {
    name,
    q,
    category,
    importance,
    level,
    ...texts,
    ...prices,
    forMe: filter.for === 'me',
    sort,
    view,
    ...(side && { side }),
  }
}

/** The whole filter of a saved search. What this game doesn't have is left out. */
export function filterOf(search: Omit<SearchDraft, 'name'>): Record<keyof BrowseFilter, unknown> & BrowseFilter {
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

/** The address that shows what a saved search finds: the board, or the page of its item. */
export function addressOf({ items = [], kind, view, ...search }: SavedDraft): string {
  if (items.length === 1) return `/items/${items[0]}`
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filterOf({ ...search, q: search.q || kind }))) {
    for (const one of Array.isArray(value) ? value : [value]) if (one) params.append(name, String(one))
  }
  if (view) params.set('view', view)
  if (search.side) params.set('side', search.side)
  return `/?${params}`
}

const filtered = (search: SavedDraft) => {
  const { items = [], kind = '', q = '', category = [], importance = [], level = 0, forMe = false } = search
  const { minPrice = 0, maxPrice = 0, minQuantity = 0, side = '' } = search
  const texts = filterTexts(search).map(({ text }) => text.toLowerCase())
  const lists = [[...items].sort(), [...category].sort(), [...importance].sort()]
  return JSON.stringify([
    lists,
    texts,
    kind,
    q.trim().toLowerCase(),
    level,
    forMe,
    minPrice,
    maxPrice,
    minQuantity,
    side,
  ])
}

/** Reports whether the same requests fit two searches. */
export const sameSearch = (search: SavedDraft, other: SavedDraft): boolean => filtered(search) === filtered(other)

/** Whether a search can have a bell: nearly every request would ring one that is wider. */
export const isNarrow = ({ items = [], kind, q, category = [], forMe, side }: SavedDraft): boolean =>
  items.length > 0 || Boolean(kind || q?.trim() || (forMe && !side)) || category.length > 0

/** A saved search in a few words: "iron · Miner, Chef · urgent · for me". */
export function describeSearch(search: Omit<SearchDraft, 'name'>): string {
  const parts = [
    search.side === 'sale' && t('lib_search_for_sale'),
    search.side === 'both' && t('lib_search_both'),
    search.q && t('lib_search_words', { words: search.q }),
    search.category?.map(categoryName).join(', '),
    search.importance?.map((importance) => importanceWords[importance]).join(', '),
    search.level ? t('lib_search_level', { level: String(search.level) }) : '',
    ...filterTexts(search).map(({ text }) => text),
    search.minPrice ? t('lib_search_from', { price: printCopper(BigInt(search.minPrice)) }) : '',
    search.maxPrice ? t('lib_search_up_to', { price: printCopper(BigInt(search.maxPrice)) }) : '',
    search.forMe ? t('lib_search_for_me') : '',
  ]
  return parts.filter(Boolean).join(' · ') || t('lib_search_all')
}
