import type { Order } from '@/api/types'
import { formatNumber } from '@/lib/format'
import { CategoryIcon } from './category'
import { Amount } from './coins'

/** Which request a dialog is about, in one line. */
export function RequestSummary({ order }: { order: Order }) {
  return (
    <div className="flex items-center gap-3 rounded-md bg-muted/60 px-3 py-2.5">
      <CategoryIcon category={order.category} className="size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate font-medium">{order.itemName}</p>
        <p className="tabular text-muted-foreground">
          {formatNumber(order.quantity - order.sold)} of {formatNumber(order.quantity)} left
        </p>
      </div>
      <div className="text-right text-sm">
        <p className="text-muted-foreground">each</p>
        <Amount value={order.maxPricePerUnit} />
      </div>
    </div>
  )
}
