// One request may be in several lists. A change is applied to all of them, and only its own
// card rerenders: every other order keeps its identity.
import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListFilter } from './filter'
import { keys } from './keys'
import type { Order, OrderPage } from './types'

type Pages = InfiniteData<OrderPage, string | undefined>

function listsOf(queryClient: QueryClient): [QueryKey, Pages | undefined][] {
  return queryClient.getQueriesData<Pages>({ queryKey: keys.lists })
}

/** Reports whether an order belongs in the list with that key: ['orders', 'list', 'browse' | 'own', …]. */
function belongs(order: Order, key: QueryKey): boolean {
  if (key[2] === 'browse') return order.status === 'active' && !order.expired
  if (key[3] === 'fulfilled' || key[3] === 'archived') return order.status === 'fulfilled'
  return order.status === 'active' && order.expired === (key[3] === 'expired')
}

/** Reports whether an order stands for several of its item in a list. It stays until the next one takes its place. */
function standsForOthers(order: Order, key: QueryKey): boolean {
  return isGrouped(key) && (order.group?.requests ?? 0) > 1
}

export const isGrouped = (key: QueryKey) => (key[3] as ListFilter | undefined)?.group === 'item'

/** Returns the newest copy of an order in any list or page. */
export function findOrder(queryClient: QueryClient, id: number): Order | undefined {
  let found = queryClient.getQueryData<Order>(keys.order(id))
  for (const [, pages] of listsOf(queryClient)) {
    for (const page of pages?.pages ?? []) {
      const order = page.orders.find((o) => o.id === id)
      if (order && (!found || order.version > found.version)) found = order
    }
  }
  return found
}

/** Replaces one order in every list; null removes it. */
function rewrite(queryClient: QueryClient, id: number, change: (old: Order, key: QueryKey) => Order | null) {
  for (const [key, pages] of listsOf(queryClient)) {
    if (!pages?.pages.some((page) => page.orders.some((o) => o.id === id))) continue
    let gone = 0
    const rewritten = pages.pages.map((page) => {
      if (!page.orders.some((o) => o.id === id)) return page
      const orders = page.orders.flatMap((o) => {
        if (o.id !== id) return [o]
        const now = change(o, key) ?? (standsForOthers(o, key) ? o : null)
        if (now === null) gone++
        return now === null ? [] : [now]
      })
      return { ...page, orders }
    })
    queryClient.setQueryData<Pages>(key, {
      ...pages,
      pages: gone === 0 ? rewritten : rewritten.map((page) => withTotal(page, -gone)),
    })
  }
}

/** A page of a list that has more or fewer requests. A total that is not exact stays as it is. */
export const withTotal = (page: OrderPage, more: number): OrderPage =>
  page.totalIsExact === false ? page : { ...page, total: Math.max(0, page.total + more) }

/** Updates an order in every list, and removes it from lists it no longer belongs to. A response
 * older than the cached version changes nothing. */
export function putOrder(queryClient: QueryClient, order: Order) {
  const merge = (old: Order): Order => (old.version > order.version ? old : { ...old, ...order })
  rewrite(queryClient, order.id, (old, key) => {
    const now = merge(old)
    return belongs(now, key) ? now : null
  })
  queryClient.setQueryData<Order>(keys.order(order.id), (old) => (old ? merge(old) : order))
}

/** Removes an order from every list. */
export function dropOrder(queryClient: QueryClient, id: number) {
  rewrite(queryClient, id, () => null)
}

/** Shows the expected result of a write before the server answers. Returns the rollback. */
export function updateOrderOptimistically(
  queryClient: QueryClient,
  id: number,
  change: (order: Order) => Order | null,
): () => void {
  const before = queryClient.getQueriesData({ queryKey: keys.orders })
  rewrite(queryClient, id, (old, key) => {
    const now = change(old)
    return now && belongs(now, key) ? now : null
  })
  queryClient.setQueryData<Order>(keys.order(id), (old) => (old ? (change(old) ?? old) : old))
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data)
    // The rollback also drops what arrived meanwhile: refetch.
    void queryClient.invalidateQueries({ queryKey: keys.orders })
  }
}

/** Returns the order after a sale, calculated as the server does. */
export function afterSale(order: Order, quantity: number): Order {
  const sold = Math.min(order.quantity, order.sold + quantity)
  const filled = sold >= order.quantity
  return {
    ...order,
    sold,
    progress: filled ? 100 : Math.floor((100 * sold) / order.quantity),
    remainingValue: (BigInt(order.maxPricePerUnit) * BigInt(order.quantity - sold)).toString(),
    ...(filled ? { status: 'fulfilled' as const, closeReason: 'filled' as const } : {}),
  }
}

/** Refetches the lists that an order may have joined, and their counts. One that is loaded for the first time begins again:
 * invalidating alone would leave it with an answer from before the change. */
export function refreshLists(queryClient: QueryClient) {
  for (const queryKey of [keys.lists, keys.counts, keys.me]) {
    const first = { queryKey, predicate: ({ state }: Query) => state.data === undefined }
    void queryClient.cancelQueries(first).then(() => queryClient.invalidateQueries({ queryKey }))
  }
}
