import { lazy, type ReactNode, Suspense } from 'react'
import { DialogBody } from '@/components/page-dialog'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { ItemHint } from './ItemHint'
import type { OrderForm } from './OrderFields'
import { StockHint } from './StockHint'

const PriceHelp = lazy(() => import('./PriceHelp'))

type Props = {
  form: OrderForm
  /** Who will hear of the request. */
  audience?: ReactNode
  /** The fields. */
  children: ReactNode
}

/**
 * The fields of a request, with what the market knows of it beside them, or on narrow screens below them. Advice comes and goes
 * while somebody types, and there it moves no field.
 */
export function AdvisedFields({ form, audience, children }: Props) {
  const advised = isOn('items') || isOn('stock') || audience
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <DialogBody className="grid content-start gap-5">{children}</DialogBody>
      {advised && (
        <aside
          aria-label={t('orders_advice')}
          className="flex shrink-0 flex-col gap-1 overflow-y-auto overscroll-contain border-t bg-muted/40 px-5 py-2 text-muted-foreground text-sm max-lg:max-h-[30vh] lg:w-72 lg:gap-3 lg:border-t-0 lg:border-l lg:py-4"
        >
          {isOn('items') && <ItemHint form={form} />}
          {isOn('items') && isOn('prices') && (
            <Suspense>
              <PriceHelp form={form} />
            </Suspense>
          )}
          {isOn('stock') && <StockHint form={form} />}
          {audience}
        </aside>
      )}
    </div>
  )
}
