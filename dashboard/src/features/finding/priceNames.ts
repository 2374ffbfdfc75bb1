import type { Saved, SavedDraft } from '@/api/types'
import { printCopper } from '@/lib/copper'
import { limits } from '@/lib/market'
import { t } from '@/lib/texts'

type Priced = Pick<SavedDraft, 'items' | 'side' | 'minPrice' | 'maxPrice'>

/** The price that a search for one item waits for, on one side of the market; 0 for none. */
export const priceOf = ({ items = [], side, minPrice = 0, maxPrice = 0 }: Priced): number =>
  items.length !== 1 ? 0 : side === 'sale' ? maxPrice : side ? 0 : minPrice

/** A name that says the side and the price of such a search. */
export function priceName(item: string, side: Saved['side'], copper: number): string {
  const words = { item, price: printCopper(BigInt(copper)) }
  const name = side === 'sale' ? t('finding_at_price_sale_name', words) : t('finding_at_price_wanted_name', words)
  return [...name].slice(0, limits.searchName).join('')
}
