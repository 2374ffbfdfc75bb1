import type { MouseEvent, ReactNode } from 'react'
import type { Sort } from '@/api/filter'
import { AmountSlots } from '@/components/amount-slots'
import { CategoryIcon } from '@/components/category'
import { LookAlikeIcon } from '@/components/look-alike-icon'
import { PageLink } from '@/components/page-link'
import { ProgressBar } from '@/components/progress-bar'
import { Tag } from '@/components/tag'
import { cn } from '@/lib/cn'
import { rowTexts } from '@/lib/fields'
import { formatDayAndTime, relativeDay, shortSpan } from '@/lib/format'
import { categoryName } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import {
  hidden,
  ImportanceBadge,
  nameAddress,
  OfferedBadge,
  priorityOf,
  StatusBadge,
  UrgencyMark,
  urgency,
} from '../card/OrderBadges'
import { ItemGroupCell } from './ItemGroup'
import { type Row, type RowsProps, totalOf } from './listRows'
import { RowAction } from './RowAction'

/** What every cell is told, besides its row. */
export type TableMeta = {
  slots: { each: string[]; total: string[] }
  activeIndex: number
  onOpen: RowsProps['onOpen']
  onFold: RowsProps['onFold']
}

export type ColumnMeta = {
  /** The sort that this column is sorted by. */
  sort?: Sort
  /** In px. */
  width?: number
  right?: boolean
  className?: string
}

/** The parts of a TanStack cell that ours use: rows are drawn without its code too. */
type Cell = { row: { original: Row; index: number }; table: { options: { meta?: TableMeta } } }

type Column = { id: string; header: string; cell: (cell: Cell) => ReactNode; meta?: ColumnMeta }

/** By which column the list is sorted. */
export type Sorting = { column: string; descending: boolean }

type Head = { id: string; header: string; meta: ColumnMeta | undefined; sorted: false | 'asc' | 'desc' }
type TableRow = {
  id: string
  original: Row
  cells: () => { id: string; className: string | undefined; content: ReactNode }[]
}
/** The heads and rows of the list as they are drawn. */
export type ListTable = { heads: Head[]; rows: TableRow[] }
export type MakeTable = (columns: Column[]) => (rows: Row[], sorting: Sorting, meta: TableMeta) => ListTable

/** The column of each sort. The newest request has the smallest age. */
export const sortedColumns: Record<Sort, Sorting> = {
  newest: { column: 'age', descending: false },
  price: { column: 'each', descending: true },
  total: { column: 'total', descending: true },
  ending: { column: 'ends', descending: false },
}

export const columns: Column[] = [
  { id: 'item', header: t('common_item'), cell: ItemCell },
  { id: 'left', header: t('orders_column_left'), cell: LeftCell, meta: { width: 120 } },
  {
    id: 'each',
    header: t('orders_column_each'),
    cell: EachCell,
    meta: { sort: 'price', right: true, className: 'text-right' },
  },
  {
    id: 'total',
    header: t('orders_column_total'),
    cell: TotalCell,
    meta: { sort: 'total', right: true, className: 'text-right hidden @[40rem]:table-cell' },
  },
  {
    id: 'level',
    header: t('common_level'),
    cell: LevelCell,
    meta: { width: 58, right: true, className: 'text-right hidden @[52rem]:table-cell' },
  },
  {
    id: 'buyer',
    header: t('common_buyer'),
    cell: BuyerCell,
    meta: { width: 118, className: 'hidden @[64rem]:table-cell' },
  },
  {
    id: 'age',
    header: t('orders_column_age'),
    cell: AgeCell,
    meta: { width: 58, sort: 'newest', right: true, className: 'text-right hidden @[46rem]:table-cell' },
  },
  {
    id: 'ends',
    header: t('orders_column_ends'),
    cell: EndsCell,
    meta: { width: 60, sort: 'ending', right: true, className: 'text-right hidden @[56rem]:table-cell' },
  },
  {
    id: 'action',
    header: t('orders_column_action'),
    cell: ActionCell,
    // For who is signed in there is room for one press.
    meta: { right: true, className: 'text-right pl-0 w-22 in-[.signed-in]:@[46rem]:w-49' },
  },
]

function ItemCell({ row: { original, index }, table }: Cell) {
  const { order, own, offered, group, within } = original
  const { activeIndex, onOpen, onFold } = table.options.meta ?? {}
  if (group) return <ItemGroupCell row={original} tabStop={index === activeIndex} onFold={onFold} />
  function open(event: MouseEvent) {
    if (!onOpen || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(order.id, event.detail === 0)
  }
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {within ? (
        <span aria-hidden="true" className="ml-2 h-10 w-3 shrink-0 border-l" />
      ) : (
        <span title={categoryName(order.category)} className="shrink-0">
          <CategoryIcon category={order.category} className="size-4.5 text-muted-foreground" />
          <span className="sr-only">{categoryName(order.category)}: </span>
        </span>
      )}
      {/* The link fills its row. */}
      <PageLink
        to={`/requests/${order.id}`}
        data-stop
        tabIndex={index === activeIndex ? 0 : -1}
        onClick={open}
        dir="auto"
        title={order.itemName}
        className="min-w-0 truncate font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
      >
        {order.itemId ? <span className="sr-only">{order.itemName}</span> : order.itemName}
      </PageLink>
      {/* The name lies on that link, for the pointer: others reach the item from the request. */}
      {order.itemId && (
        <PageLink
          to={nameAddress(order)}
          aria-hidden
          tabIndex={-1}
          dir="auto"
          title={order.itemName}
          className="relative min-w-0 truncate font-semibold hover:underline"
        >
          {order.itemName}
        </PageLink>
      )}
      <RowBadges order={order} own={own} offered={offered} />
      {rowTexts.map(
        ({ name, label }) =>
          order[name] && (
            <span
              key={name}
              dir="auto"
              className="min-w-0 max-w-40 truncate text-muted-foreground text-xs @max-[52rem]:sr-only"
            >
              <span className="sr-only">{label}: </span>
              {order[name]}
            </span>
          ),
      )}
      {order.description && (
        <span dir="auto" className="hidden min-w-0 flex-1 truncate pl-1.5 text-muted-foreground text-xs @[76rem]:block">
          {order.description}
        </span>
      )}
    </span>
  )
}

