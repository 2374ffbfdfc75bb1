import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { BrowseFilter, Sort } from '@/api/filter'
import type { OpenOffer, Order } from '@/api/types'
import { OpeningFrame } from '@/components/opening-frame'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useFirstUse } from '@/hooks/useFirstUse'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { prefetchPanel, RequestPanel } from '../card/LazyRequestPanel'
import { LoadMore } from './LoadMore'
import { type RowsProps, useListRows } from './listRows'
import { OrderTable } from './OrderTable'
import { PhoneRows } from './PhoneRows'
import { useListFocus } from './useListFocus'
import { useListKeys } from './useListKeys'
import { usePanel } from './usePanel'

const KeysDialog = lazy(() => import('./KeysDialog'))

type Props = {
  orders: Order[]
  viewerId: number | undefined
  offerCounts: ReadonlyMap<number, number>
  openOffers: ReadonlyMap<number, OpenOffer>
  arrived: ReadonlySet<number>
  filter: BrowseFilter
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
  label: string
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
}

/** Requests as rows: a table from tablets on, two lines a row on phones. On wide screens a request opens beside it. */
export default function OrderList({
  orders,
  viewerId,
  offerCounts,
  openOffers,
  arrived,
  filter,
  sort,
  onSort,
  label,
  ...more
}: Props) {
  const { rows, fold } = useListRows(orders, filter, { viewerId, offerCounts, openOffers, arrived })
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  const table = useMediaQuery('(min-width: 48rem)')
  const wide = useMediaQuery('(min-width: 64rem)')
  const { open } = useDialogs()
  const panel = usePanel()
  const shown = wide ? panel.request : undefined
  const { list, events, index, active, focusRow } = useListFocus(keys)
  const [panelFocus, setPanelFocus] = useState(false)
  const [keysShown, setKeysShown] = useState(false)

  const keyOf = (id: number | undefined) => (keys.includes(String(id)) ? String(id) : active)

  function close() {
    panel.close()
    focusRow(keyOf(shown))
  }

  useListKeys({
    walk(by) {
      const heads = [...(list.current?.querySelectorAll<HTMLElement>('[data-head]') ?? [])]
      const sorted = heads.find((head) => head.closest('[aria-sort]')) ?? heads[0]
      if (by < 0 && index === 0 && sorted && list.current?.contains(document.activeElement)) return sorted.focus()
      const inList = list.current?.contains(document.activeElement)
      // The first press goes to the list, where the user was.
      const next = rows[inList || shown !== undefined ? Math.min(Math.max(index + by, 0), rows.length - 1) : index]
      if (next === undefined) return
      focusRow(next.key)
      setPanelFocus(false)
      if (shown !== undefined && !next.group) panel.show(next.order.id)
    },
    offer() {
      const row = rows.find(({ key }) => key === (shown === undefined ? active : keyOf(shown)))
      if (row && !row.group) open({ name: row.own ? 'offers' : 'offer', request: row.order.id })
    },
    fold(open) {
      const row = rows[index]
      const head = row?.within ? rows.find(({ key }) => key === row.within) : row
      if (!head?.group) return
      fold(head.order, open)
      if (!open) focusRow(head.key)
    },
    closePanel: shown === undefined ? undefined : close,
    showKeys: () => setKeysShown(true),
  })

  const used = useFirstUse()
  useEffect(() => {
    if (wide && used) prefetchPanel()
  }, [wide, used])

  // Back has closed the panel that had the focus.
  const before = useRef(shown)
  useEffect(() => {
    if (shown === undefined && before.current !== undefined && document.activeElement === document.body)
      focusRow(keys.includes(String(before.current)) ? String(before.current) : active)
    before.current = shown
  }, [shown, keys, active, focusRow])

  const props: RowsProps = {
    rows,
    label,
    activeIndex: index,
    onFold: fold,
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
          {t('orders_keys')}
        </Button>
      </div>
      {shown !== undefined && (
        <RequestPanel
          key={shown}
          id={shown}
          itemName={rows.find(({ order }) => order.id === shown)?.order.itemName}
          offerCount={offerCounts.get(shown)}
          offered={openOffers.get(shown)}
          viewerId={viewerId}
          takeFocus={panelFocus}
          onClose={close}
        />
      )}
      {keysShown && (
        <Suspense fallback={<OpeningFrame />}>
          <KeysDialog open onClose={() => setKeysShown(false)} />
        </Suspense>
      )}
    </div>
  )
}
