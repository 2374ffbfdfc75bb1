import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { formatDay, formatDayAndTime } from '@/lib/format'
import { t } from '@/lib/texts'

type Purchases = NonNullable<Order['purchases']>

/** What the owner bought with a completed request: from whom, when, and what it cost in all. */
export default function CardPurchases({ order }: { order: Order }) {
  const { purchases, closedAt } = order
  if (!purchases) return null
  return (
    <dl aria-label={t('orders_purchases')} className="mt-2 grid gap-1 rounded-md bg-muted/60 px-3 py-2.5 text-sm">
      <Line label={t('orders_paid')}>
        <Amount value={purchases.paid} size="medium" />
      </Line>
      {purchases.sellerCount > 0 && (
        <Line label={t('orders_sellers', { count: purchases.sellerCount })}>
          <span className="wrap-anywhere">{sellersOf(purchases)}</span>
        </Line>
      )}
      <Line label={t('orders_bought')}>
        <Days first={purchases.firstAt} last={purchases.lastAt} />
      </Line>
      {closedAt && (
        <Line label={order.closeReason === 'closed_early' ? t('orders_closed') : t('common_completed')}>
          <Day iso={closedAt} />
        </Line>
      )}
    </dl>
  )
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="tabular min-w-0">{children}</dd>
    </div>
  )
}

/** "Fern", "Fern and Rowan", "Fern, Rowan, Maple and 2 more". */
function sellersOf({ sellers, sellerCount }: Purchases): string {
  const more = sellerCount - sellers.length
  const names = more > 0 ? [...sellers, t('orders_more_sellers', { count: more })] : sellers
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : t('orders_names_and', { names: names.slice(0, -1).join(', '), last })
}

/** One day, or the first and the last. */
function Days({ first, last }: { first: string; last: string }) {
  if (formatDay(first) === formatDay(last)) return <Day iso={last} />
  return (
    <>
      <Day iso={first} /> – <Day iso={last} />
    </>
  )
}

function Day({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatDayAndTime(iso)}>
      {formatDay(iso)}
    </time>
  )
}
