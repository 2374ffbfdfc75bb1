import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listForSaleQuery } from '@/api/listings'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { Typed } from '@/components/typed'
import { formatDayAndTime } from '@/lib/format'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'

type Props = {
  orders: Order[]
  /** The list that they are on; nothing for a preview. */
  list?: number
  /** What is beside a line. */
  beside?: (order: Order, index: number) => ReactNode
}

/** The requests of a list, each in a line. */
export function ListLines({ orders, list, beside }: Props) {
  const { data: listed } = useQuery({ ...listForSaleQuery(list ?? 0), enabled: list !== undefined && isOn('listings') })
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
              {rich('lists_line', { state: stateOf(order), price: <Amount value={order.maxPricePerUnit} /> })}
            </p>
            <Asked order={order} />
            <ForSale order={order} line={listed?.find(({ orderId }) => orderId === order.id)} />
          </div>
          {beside?.(order, i)}
        </li>
      ))}
    </ul>
  )
}

/** How far an ask for a listing has come: agreed, or waiting for its seller. */
function Asked({ order }: { order: Order }) {
  if (!order.listingId) return null
  if (order.status === 'active')
    return <p className="text-sm">{t('lists_asked', { until: formatDayAndTime(order.expiresAt) })}</p>
  if (order.closeReason !== 'filled') return null
  return (
    <PageLink to="/trades" className="touch text-primary text-sm underline decoration-primary/40 underline-offset-4">
      {t('lists_agreed')}
    </PageLink>
  )
}

type Line = { quantity: number; lowest: number }

/** What others have for sale of a line's item. It leads to the item's page, where both sides are. */
function ForSale({ order, line }: { order: Order; line: Line | undefined }) {
  if (!line || order.status !== 'active') return null
  const to = order.itemId ? `/items/${order.itemId}` : `/?side=sale&q=${encodeURIComponent(order.itemName)}`
  return (
    <PageLink to={to} className="touch tabular text-primary text-sm underline decoration-primary/40 underline-offset-4">
      {rich('lists_for_sale', { quantity: line.quantity, price: <Amount value={line.lowest} /> })}
    </PageLink>
  )
}

function stateOf(order: Order): string {
  const { quantity, sold } = order
  if (order.id === 0) return t('lists_state_new', { quantity })
  if (order.status === 'fulfilled')
    return order.closeReason === 'filled'
      ? t('lists_state_filled', { quantity })
      : t('lists_state_closed', { sold, quantity })
  return t('common_left_of', { left: quantity - sold, quantity })
}
