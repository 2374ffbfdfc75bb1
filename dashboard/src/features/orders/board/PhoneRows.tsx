import { Check, ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment, useMemo, useRef } from 'react'
import { AmountSlots, slotsFor } from '@/components/amount-slots'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { useHighlighted } from '@/hooks/useHighlighted'
import { cn } from '@/lib/cn'
import { rowTexts } from '@/lib/fields'
import { rich, t } from '@/lib/texts'
import { hidden, priorityOf, StatusBadge, UrgencyMark } from '../card/OrderBadges'
import { LeftOf, Span, wanted } from './listColumns'
import { type Row, type RowsProps, totalOf } from './listRows'
import { RowAction } from './RowAction'
import { useRowWindow } from './useRowWindow'

const rowHeight = 64 // px

const fillsRow =
  'outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring'

/** The requests on a phone: name and unit price, below them what is left, level, age and the total. */
export function PhoneRows({ rows, label, activeIndex, onFold }: RowsProps) {
  const slots = useMemo(
    () =>
      slotsFor(
        rows.flatMap((row) =>
          row.group ? [BigInt(row.group.best)] : [BigInt(row.order.maxPricePerUnit), totalOf(row.order, row.own)],
        ),
      ),
    [rows],
  )
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
              {row.group ? (
                <PhoneGroup row={row} slots={slots} onFold={onFold} />
              ) : (
                <PhoneRow row={row} slots={slots} />
              )}
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
const secondLine =
  'tabular col-start-2 flex min-w-0 items-center gap-1 overflow-hidden whitespace-nowrap text-muted-foreground text-xs'

function PhoneRow({ row, slots }: { row: Row; slots: string[] }) {
  const { order, own, offered, arrived, within } = row
  const highlighted = useHighlighted(order.id)
  const priority = priorityOf(order)
  const { levelRequirement } = order
  return (
    <div
      className={cn(
        twoLines,
        'grid-cols-[1.625rem_minmax(0,1fr)_auto_minmax(4.5rem,auto)]',
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
        <span className="sr-only">{order.category}</span>
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
      <AmountSlots value={BigInt(order.maxPricePerUnit)} slots={slots} narrow className="text-xs leading-5.5" />
      <span className={secondLine}>
        <LeftOf order={order} className="flex items-center gap-1.5" barClass="h-1 w-6" noBar={slots.length > 3} />
        <span aria-hidden="true">·</span>
        <span>
          {levelRequirement === null
            ? rich('orders_any_level_row', { hidden })
            : rich('orders_level_row', { hidden, level: levelRequirement })}
        </span>
        {rowTexts.map(
          ({ name, label }) =>
            order[name] && (
              <Fragment key={name}>
                <span aria-hidden="true">·</span>
                <span dir="auto" className="min-w-0 truncate">
                  <span className="sr-only">{label}: </span>
                  {order[name]}
                </span>
              </Fragment>
            ),
        )}
        <span aria-hidden="true">·</span>
        <Span iso={order.createdAt} what="posted" />
      </span>
      <AmountSlots
        value={totalOf(row.order, row.own)}
        slots={slots}
        narrow
        className="text-xs leading-5 [&_svg]:hidden"
      />
      <span className="col-start-4 row-span-2 row-start-1 self-center justify-self-end">
        <RowAction row={row} phone />
      </span>
    </div>
  )
}

/** Several requests for one item. The button fills the row and shows them. */
function PhoneGroup({ row, slots, onFold }: { row: Row; slots: string[]; onFold: RowsProps['onFold'] }) {
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
      <AmountSlots value={BigInt(group.best)} slots={slots} narrow className="text-xs leading-5.5" />
      <span className={secondLine}>
        {group.failed ? (
          <span role="alert">{t('common_failed_to_load_orders')}</span>
        ) : (
          <>
            <span>{wanted(group.wanted)}</span>
            <span aria-hidden="true">·</span>
            <span aria-hidden="true">{requests}</span>
          </>
        )}
      </span>
      <span className="pr-2 text-right text-muted-foreground text-xs leading-5">{t('orders_best_price')}</span>
    </div>
  )
}
