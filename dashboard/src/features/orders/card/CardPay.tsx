import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { ProgressBar } from '@/components/progress-bar'
import { rich, t } from '@/lib/texts'

type Props = {
  order: Order
  own: boolean
  /** Shows the bar and "0 fulfilled" also before anything is sold. */
  full?: boolean
}

/** What the request pays beside how much of it is left: the unit price and the total value (the owner sees the remaining
 * value while it is open), the remaining quantity and, once some is sold, how much and a bar. */
export function CardPay({ order, own, full = false }: Props) {
  const closedEarly = order.closeReason === 'closed_early'
  // Closing early makes the progress 100, as the specification says. The bar shows what was bought.
  const progress = closedEarly ? Math.floor((100 * order.sold) / order.quantity) : order.progress
  const remaining = own && order.status === 'active'
  return (
    <dl className="mt-2.5 grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4">
      <div>
        <dt className="sr-only">{t('orders_cost_per_unit')}</dt>
        <dd className="flex flex-wrap items-baseline gap-x-1.5">
          <Amount value={order.maxPricePerUnit} size="large" />
          <span aria-hidden="true" className="text-muted-foreground text-xs">
            {t('orders_per_unit')}
          </span>
        </dd>
      </div>
      <div className="tabular text-right text-sm">
        <dt className="sr-only">{t('orders_items_left')}</dt>
        <dd>
          <Left order={order} closedEarly={closedEarly} />
        </dd>
      </div>
      <div className="flex flex-wrap items-baseline gap-x-2 text-xs leading-5">
        <dt className="text-muted-foreground">{remaining ? t('orders_remaining_value') : t('orders_total_value')}</dt>
        <dd>
          <Amount value={remaining ? order.remainingValue : order.totalValue} />
        </dd>
      </div>
      {(order.sold > 0 || full) && (
        <div className="text-xs">
          <dt className="sr-only">{t('orders_progress')}</dt>
          <dd className="tabular flex items-center justify-end gap-2 text-muted-foreground leading-5">
            {!closedEarly && <span>{t('orders_fulfilled', { count: order.sold })}</span>}
            <ProgressBar
              progress={progress}
              label={t('orders_sold_part', { item: order.itemName })}
              className="h-1.5 w-18 @[22rem]:w-24"
            />
          </dd>
        </div>
      )}
    </dl>
  )
}

const strong = (text: ReactNode) => <strong className="font-semibold">{text}</strong>

function Left({ order, closedEarly }: { order: Order; closedEarly: boolean }) {
  const { quantity, sold } = order
  if (closedEarly) return t('orders_closed_early', { sold, quantity })
  return rich('orders_left', { strong, left: quantity - sold, quantity })
}
