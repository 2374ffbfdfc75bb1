/** A visitor's saved searches, kept in this browser. */

import { localStore } from '@/lib/localStore'
import type { SearchDraft } from './types'

export type BrowserSearch = SearchDraft & { id: number }

const isSearch = (value: unknown): value is BrowserSearch => {
  const { id, name } = (value ?? {}) as Partial<BrowserSearch>
  return Number.isInteger(id) && typeof name === 'string' && name !== ''
}

export const browserSearches = localStore<BrowserSearch>('tradepost.searches', isSearch)
