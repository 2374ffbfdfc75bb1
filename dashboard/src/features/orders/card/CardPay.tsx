import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { ProgressBar } from '@/components/progress-bar'
import { cn } from '@/lib/cn'
import { rich, t } from '@/lib/texts'

type Props = {
  order: Order
  own: boolean
  /** Shows the bar and "0 fulfilled" below, also before anything is sold. */
  full?: boolean
}

/** What the request pays, in one line where there is room: the unit price, the total value (the owner sees the remaining value
 * while it is open), and how many are left. */
export function CardPay({ order, own, full = false }: Props) {
  const remaining = own && order.status === 'active'
  return (
    <>
      <dl className="mt-0.5 flex flex-wrap items-baseline gap-x-1.5 text-xs">
        <div className="flex flex-wrap items-baseline gap-x-1.5">
          <dt className="sr-only">{t('orders_cost_per_unit')}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-1.5">
            <Amount value={order.maxPricePerUnit} size="large" className="text-[1.125rem] leading-6" />
            <span aria-hidden="true" className="text-muted-foreground">
              <span className="@max-[24rem]:hidden">{t('orders_per_unit')}</span>
              <span className="@min-[24rem]:hidden">{t('orders_each')}</span> ·
            </span>
          </dd>
        </div>
        <div>
          <dt className="sr-only">{remaining ? t('orders_remaining_value') : t('orders_total_value')}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-1.5">
            <Amount value={remaining ? order.remainingValue : order.totalValue} />
            <span aria-hidden="true" className="text-muted-foreground">
              {remaining ? t('orders_remaining') : t('orders_in_all')}
            </span>
          </dd>
        </div>
        <div className="tabular ml-auto">
          <dt className="sr-only">{t('orders_items_left')}</dt>
          <dd>
            <Left order={order} />
          </dd>
        </div>
      </dl>
      {full && <CardProgress order={order} className="mt-1" />}
    </>
  )
}

/** How much of a request is sold, as a bar, and in words where they have room beside it. */
export function CardProgress({ order, className }: { order: Order; className?: string }) {
  // Closing early makes the progress 100, as the specification says. The bar shows what was bought.
  const progress = isClosedEarly(order) ? Math.floor((100 * order.sold) / order.quantity) : order.progress
  return (
    <dl className={cn('min-w-6 flex-1 text-[0.75rem] leading-4.5', className)}>
      <dt className="sr-only">{t('orders_progress')}</dt>
      {/* The words are in a line that is cut off, unless the first has room for them. */}
      <dd className="tabular flex h-4.5 flex-row-reverse flex-wrap gap-x-2 overflow-hidden text-muted-foreground">
        <ProgressBar
          progress={progress}
          label={t('orders_sold_part', { item: order.itemName })}
          className="my-1.5 h-1.5 w-full max-w-14"
        />
        {!isClosedEarly(order) && <span>{t('orders_fulfilled', { count: order.sold })}</span>}
      </dd>
    </dl>
  )
}

const isClosedEarly = (order: Order) => order.closeReason === 'closed_early'

const strong = (text: ReactNode) => <strong className="font-semibold">{text}</strong>

function Left({ order }: { order: Order }) {
  const { quantity, sold } = order
  if (isClosedEarly(order)) return t('orders_closed_early', { sold, quantity })
  return rich('orders_left', { strong, left: quantity - sold, quantity })
}
