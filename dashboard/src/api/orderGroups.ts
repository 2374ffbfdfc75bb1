// In a list with one row for each item, a request stands for all of its item.
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListFilter } from './filter'
import { keys } from './keys'
import { isGrouped, withTotal } from './orderCache'
import { fetchBrowsePage } from './orders'
import type { Order, OrderPage } from './types'

type Pages = InfiniteData<OrderPage, string | undefined>

/** The name by which requests are folded, as on the server. */
export const foldItem = (name: string): string => name.toLowerCase()

/** What an entry of a list is: a request, or in a grouped list an item. */
export const entryOf = (order: Order): number | string => (order.group ? foldItem(order.itemName) : order.id)

/** Refetches what the lists on the screen say of one item, in its place: nothing else moves. */
export async function refreshGroup(queryClient: QueryClient, itemName: string) {
  const shown = queryClient.getQueryCache().findAll({ queryKey: keys.lists, type: 'active' })
  await Promise.all(
    shown.map(async ({ queryKey, state }) => {
      const filter = queryKey[3] as ListFilter
      const holds = (o: Order) => foldItem(o.itemName) === foldItem(itemName)
      if (filter.item && foldItem(filter.item) === foldItem(itemName)) {
        await queryClient.invalidateQueries({ queryKey, exact: true })
      } else if (isGrouped(queryKey) && (state.data as Pages | undefined)?.pages.some((p) => p.orders.some(holds))) {
        const { orders } = await fetchBrowsePage({ ...filter, item: itemName })
        putGroup(queryClient, queryKey, itemName, orders.find(holds))
      }
    }),
  )
}

/** Replaces the request that stands for an item, or removes it when there is none. */
function putGroup(queryClient: QueryClient, key: QueryKey, itemName: string, lead: Order | undefined) {
  queryClient.setQueryData<Pages>(key, (old) => {
    if (!old) return old
    let more = 0
    const pages = old.pages.map((page) => ({
      ...page,
      orders: page.orders.flatMap((o) => {
        if (foldItem(o.itemName) !== foldItem(itemName)) return [o]
        more = (lead ? requestsOf(lead) : 0) - requestsOf(o)
        // What was fetched for a change that came meanwhile may be newer.
        return lead ? [lead.id === o.id && lead.version < o.version ? { ...o, group: lead.group } : lead] : []
      }),
    }))
    return { ...old, pages: pages.map((page) => withTotal(page, more)) }
  })
}

const requestsOf = (order: Order) => order.group?.requests ?? 1

/** Applies the sums of a freshly fetched page to the rows that stay where they are. */
export function updateGroups(old: Pages, fresh: OrderPage): Pages {
  const byId = new Map(fresh.orders.map((o) => [o.id, o]))
  return {
    ...old,
    pages: old.pages.map((page) => ({
      ...page,
      orders: page.orders.map((o) => {
        const group = byId.get(o.id)?.group
        return group && JSON.stringify(group) !== JSON.stringify(o.group) ? { ...o, group } : o
      }),
    })),
  }
}
