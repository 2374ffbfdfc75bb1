import { Keyboard } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Sort } from '@/api/orders'
import type { OpenOffer, Order } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { cn } from '@/lib/cn'
import { LoadMore } from './LoadMore'
import { OrderTable } from './OrderTable'
import { PhoneRows } from './PhoneRows'
import { RequestPanel } from './RequestPanel'
import { useListFocus } from './useListFocus'
import { useListKeys } from './useListKeys'
import { usePanel } from './usePanel'

const KeysDialog = lazy(() => import('./KeysDialog'))

/** A request with what the list shows of it. */
export type Row = {
  order: Order
  own: boolean
  offerCount: number | undefined
  offered: OpenOffer | undefined
  arrived: boolean
}

type Props = {
  orders: Order[]
  viewerId: number | undefined
  offerCounts: ReadonlyMap<number, number>
  openOffers: ReadonlyMap<number, OpenOffer>
  arrived: ReadonlySet<number>
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
  label: string
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
}

/** What rows have in common. */
export type RowsProps = {
  rows: Row[]
  label: string
  /** The position of the row that is a tab stop. */
  activeIndex: number
  /** The request that is open in the panel. */
  selected: number | undefined
  /** Opens a request beside the list. Without it the request's own page is opened. */
  onOpen: ((id: number, byKeyboard: boolean) => void) | undefined
}

/** Requests as rows: a table from tablets on, two lines a row on phones. On wide screens a request opens beside it. */
export default function OrderList({
  orders,
  viewerId,
  offerCounts,
  openOffers,
  arrived,
  sort,
  onSort,
  label,
  ...more
}: Props) {
  const rows = useMemo(
    () =>
      orders.map(
        (order): Row => ({
          order,
          own: order.userId === viewerId,
          offerCount: order.offerCount ?? offerCounts.get(order.id),
          offered: openOffers.get(order.id),
          arrived: arrived.has(order.id),
        }),
      ),
    [orders, viewerId, offerCounts, openOffers, arrived],
  )
  const ids = useMemo(() => orders.map((order) => order.id), [orders])
  const table = useMediaQuery('(min-width: 48rem)')
  const wide = useMediaQuery('(min-width: 64rem)')
  const { open } = useDialogs()
  const panel = usePanel()
  const shown = wide ? panel.request : undefined
  const { list, events, index, active, focusRow } = useListFocus(ids)
  const [panelFocus, setPanelFocus] = useState(false)
  const [keysShown, setKeysShown] = useState(false)

  function close() {
    panel.close()
    focusRow(shown !== undefined && ids.includes(shown) ? shown : active)
  }

  useListKeys({
    walk(by) {
      const inList = list.current?.contains(document.activeElement)
      // The first press goes to the list, where the user was.
      const next = ids[inList || shown !== undefined ? Math.min(Math.max(index + by, 0), ids.length - 1) : index]
      if (next === undefined) return
      focusRow(next)
      setPanelFocus(false)
      if (shown !== undefined) panel.show(next)
    },
    offer() {
      const row = rows.find(({ order }) => order.id === (shown ?? active))
      if (row) open({ name: row.own ? 'offers' : 'offer', request: row.order.id })
    },
    closePanel: shown === undefined ? undefined : close,
    showKeys: () => setKeysShown(true),
  })

  // Back has closed the panel that had the focus.
  const before = useRef(shown)
  useEffect(() => {
    if (shown === undefined && before.current !== undefined && document.activeElement === document.body)
      focusRow(ids.includes(before.current) ? before.current : active)
    before.current = shown
  }, [shown, ids, active, focusRow])

  const props: RowsProps = {
    rows,
    label,
    activeIndex: index,
    selected: shown,
    onOpen: wide
      ? (id, byKeyboard) => {
          setPanelFocus(byKeyboard)
          panel.show(id)
        }
      : undefined,
  }
  return (
    <div
      className={cn(
        shown !== undefined &&
          'grid grid-cols-[minmax(0,1fr)_26.25rem] items-start gap-4 min-[112.5rem]:grid-cols-[minmax(0,1fr)_30rem]',
      )}
    >
      <div ref={list} {...events} className="@container min-w-0">
        {table ? <OrderTable {...props} sort={sort} onSort={onSort} /> : <PhoneRows {...props} />}
        {more.hasMore && <LoadMore {...more} />}
        <Button
          variant="ghost"
          size="sm"
          className="mt-3 text-muted-foreground max-lg:hidden"
          onClick={() => setKeysShown(true)}
        >
          <Keyboard /> Keys
        </Button>
      </div>
      {shown !== undefined && (
        <RequestPanel
          key={shown}
          id={shown}
          offerCount={offerCounts.get(shown)}
          offered={openOffers.get(shown)}
          viewerId={viewerId}
          takeFocus={panelFocus}
          onClose={close}
        />
      )}
      {keysShown && (
        <Suspense>
          <KeysDialog open onClose={() => setKeysShown(false)} />
        </Suspense>
      )}
    </div>
  )
}
