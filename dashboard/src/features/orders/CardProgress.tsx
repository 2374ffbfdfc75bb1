import type { Order } from '@/api/types'
import { ProgressBar } from '@/components/progress-bar'
import { formatNumber } from '@/lib/format'

/** The remaining quantity as a bar and in words. A request closed early shows the quantity sold. */
export function CardProgress({ order }: { order: Order }) {
  const left = order.quantity - order.sold
  const total = formatNumber(order.quantity)
  const closedEarly = order.closeReason === 'closed_early'
  // Closing early makes the progress 100, as the specification says. The bar shows what was bought.
  const progress = closedEarly ? Math.floor((100 * order.sold) / order.quantity) : order.progress
  return (
    <div className="grid gap-1.5">
      <ProgressBar progress={progress} label={`${order.itemName}: sold`} />
      <p className="tabular flex flex-wrap justify-between gap-x-3 text-sm">
        {closedEarly ? (
          <span>
            closed early, {formatNumber(order.sold)} of {total}
          </span>
        ) : (
          <>
            <span>
              <strong className="font-semibold">{formatNumber(left)}</strong> of {total} left
            </span>
            <span className="text-muted-foreground">{formatNumber(order.sold)} fulfilled</span>
          </>
        )}
      </p>
    </div>
  )
}
