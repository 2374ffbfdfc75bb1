import type { ItemSort } from '@/api/items'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

/** What most people look for first (decision 408). */
export const defaultSort: ItemSort = 'open'

/** The sorts of the list of items, in the order of its columns: the head of each, and its name in the list of sorts. */
const sorts: readonly { value: ItemSort; column: string; label: string; descending: boolean }[] = [
  { value: 'name', column: t('common_item'), label: t('items_sort_name'), descending: false },
  { value: 'open', column: t('orders_open_requests'), label: t('items_sort_open'), descending: true },
  { value: 'price', column: t('items_median_price'), label: t('items_sort_price'), descending: true },
  { value: 'profession', column: t('items_profession'), label: t('items_profession'), descending: false },
  { value: 'level', column: t('common_level'), label: t('items_sort_level'), descending: false },
]

/** The sorts that this market has. */
export const sortsShown = () => sorts.filter(({ value }) => value !== 'price' || isOn('prices'))

/** Reads the sort of an address. What makes no sense is the usual one. */
export const sortAt = (text: string | null): ItemSort =>
  sortsShown().find(({ value }) => value === text)?.value ?? defaultSort
