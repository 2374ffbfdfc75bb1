import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { t } from '@/lib/texts'
import { CategoryIcon } from './category'
import { Amount } from './coins'

type Props = {
  order: Order
  /** The item's name, where it is more than text. */
  name?: ReactNode
}

/** The request that a dialog or a group of offers is about. */
export function RequestSummary({ order, name }: Props) {
  return (
    <div className="flex items-center gap-3 rounded-md bg-muted/60 px-3 py-2.5">
      <CategoryIcon category={order.category} className="size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1 text-sm">
        {name ?? (
          <p dir="auto" className="truncate font-medium">
            {order.itemName}
          </p>
        )}
        <p className="tabular text-muted-foreground">
          {t('common_left_of', { left: order.quantity - order.sold, quantity: order.quantity })}
        </p>
      </div>
      <div className="text-right text-sm">
        <p className="text-muted-foreground">{t('common_each')}</p>
        <Amount value={order.maxPricePerUnit} />
      </div>
    </div>
  )
}
