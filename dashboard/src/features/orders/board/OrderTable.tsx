import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment, useMemo, useRef } from 'react'
import type { Sort } from '@/api/filter'
import { slotsFor, widthOfSlots } from '@/components/amount-slots'
import { useHighlighted } from '@/hooks/useHighlighted'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { moveByArrows } from '@/hooks/useRovingFocus'
import { cn } from '@/lib/cn'
import { priorityOf } from '../card/OrderBadges'
import { sortedColumns } from './listColumns'
import { type Row, type RowsProps, totalOf } from './listRows'
import { useListTable } from './useListTable'
import { useRowWindow } from './useRowWindow'

/** In px. Fifteen rows fit on a screen; a finger needs more. */
const rowHeights = { pointer: 40, finger: 44 }

type Props = RowsProps & { sort: Sort | undefined; onSort: (sort: Sort | undefined) => void }

/** The requests as a table. Its columns give way to the narrower list beside an open request. */
export function OrderTable({ rows, label, activeIndex, selected, onOpen, onFold, sort = 'newest', onSort }: Props) {
  const slots = useMemo(
    () => ({
      each: slotsFor(rows.map(({ order, group }) => BigInt(group?.best ?? order.maxPricePerUnit))),
      total: slotsFor(rows.map(({ order, own }) => totalOf(order, own))),
    }),
    [rows],
  )
  const { heads, rows: all } = useListTable(rows, sortedColumns[sort], { slots, activeIndex, onOpen, onFold })
  const rowHeight = rowHeights[useMediaQuery('(pointer: coarse)') ? 'finger' : 'pointer']
  const body = useRef<HTMLTableSectionElement>(null)
  const {
    rows: near,
    height,
    follower,
  } = useRowWindow({ start: body, count: all.length, rowHeight, pinned: activeIndex })
  // Beside the best price of a group stands the word.
  const forBest = rows.some(({ group }) => group) ? 32 : 0
  let drawn = 0
  return (
    <div className="overflow-clip rounded-lg border bg-card shadow-card">
      <table
        aria-label={label}
        aria-rowcount={all.length + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-sm"
      >
        <thead>
          <tr aria-rowindex={1} onKeyDown={moveByArrows}>
            {heads.map(({ id, meta, header, sorted }) => {
              const width =
                id === 'each' || id === 'total' ? widthOfSlots(slots[id]) + (id === 'each' ? forBest : 0) : meta?.width
              const Arrow = meta?.sort && sortedColumns[meta.sort].descending ? ArrowDown : ArrowUp
              return (
                <th
                  key={id}
                  scope="col"
                  style={{ width }}
                  aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
                  className={cn(
                    'sticky top-14.25 z-10 h-8 whitespace-nowrap border-b bg-muted px-2 text-left font-medium text-muted-foreground text-xs first:pl-3.5 last:pr-2.5',
                    meta?.className,
                  )}
                >
                  {meta?.sort ? (
                    <button
                      type="button"
                      tabIndex={-1} // the list is one stop: ArrowUp leads here from its first row
                      data-head
                      className={cn(
                        'group -outline-offset-2! inline-flex h-7 items-center gap-0.5 rounded-sm hover:text-foreground',
                        meta.right && 'flex-row-reverse',
                        sorted && 'font-semibold text-foreground',
                      )}
                      onClick={() => onSort(meta.sort === 'newest' ? undefined : meta.sort)}
                    >
                      {header}
                      <Arrow
                        aria-hidden
                        className={cn(
                          'size-3.5',
                          !sorted && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
                        )}
                      />
                    </button>
                  ) : id === 'action' ? (
                    <span className="sr-only">{header}</span>
                  ) : (
                    header
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody ref={body}>
          {near.map(({ index, offset }) => {
            const row = all[index]
            if (!row) return null
            const gap = offset - drawn
            drawn = offset + rowHeight
            return (
              <Fragment key={row.id}>
                {gap > 0 && <Gap height={gap} />}
                <TableRow
                  row={row.original}
                  index={index}
                  selected={!row.original.group && row.original.order.id === selected}
                >
                  {row.cells().map(({ id, className, content }) => (
                    <td
                      key={id}
                      className={cn(
                        'h-10 border-b px-2 py-0 pointer-coarse:h-11 first:pl-3.5 last:pr-2.5 group-last:border-b-0 group-aria-[current]:border-b-primary group-aria-[current]:bg-accent',
                        className,
                      )}
                    >
                      {content}
                    </td>
                  ))}
                </TableRow>
              </Fragment>
            )
          })}
          {height > drawn && <Gap height={height - drawn} />}
        </tbody>
      </table>
      {follower}
    </div>
  )
}

/** The place of rows that are not rendered. Its cell spans no columns, because hidden ones would then take their place. It changes
 * its height whenever the rows do, so the browser must not keep the window where this stands. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row cannot be focused
    <tr aria-hidden="true" className="[overflow-anchor:none]">
      <td style={{ height }} className="p-0" />
    </tr>
  )
}

type TableRowProps = { row: Row; index: number; selected: boolean; children: React.ReactNode }

function TableRow({ row: { key, order, arrived, group, within }, index, selected, children }: TableRowProps) {
  const highlighted = useHighlighted(order.id)
  const priority = group ? null : priorityOf(order)
  return (
    <tr
      data-row={key}
      aria-rowindex={index + 2}
      aria-current={selected || undefined}
      className={cn(
        'group relative scroll-mt-12 hover:bg-muted/55',
        priority === 'urgent' && '[&>td:first-child]:shadow-[inset_3px_0_var(--urgent)]',
        priority === 'high' && '[&>td:first-child]:shadow-[inset_3px_0_var(--high)]',
        within && '[&>td]:bg-muted/35',
        arrived && 'animate-arrive',
        highlighted && 'animate-highlight',
      )}
    >
      {children}
    </tr>
  )
}
