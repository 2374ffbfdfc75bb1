import { Calculator } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { Input } from '@/components/ui/input'
import { useReady } from '@/hooks/useReady'
import { clamp, clampText } from '@/lib/clamp'
import { lazy } from '@/lib/loaded'
import { rich, t } from '@/lib/texts'

const OnePress = lazy(() => import('@/components/one-press'))

type Props = { order: Order; offered?: OpenOffer; tabIndex?: number }

/** Shows what a quantity pays. It is always open and has the same height with any result, so that using it moves nothing.
 * For who has some of it, it starts with that, and one press offers it. */
export function EarningsCalculator({ order, offered, tabIndex }: Props) {
  const remaining = order.quantity - order.sold
  const ready = useReady(order.id)
  const [changed, setTyped] = useState<string>()
  const mine = offered ? offered.quantityOffered - offered.quantityAccepted : ready?.quantity
  const typed = changed ?? String(mine ?? '')
  // Other sellers may sell meanwhile: the quantity is clamped to what is left now.
  const quantity = clamp(Number(typed) || 0, 0, remaining)
  const pays = (
    <output aria-live="polite" className="tabular max-h-11 min-w-0 overflow-hidden text-[0.75rem] leading-3.5">
      {typed !== '' &&
        rich('orders_pays', {
          quiet: (text) => <span className="text-muted-foreground @max-[24rem]:sr-only">{text}</span>,
          amount: <Amount value={BigInt(order.maxPricePerUnit) * BigInt(quantity)} />,
        })}
    </output>
  )
  const press = (ready || offered?.undoUntil) && quantity > 0
  return (
    <div className={`flex min-w-0 flex-1 items-center gap-2${press ? ' with-press' : ''}`}>
      <span className="relative shrink-0">
        <Calculator
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="number"
          inputMode="numeric"
          step={1}
          min={0}
          max={remaining}
          aria-label={t('orders_earnings_label', { item: order.itemName })}
          placeholder={t('orders_i_have')}
          className="no-spinner tabular h-9 w-28 pr-2 pl-8 text-sm pointer-coarse:h-11"
          value={typed === '' ? '' : String(quantity)}
          onChange={(event) => setTyped(clampText(event.target.value, 0, remaining))}
        />
      </span>
      {press ? (
        <Suspense fallback={pays}>
          <OnePress
            order={order}
            offered={offered}
            ready={ready && { ...ready, quantity }}
            tabIndex={tabIndex}
            className="h-10"
          >
            {pays}
          </OnePress>
        </Suspense>
      ) : (
        pays
      )}
    </div>
  )
}
