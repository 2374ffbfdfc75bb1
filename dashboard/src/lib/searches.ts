/** A visitor's saved searches, kept in this browser. */
import type { SearchDraft } from '@/api/types'
import { localStore } from './localStore'

export type BrowserSearch = SearchDraft & { id: number }

const isSearch = (value: unknown): value is BrowserSearch => {
  const { id, name } = (value ?? {}) as Partial<BrowserSearch>
  return Number.isInteger(id) && typeof name === 'string' && name !== ''
}

export const browserSearches = localStore<BrowserSearch>('tradepost.searches', isSearch)
