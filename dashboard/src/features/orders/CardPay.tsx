import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'

/** The unit price and the total value; the owner sees the remaining value. */
export function CardPay({ order, own }: { order: Order; own: boolean }) {
  return (
    <dl className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
      <div>
        <dt className="text-muted-foreground text-xs">Cost per unit</dt>
        <dd>
          <Amount value={order.maxPricePerUnit} size="large" />
        </dd>
      </div>
      <div className="text-right">
        <dt className="text-muted-foreground text-xs">{own ? 'Remaining value' : 'Total value'}</dt>
        <dd className="flex h-7 items-center justify-end text-sm">
          <Amount value={own ? order.remainingValue : order.totalValue} />
        </dd>
      </div>
    </dl>
  )
}
