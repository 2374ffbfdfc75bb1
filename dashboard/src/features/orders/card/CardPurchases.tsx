import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { formatDay, formatDayAndTime, formatNumber } from '@/lib/format'

type Purchases = NonNullable<Order['purchases']>

/** What the owner bought with a completed request: from whom, when, and what it cost in all. */
export default function CardPurchases({ order }: { order: Order }) {
  const { purchases, closedAt } = order
  if (!purchases) return null
  return (
    <dl aria-label="What was bought" className="mt-2 grid gap-1 rounded-md bg-muted/60 px-3 py-2.5 text-sm">
      <Line name="Paid in all">
        <Amount value={purchases.paid} size="medium" />
      </Line>
      {purchases.sellerCount > 0 && (
        <Line name={purchases.sellerCount === 1 ? 'Seller' : 'Sellers'}>
          <span className="wrap-anywhere">{sellersOf(purchases)}</span>
        </Line>
      )}
      <Line name="Bought">
        <Days first={purchases.firstAt} last={purchases.lastAt} />
      </Line>
      {closedAt && (
        <Line name={order.closeReason === 'closed_early' ? 'Closed' : 'Completed'}>
          <Day iso={closedAt} />
        </Line>
      )}
    </dl>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="tabular min-w-0">{children}</dd>
    </div>
  )
}

/** "Fern", "Fern and Rowan", "Fern, Rowan, Maple and 2 more". */
function sellersOf({ sellers, sellerCount }: Purchases): string {
  const more = sellerCount - sellers.length
  const names = more > 0 ? [...sellers, `${formatNumber(more)} more`] : sellers
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
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
