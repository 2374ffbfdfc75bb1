import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { stockSumQuery } from '@/api/stock'
import { parseCopper, printCopper } from '@/lib/copper'
import { t } from '@/lib/texts'
import type { OrderForm } from './orderForm'

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
      {name.length > 1 &&
        data &&
        data.sellers > 0 &&
        t('orders_sellers_have', {
          sellers: data.sellers,
          quantity: data.quantity,
          price: printCopper(BigInt(data.upTo)),
        })}
    </output>
  )
}
