import { Check, ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { useHighlighted } from '@/hooks/useHighlighted'
import { cn } from '@/lib/cn'
import { rowTexts } from '@/lib/fields'
import { categoryName } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { hidden, priorityOf, StatusBadge, UrgencyMark } from '../card/OrderBadges'
import { LeftOf, Span, wanted } from './listColumns'
import type { Row, RowsProps } from './listRows'
import { RowAction } from './RowAction'
import { useRowWindow } from './useRowWindow'

const rowHeight = 64 // px

const fillsRow =
  'outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring'

/** The requests on a phone: the name, below it the unit price, how many are left, level and age. */
export function PhoneRows({ rows, label, activeIndex, onFold }: RowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const {
    rows: near,
    height,
    follower,
  } = useRowWindow({ start: list, count: rows.length, rowHeight, pinned: activeIndex })
  return (
    <ul ref={list} aria-label={label} style={{ height }} className="relative -mx-4 border-t bg-card sm:-mx-6">
      {near.map(({ index, offset }) => {
        const row = rows[index]
        return (
          row && (
            <li
              key={row.key}
              data-row={row.key}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              style={{ top: offset }}
              className="absolute inset-x-0"
            >
              {row.group ? <PhoneGroup row={row} onFold={onFold} /> : <PhoneRow row={row} />}
            </li>
          )
        )
      })}
      {follower}
    </ul>
  )
}

const twoLines =
  'relative grid h-16 grid-cols-[1.625rem_minmax(0,1fr)_auto] grid-rows-[1.375rem_1.25rem] content-center gap-x-1.5 border-b px-4 sm:px-6'
/** Its parts wrap, so that one without room is left out as a whole. */
const secondLine =
  'tabular col-start-2 flex h-5 min-w-0 flex-wrap gap-x-1 overflow-hidden text-muted-foreground text-xs leading-5'

function Part({ dir, children }: { dir?: 'auto'; children: ReactNode }) {
  return (
    <span dir={dir} className="max-w-full truncate">
      <span aria-hidden="true">· </span>
      {children}
    </span>
  )
}

function PhoneRow({ row }: { row: Row }) {
  const { order, own, offered, arrived, within } = row
  const highlighted = useHighlighted(order.id)
  const priority = priorityOf(order)
  const { levelRequirement } = order
  return (
    <div
      className={cn(
        twoLines,
        priority === 'urgent' && 'border-l-[3px] border-l-urgent pl-3.25',
        priority === 'high' && 'border-l-[3px] border-l-high pl-3.25',
        within && 'bg-muted/35',
        arrived && 'animate-arrive',
        highlighted && 'animate-highlight',
      )}
    >
      {within ? (
        <span aria-hidden="true" className="row-span-2 ml-2.5 border-l" />
      ) : (
        <CategoryIcon category={order.category} className="row-span-2 size-5 self-center text-muted-foreground" />
      )}
      <span className="flex min-w-0 items-center gap-1.5">
        <PageLink
          to={`/requests/${order.id}`}
          data-stop
          dir="auto"
          className={cn('min-w-0 truncate font-semibold text-[0.9375rem]', fillsRow)}
        >
          {order.itemName}
        </PageLink>
        <span className="sr-only">{categoryName(order.category)}</span>
        {own && <Tag tone="own">{t('orders_yours')}</Tag>}
        {!own && offered && (
          <Tag tone="accent" className="tabular shrink-0 px-1.5">
            <Check aria-hidden />
            {rich('orders_offered_row', { hidden, quantity: offered.quantityOffered })}
          </Tag>
        )}
        {priority && <UrgencyMark priority={priority} />}
        <span className="sr-only">
          <StatusBadge order={order} />
        </span>
      </span>
      <span className={secondLine}>
        <span className="whitespace-nowrap">
          <Amount value={order.maxPricePerUnit} className="font-semibold text-foreground" /> {t('orders_each_row')}
        </span>
        <Part>
          <LeftOf order={order} noBar />
        </Part>
        <Part>
          {levelRequirement === null
            ? rich('orders_any_level_row', { hidden })
            : rich('orders_level_row', { hidden, level: levelRequirement })}
        </Part>
        {rowTexts.map(
          ({ name, label }) =>
            order[name] && (
              <Part key={name} dir="auto">
                <span className="sr-only">{label}: </span>
                {order[name]}
              </Part>
            ),
        )}
        <Part>
          <Span iso={order.createdAt} what="posted" />
        </Part>
      </span>
      <span className="col-start-3 row-span-2 row-start-1 self-center">
        <RowAction row={row} phone />
      </span>
    </div>
  )
}

/** Several requests for one item. The button fills the row and shows them. */
function PhoneGroup({ row, onFold }: { row: Row; onFold: RowsProps['onFold'] }) {
  const { order, group } = row
  if (!group) return null
  const requests = t('common_request_count', { count: group.requests })
  const Chevron = group.open ? ChevronDown : ChevronRight
  return (
    <div className={twoLines}>
      <CategoryIcon category={order.category} className="row-span-2 size-5 self-center text-muted-foreground" />
      <button
        type="button"
        data-stop
        aria-expanded={group.open}
        className={cn('flex min-w-0 items-center gap-1 text-left', fillsRow)}
        onClick={() => onFold(order, !group.open)}
      >
        <span dir="auto" className="truncate font-semibold text-[0.9375rem]">
          {order.itemName}
        </span>
        <span className="sr-only">, {requests}</span>
        <Chevron aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </button>
      <span className={secondLine}>
        {group.failed ? (
          <span role="alert">{t('common_failed_to_load_orders')}</span>
        ) : (
          <>
            <span className="whitespace-nowrap">
              {t('orders_best_price')} <Amount value={group.best} className="font-semibold text-foreground" />
            </span>
            <Part>{wanted(group.wanted)}</Part>
            <span aria-hidden="true">· {requests}</span>
          </>
        )}
      </span>
    </div>
  )
}
