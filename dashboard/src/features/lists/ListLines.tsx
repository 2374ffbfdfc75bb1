import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { Typed } from '@/components/typed'
import { formatNumber } from '@/lib/format'

type Props = {
  orders: Order[]
  /** What is beside a line. */
  beside?: (order: Order, index: number) => ReactNode
}

/** The requests of a list, each in a line. */
export function ListLines({ orders, beside }: Props) {
  return (
    <ul className="divide-y rounded-lg border bg-card">
      {orders.map((order, i) => (
        <li key={order.id || i} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
          <div className="min-w-0 flex-1 basis-56">
            {order.id > 0 ? (
              <PageLink
                to={`/requests/${order.id}`}
                className="font-medium wrap-anywhere hover:text-primary hover:underline"
              >
                <Typed>{order.itemName}</Typed>
              </PageLink>
            ) : (
              <span className="font-medium wrap-anywhere">
                <Typed>{order.itemName}</Typed>
              </span>
            )}
            <p className="tabular text-muted-foreground text-sm">
              {stateOf(order)} · <Amount value={order.maxPricePerUnit} /> each
            </p>
          </div>
          {beside?.(order, i)}
        </li>
      ))}
    </ul>
  )
}

function stateOf(order: Order): string {
  if (order.id === 0) return `${formatNumber(order.quantity)} of it`
  if (order.status === 'fulfilled')
    return order.closeReason === 'filled'
      ? `All ${formatNumber(order.quantity)} bought`
      : `Closed early, ${formatNumber(order.sold)} of ${formatNumber(order.quantity)} bought`
  return `${formatNumber(order.quantity - order.sold)} of ${formatNumber(order.quantity)} left`
}
