import { Calculator } from 'lucide-react'
import { useState } from 'react'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { Input } from '@/components/ui/input'
import { clamp, clampText } from '@/lib/clamp'
import { rich, t } from '@/lib/texts'

/** Shows what a quantity pays. It is always open and has the same height with any result, so that using it moves nothing. */
export function EarningsCalculator({ order }: { order: Order }) {
  const remaining = order.quantity - order.sold
  const [typed, setTyped] = useState('')
  // Other sellers may sell meanwhile: the quantity is clamped to what is left now.
  const quantity = clamp(Number(typed) || 0, 0, remaining)
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
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
      <output aria-live="polite" className="tabular max-h-11 min-w-0 overflow-hidden text-[0.75rem] leading-3.5">
        {typed !== '' &&
          rich('orders_pays', {
            quiet: (text) => <span className="text-muted-foreground @max-[24rem]:sr-only">{text}</span>,
            amount: <Amount value={BigInt(order.maxPricePerUnit) * BigInt(quantity)} />,
          })}
      </output>
    </div>
  )
}
