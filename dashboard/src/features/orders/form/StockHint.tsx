import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { stockSumQuery } from '@/api/stock'
import { parseCopper, printCopper } from '@/lib/copper'
import { countOf, formatNumber } from '@/lib/format'
import type { OrderForm } from './OrderFields'

/** What sellers have of the item that is typed, at the price that is typed. */
export function StockHint({ form }: { form: OrderForm }) {
  const [typed, price] = form.watch(['itemName', 'maxPricePerUnit'])
  const name = useDeferredValue(typed.trim())
  const maxPrice = String(parseCopper(useDeferredValue(price)).copper ?? 0n)
  const { data } = useQuery({
    ...stockSumQuery(name, maxPrice),
    enabled: name.length > 1,
    placeholderData: keepPreviousData,
  })
  return (
    <output className="block empty:hidden">
      {name.length > 1 && data && data.sellers > 0 && (
        <>
          {countOf(data.sellers, 'seller has', 'sellers have')} {formatNumber(data.quantity)} at up to{' '}
          {printCopper(BigInt(data.upTo))}
        </>
      )}
    </output>
  )
}
