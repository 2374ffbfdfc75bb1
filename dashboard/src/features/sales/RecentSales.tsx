import { useQuery } from '@tanstack/react-query'
import { recentSales, salesQuery } from '@/api/sales'
import { Amount } from '@/components/coins'
import { Skeleton } from '@/components/ui/skeleton'
import { UndoButton } from '@/components/undo-button'
import { cn } from '@/lib/cn'
import { formatDayAndTime } from '@/lib/format'
import { rich, t } from '@/lib/texts'

/** The last three sales updates. Shows nothing if they cannot be loaded. */
export function RecentSales({ orderId }: { orderId: number }) {
  const { data, isPending } = useQuery(salesQuery(orderId))
  if (isPending) return <Skeleton className="h-16" />
  if (!data || data.sales.length === 0) return null
  return (
    <section aria-labelledby="recent-sales">
      <h3 id="recent-sales" className="text-base">
        {t('sales_recent')}
      </h3>
      <ul className="mt-1.5 divide-y text-sm">
        {data.sales.slice(0, recentSales).map((sale) => (
          <li key={sale.id} className="grid gap-0.5 py-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className={cn('tabular flex flex-wrap items-baseline gap-x-1.5', sale.reversed && 'line-through')}>
                {rich('sales_quantity_at', {
                  strong: (text) => <strong className="font-semibold">{text}</strong>,
                  quiet: (text) => <span className="text-muted-foreground">{text}</span>,
                  quantity: sale.quantitySold,
                  price: <Amount value={sale.unitPrice} />,
                })}
              </span>
              <time dateTime={sale.createdAt} className="text-muted-foreground text-xs">
                {formatDayAndTime(sale.createdAt)}
              </time>
            </p>
            {sale.reversed && <p className="text-muted-foreground">{t('sales_undone')}</p>}
            {sale.undo && (
              <div>
                <UndoButton act={sale.undo} what={t('sales_undo_sale', { quantity: sale.quantitySold })} />
              </div>
            )}
            {sale.notes && (
              <p dir="auto" className="whitespace-pre-line text-muted-foreground wrap-anywhere">
                {noteOf(sale.notes)}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the note of a sale: as it was typed, or in the page's language if an accepted offer made it. */
function noteOf(notes: string): string {
  const seller = /^Accepted offer from (.+)$/s.exec(notes)?.[1]
  if (!seller) return notes
  // As the server writes it once their names are gone.
  const who = seller === 'a visitor' ? 'visitor' : seller === 'a seller who has left' ? 'left' : 'seller'
  return t('sales_accepted', { who, seller })
}
