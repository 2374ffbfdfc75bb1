import { useMemo, useRef } from 'react'
import { AmountSlots, slotsFor } from '@/components/amount-slots'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Badge } from '@/components/ui/badge'
import { useHighlighted } from '@/hooks/useHighlighted'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { priorityOf, StatusBadge, UrgencyMark } from './CardBadges'
import { LeftOf, Span } from './listColumns'
import type { Row, RowsProps } from './OrderList'
import { useRowWindow } from './useRowWindow'

const rowHeight = 64 // px

/** The requests on a phone: name and unit price, below them what is left, level, age and the total. */
export function PhoneRows({ rows, label, activeIndex }: RowsProps) {
  const slots = useMemo(
    () => slotsFor(rows.flatMap(({ order, own }) => [BigInt(order.maxPricePerUnit), totalOf(order, own)])),
    [rows],
  )
  const list = useRef<HTMLUListElement>(null)
  const { rows: near, height } = useRowWindow({
    start: list,
    count: rows.length,
    rowHeight,
    pinned: activeIndex,
    keyOf: (index) => rows[index]?.order.id ?? index,
  })
  return (
    <ul ref={list} aria-label={label} style={{ height }} className="relative -mx-4 border-t bg-card sm:-mx-6">
      {near.map(({ index, key, offset }) => {
        const row = rows[index]
        return (
          row && <PhoneRow key={key} row={row} slots={slots} offset={offset} position={index} count={rows.length} />
        )
      })}
    </ul>
  )
}

const totalOf = (order: Row['order'], own: boolean) => BigInt(own ? order.remainingValue : order.totalValue)

type PhoneRowProps = { row: Row; slots: string[]; offset: number; position: number; count: number }

function PhoneRow({ row: { order, own, offered, arrived }, slots, offset, position, count }: PhoneRowProps) {
  const highlighted = useHighlighted(order.id)
  const priority = priorityOf(order)
  const { levelRequirement } = order
  return (
    <li
      data-row={order.id}
      aria-posinset={position + 1}
      aria-setsize={count}
      style={{ top: offset }}
      className={cn(
        'absolute inset-x-0 grid h-16 grid-cols-[1.625rem_minmax(0,1fr)_auto] grid-rows-[1.375rem_1.25rem] content-center gap-x-1.5 border-b px-4 sm:px-6',
        priority === 'urgent' && 'border-l-[3px] border-l-urgent pl-3.25',
        priority === 'high' && 'border-l-[3px] border-l-high pl-3.25',
        arrived && 'animate-arrive',
        highlighted && 'animate-highlight',
      )}
    >
      <CategoryIcon category={order.category} className="row-span-2 size-5 self-center text-muted-foreground" />
      <span className="flex min-w-0 items-center gap-1.5">
        <PageLink
          to={`/requests/${order.id}`}
          dir="auto"
          className="min-w-0 truncate font-semibold text-[0.9375rem] outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        >
          {order.itemName}
        </PageLink>
        <span className="sr-only">{order.category}</span>
        {own && <Badge variant="own">Yours</Badge>}
        {!own && offered && <Badge variant="accent">Offered {formatNumber(offered.quantityOffered)}</Badge>}
        {priority && <UrgencyMark priority={priority} />}
        <span className="sr-only">
          <StatusBadge order={order} />
        </span>
      </span>
      <AmountSlots value={BigInt(order.maxPricePerUnit)} slots={slots} narrow className="text-xs leading-5.5" />
      <span className="tabular col-start-2 flex min-w-0 items-center gap-1 overflow-hidden whitespace-nowrap text-muted-foreground text-xs">
        <LeftOf
          order={order}
          className="flex items-center gap-1.5"
          barClass={cn('h-1 w-6', slots.length > 3 && 'sr-only')}
        />
        <span aria-hidden="true">·</span>
        <span>
          {levelRequirement === null ? 'Any' : `${levelRequirement}+`}
          <span className="sr-only"> level</span>
        </span>
        <span aria-hidden="true">·</span>
        <Span iso={order.createdAt} word="Posted" />
      </span>
      <AmountSlots value={totalOf(order, own)} slots={slots} narrow className="text-xs leading-5 [&_svg]:hidden" />
    </li>
  )
}
