import { ChevronDown, ChevronRight } from 'lucide-react'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { categoryName } from '@/lib/market'
import { t } from '@/lib/texts'
import { nameAddress } from '../card/OrderBadges'
import type { Row, RowsProps } from './listRows'

type Props = { row: Row; tabStop: boolean; onFold: RowsProps['onFold'] | undefined }

/** The name of an item that several requests are for. The button fills its row and shows them; the name lies on it, as in other rows. */
export function ItemGroupCell({ row: { order, group }, tabStop, onFold }: Props) {
  if (!group) return null
  const Chevron = group.open ? ChevronDown : ChevronRight
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span title={categoryName(order.category)} className="shrink-0">
        <CategoryIcon category={order.category} className="size-4.5 text-muted-foreground" />
        <span className="sr-only">{categoryName(order.category)}: </span>
      </span>
      {order.itemId && (
        <PageLink
          to={nameAddress(order)}
          aria-hidden
          tabIndex={-1}
          dir="auto"
          title={order.itemName}
          className="relative z-1 min-w-0 truncate font-semibold hover:underline"
        >
          {order.itemName}
        </PageLink>
      )}
      <button
        type="button"
        data-stop
        tabIndex={tabStop ? 0 : -1}
        aria-expanded={group.open}
        className="flex min-w-0 items-center gap-1.5 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        onClick={() => onFold?.(order, !group.open)}
      >
        <span dir="auto" title={order.itemName} className={order.itemId ? 'sr-only' : 'truncate font-semibold'}>
          {order.itemName}
        </span>
        <Tag className="tabular">
          {t('common_request_count', { count: group.requests })}
          <Chevron aria-hidden />
        </Tag>
      </button>
      {group.failed && (
        <span role="alert" className="truncate text-destructive text-xs">
          {t('common_failed_to_load_orders')}
        </span>
      )}
    </span>
  )
}