/** The badges of a row: those that set the request apart, and its status where there is room. */
function RowBadges({ order, own, offered }: Pick<Row, 'order' | 'own' | 'offered'>) {
  const priority = priorityOf(order)
  return (
    <>
      {own && <Tag tone="own">{t('orders_your_request')}</Tag>}
      {!own && offered && <OfferedBadge offer={offered} />}
      {priority && (
        <>
          <UrgencyMark priority={priority} className="@[70rem]:hidden" />
          <span title={urgency[priority].text} className="shrink-0 @max-[70rem]:hidden">
            <ImportanceBadge order={order} />
          </span>
        </>
      )}
      {order.hidden && <Tag tone="destructive">{t('orders_hidden')}</Tag>}
      <span className="@max-[70rem]:sr-only">
        <StatusBadge order={order} />
      </span>
    </>
  )
}

const strong = (text: ReactNode) => <strong className="font-semibold text-foreground">{text}</strong>

/** How many a group of requests wants. */
export const wanted = (count: number) => rich('orders_wanted', { strong, count })

function LeftCell({ row: { original } }: Cell) {
  if (original.group) {
    return <span className="tabular whitespace-nowrap text-muted-foreground">{wanted(original.group.wanted)}</span>
  }
  return <LeftOf order={original.order} className="grid gap-0.5" barClass="h-1 w-20" />
}

type LeftProps = Pick<Row, 'order'> & {
  className?: string
  barClass?: string /** Leaves the bar to screen readers. */
  noBar?: boolean
}

export function LeftOf({ order, className, barClass, noBar = false }: LeftProps) {
  const { quantity, sold, progress, itemName } = order
  return (
    <span className={cn('tabular whitespace-nowrap text-muted-foreground', className)}>
      <span>{rich('orders_left_row', { strong, hidden, left: quantity - sold, quantity })}</span>
      {sold > 0 && (
        <span className={noBar ? 'sr-only' : 'contents'}>
          <ProgressBar
            progress={progress}
            label={t('orders_sold_part', { item: itemName })}
            className={cn('group-aria-[current]:bg-card', barClass)}
          />
        </span>
      )}
    </span>
  )
}

function EachCell({ row: { original }, table }: Cell) {
  const slots = table.options.meta?.slots.each ?? []
  const { order, group } = original
  if (!group) return <AmountSlots value={BigInt(order.maxPricePerUnit)} slots={slots} />
  return (
    <span className="flex items-center justify-end gap-1">
      {/* The amount stays under the others. */}
      <span className="pr-1 text-muted-foreground text-xs">{t('orders_best')}</span>
      <AmountSlots value={BigInt(group.best)} slots={slots} />
    </span>
  )
}

function TotalCell({ row: { original }, table }: Cell) {
  const { order, own, group } = original
  if (group) return null
  return <AmountSlots value={totalOf(order, own)} slots={table.options.meta?.slots.total ?? []} />
}

function LevelCell({ row: { original } }: Cell) {
  if (original.group) return null
  const { levelRequirement } = original.order
  return <span className="tabular">{levelRequirement === null ? t('common_any') : `${levelRequirement}+`}</span>
}

function BuyerCell({ row: { original } }: Cell) {
  if (original.group) return null
  const { buyerContact, ign, lookAlike } = original.order
  return (
    <span
      dir="auto"
      title={ign ? t('orders_contact_in_game', { contact: buyerContact, name: ign }) : buyerContact}
      className="block truncate text-xs"
    >
      {lookAlike && <LookAlikeIcon />}
      {buyerContact}
    </span>
  )
}

function AgeCell({ row: { original } }: Cell) {
  return <Span iso={original.order.createdAt} what="posted" />
}

function EndsCell({ row: { original } }: Cell) {
  return <Span iso={original.order.expiresAt} what="expires" />
}

export function Span({ iso, what }: { iso: string; what: 'posted' | 'expires' }) {
  return (
    <time
      dateTime={iso}
      title={t('orders_day_and_time', { what, day: relativeDay(iso), time: formatDayAndTime(iso) })}
      className="tabular text-muted-foreground"
    >
      {shortSpan(iso)}
    </time>
  )
}

function ActionCell({ row: { original, index }, table }: Cell) {
  if (original.group) return null
  return (
    <span className="flex items-center justify-end gap-0.5">
      <RowAction row={original} tabIndex={index === table.options.meta?.activeIndex ? 0 : -1} />
    </span>
  )
}
