import { useQuery } from '@tanstack/react-query'
import { stockQuery } from '@/api/stock'
import { Beside } from '@/components/beside'
import { Amount } from '@/components/coins'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'

/** What the user has, in short, beside what they can fill. */
export function StockBeside() {
  const { data = [] } = useQuery(stockQuery)
  return (
    <Beside to="/selling/stock" title={t('common_stock')} count={data.length} none={t('stock_none_yet')}>
      {(most) =>
        data.slice(0, most).map(({ id, itemName, quantity, price }) => (
          <li key={id} className="flex min-h-13 items-center gap-3 px-4 py-2 text-sm">
            <bdi className="min-w-0 flex-1 truncate font-medium">{itemName}</bdi>
            <span className="whitespace-nowrap text-muted-foreground">
              {rich('stock_each', { price: <Amount value={price} /> })}
            </span>
            <span className="tabular min-w-12 text-right font-semibold">{formatNumber(quantity)}</span>
          </li>
        ))
      }
    </Beside>
  )
}
