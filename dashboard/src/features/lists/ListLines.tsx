import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { Typed } from '@/components/typed'
import { rich, t } from '@/lib/texts'

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
              {rich('lists_line', { state: stateOf(order), price: <Amount value={order.maxPricePerUnit} /> })}
            </p>
          </div>
          {beside?.(order, i)}
        </li>
      ))}
    </ul>
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
