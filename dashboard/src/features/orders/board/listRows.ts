import { useQueries } from '@tanstack/react-query'
import { startTransition, useCallback, useMemo, useState } from 'react'
import type { BrowseFilter } from '@/api/filter'
import { foldItem } from '@/api/orderGroups'
import { itemOrdersQuery } from '@/api/orders'
import type { OpenOffer, Order } from '@/api/types'

/** A row of the list: a request, several of one item, or one of these several. */
export type Row = {
  key: string
  /** The request; of a group the one that comes first. */
  order: Order
  own: boolean
  offerCount: number | undefined
  offered: OpenOffer | undefined
  arrived: boolean
  /** The requests that a row stands for. */
  group?: NonNullable<Order['group']> & { open: boolean; failed: boolean }
  /** The key of the group that a request is shown in. */
  within?: string
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
  /** Opens or closes a group. */
  onFold: (order: Order, open: boolean) => void
}

type Known = {
  viewerId: number | undefined
  offerCounts: ReadonlyMap<number, number>
  openOffers: ReadonlyMap<number, OpenOffer>
  arrived: ReadonlySet<number>
}

/** The rows of the list. An item with several requests is one row, which opens to them. */
export function useListRows(
  orders: Order[],
  filter: BrowseFilter,
  { viewerId, offerCounts, openOffers, arrived }: Known,
) {
  const [unfolded, setUnfolded] = useState<readonly string[]>([])
  const shown = useMemo(() => unfolded.filter((item) => orders.some((o) => isGroup(o, item))), [unfolded, orders])
  const members = useQueries({
    queries: shown.map((item) => itemOrdersQuery(filter, item)),
    combine: useCallback(
      (results: { data?: { pages: { orders: Order[] }[] }; isError: boolean }[]) =>
        new Map(
          results.map(({ data, isError }, i) => [
            shown[i],
            { orders: data?.pages.flatMap((page) => page.orders), failed: isError && !data },
          ]),
        ),
      [shown],
    ),
  })

  const rows = useMemo(() => {
    const rowOf = (order: Order): Row => ({
      key: String(order.id),
      order,
      own: order.userId === viewerId,
      offerCount: order.offerCount ?? offerCounts.get(order.id),
      offered: openOffers.get(order.id),
      arrived: arrived.has(order.id),
    })
    return orders.flatMap((order): Row[] => {
      const { group } = order
      if (!group || group.requests < 2) return [rowOf(order)]
      const item = foldItem(order.itemName)
      const { orders: inside, failed = false } = members.get(item) ?? {}
      const key = `item:${item}`
      const head: Row = { ...rowOf(order), key, group: { ...group, open: inside !== undefined, failed } }
      return [head, ...(inside ?? []).map((o) => ({ ...rowOf(o), within: key }))]
    })
  }, [orders, members, viewerId, offerCounts, openOffers, arrived])

  const fold = useCallback((order: Order, open: boolean) => {
    const item = foldItem(order.itemName)
    // A list of a thousand rows may be drawn after the press was answered.
    startTransition(() =>
      setUnfolded((before) => [...before.filter((other) => other !== item), ...(open ? [item] : [])]),
    )
  }, [])

  return { rows, fold }
}

const isGroup = (order: Order, item: string) => (order.group?.requests ?? 0) > 1 && foldItem(order.itemName) === item

/** What a request pays in all: to its owner what is left to pay, and once it is over what was paid. */
export function totalOf(order: Order, own: boolean): bigint {
  if (order.status === 'fulfilled') return BigInt(order.purchases?.paid ?? order.totalValue)
  return BigInt(own ? order.remainingValue : order.totalValue)
}
