import { type ReactNode, Suspense } from 'react'
import { DialogBody } from '@/components/page-dialog'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { ItemHint } from './ItemHint'
import type { OrderForm } from './orderForm'
import { StockHint } from './StockHint'

const PriceHelp = lazy(() => import('./PriceHelp'))

type Props = {
  form: OrderForm
  /** Who will hear of the request. */
  audience?: ReactNode
  /** Above the fields. */
  notices?: ReactNode
  /** The fields that are always in sight. */
  first: ReactNode
  /** The other fields. */
  children: ReactNode
}

/**
 * The fields of a request, with advice beside the first ones, or on narrow screens below all of them. Advice
 * has a place of its own that always says something, so it moves no field when it changes.
 */
export function AdvisedFields({ form, audience, notices, first, children }: Props) {
  const advised = isOn('items') || isOn('stock') || audience
  return (
    <DialogBody
      className={cn(
        'grid auto-rows-max content-start gap-5',
        advised && 'lg:grid-cols-[minmax(0,1fr)_19.75rem] lg:gap-x-6',
      )}
    >
      <div className="contents lg:block lg:space-y-5 lg:[grid-column:1]">
        {notices}
        {first}
        <div>{children}</div>
      </div>
      {advised && (
        <aside
          aria-label={t('orders_advice')}
          className="flex flex-col gap-3 text-muted-foreground text-sm max-lg:min-h-36 lg:border-l lg:pl-6"
        >
          {isOn('items') && isOn('prices') && (
            <Suspense>
              <PriceHelp form={form} />
            </Suspense>
          )}
          {isOn('items') && <ItemHint form={form} />}
          {isOn('stock') && <StockHint form={form} />}
          {audience}
        </aside>
      )}
    </DialogBody>
  )
}
