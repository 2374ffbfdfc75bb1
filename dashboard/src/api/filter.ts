// What lists of requests can be filtered and sorted by.
import type { FilterTexts } from '@/lib/fields'
import type { Category, Importance } from './types'

export type Sort = 'newest' | 'price' | 'total' | 'ending'

/** The filter of the board. Prices are stored as typed, "1g 500s", so that the URL is readable. */
export type BrowseFilter = FilterTexts & {
  category?: Category[]
  q?: string
  importance?: Importance[]
  level?: number
  min?: string
  max?: string
  sort?: Sort
  /** Only what the reader's skills are enough for. */
  for?: 'me'
}

/** What a list is asked for: the board's filter, the skills of the reader, and whether it has one row for each item, is about one
 * item, or has what the reader can fill, ranked by what they would earn unless it is sorted. */
export type ListFilter = BrowseFilter & { skill?: string[]; group?: 'item'; item?: string; fill?: true }
