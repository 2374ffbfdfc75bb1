import { Calculator, ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import type { Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { QuantityInput } from '@/components/quantity-input'
import { clamp } from '@/lib/clamp'
import { cn } from '@/lib/cn'
import { countOf } from '@/lib/format'

/** Shows what a quantity pays. Collapsed, it shows what the remaining quantity pays. */
export function EarningsCalculator({ order }: { order: Order }) {
  const [open, setOpen] = useState(false)
  const panel = useId()
  return (
    <div className="rounded-md bg-muted/60">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm transition-colors hover:bg-muted pointer-coarse:min-h-11"
      >
        <Calculator aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <span className="flex-1">
          Earnings <span className="sr-only">calculator</span>
        </span>
        {!open && (
          <span className="flex flex-wrap items-baseline justify-end gap-x-1.5 text-muted-foreground">
            up to <Amount value={order.remainingValue} className="text-foreground" />
          </span>
        )}
        <ChevronDown
          aria-hidden
          className={cn('size-4 shrink-0 text-muted-foreground transition-transform', open && 'rotate-180')}
        />
      </button>
      {open && <CalculatorPanel id={panel} order={order} />}
    </div>
  )
}

function CalculatorPanel({ id, order }: { id: string; order: Order }) {
  const remaining = order.quantity - order.sold
  const [typed, setTyped] = useState(String(remaining))
  // Other sellers may sell meanwhile: the quantity is clamped to what is left now.
  const quantity = clamp(Number(typed) || 0, 0, remaining)
  const worth = BigInt(order.maxPricePerUnit) * BigInt(quantity)
  return (
    <div id={id} className="grid gap-2 px-2.5 pt-1 pb-2.5">
      <div className="flex items-center gap-3">
        <input
          type="range"
          aria-label={`How many ${order.itemName}, by slider`}
          min={0}
          max={remaining}
          value={quantity}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 min-w-0 flex-1 cursor-pointer accent-primary pointer-coarse:h-11"
        />
        <QuantityInput
          aria-label={`How many ${order.itemName}`}
          className="h-9 w-24 px-2 text-right text-sm pointer-coarse:h-11"
          min={0}
          max={remaining}
          value={String(quantity)}
          onValue={setTyped}
        />
      </div>
      <output className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm" aria-live="polite">
        <span className="text-muted-foreground">For {countOf(quantity, 'item')}</span>
        <Amount value={worth} size="medium" />
      </output>
    </div>
  )
}
