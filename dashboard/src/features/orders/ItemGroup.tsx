import { ChevronDown, ChevronRight } from 'lucide-react'
import { CategoryIcon } from '@/components/category'
import { Tag } from '@/components/tag'
import { countOf } from '@/lib/format'
import type { Row } from './listRows'
import type { RowsProps } from './OrderList'

type Props = { row: Row; tabStop: boolean; onFold: RowsProps['onFold'] | undefined }

/** The name of an item that several requests are for. The button fills its row and shows them. */
export function ItemGroupCell({ row: { order, group }, tabStop, onFold }: Props) {
  if (!group) return null
  const Chevron = group.open ? ChevronDown : ChevronRight
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span title={order.category} className="shrink-0">
        <CategoryIcon category={order.category} className="size-4.5 text-muted-foreground" />
        <span className="sr-only">{order.category}: </span>
      </span>
      <button
        type="button"
        data-stop
        tabIndex={tabStop ? 0 : -1}
        aria-expanded={group.open}
        className="flex min-w-0 items-center gap-1.5 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        onClick={() => onFold?.(order, !group.open)}
      >
        <span dir="auto" title={order.itemName} className="truncate font-semibold">
          {order.itemName}
        </span>
        <Tag className="tabular">
          {countOf(group.requests, 'request')}
          <Chevron aria-hidden />
        </Tag>
      </button>
      {group.failed && (
        <span role="alert" className="truncate text-destructive text-xs">
          Failed to load orders. Please try again.
        </span>
      )}
    </span>
  )
}
