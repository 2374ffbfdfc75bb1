// One request may stand in several lists. Here a change to it reaches all of them at once, and only its own card is drawn
// again: every other order keeps its identity.
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { keys } from './keys'
import type { Order, OrderPage } from './types'

type Pages = InfiniteData<OrderPage, string | undefined>

function listsOf(queryClient: QueryClient): [QueryKey, Pages | undefined][] {
  return queryClient.getQueriesData<Pages>({ queryKey: keys.lists })
}

/** Tells whether an order still stands in the list of that key: ['orders', 'list', 'browse' | 'own', …]. */
function belongs(order: Order, key: QueryKey): boolean {
  if (key[2] === 'browse') return order.status === 'active' && !order.expired
  if (key[3] === 'fulfilled') return order.status === 'fulfilled'
  return order.status === 'active' && order.expired === (key[3] === 'expired')
}

/** The freshest copy of an order that any list or page holds. */
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

/** Rewrites one order wherever it stands; null takes it out. */
function rewrite(queryClient: QueryClient, id: number, change: (old: Order, key: QueryKey) => Order | null) {
  for (const [key, pages] of listsOf(queryClient)) {
    if (!pages?.pages.some((page) => page.orders.some((o) => o.id === id))) continue
    let gone = 0
    const rewritten = pages.pages.map((page) => {
      if (!page.orders.some((o) => o.id === id)) return page
      const orders = page.orders.flatMap((o) => {
        if (o.id !== id) return [o]
        const now = change(o, key)
        if (now === null) gone++
        return now === null ? [] : [now]
      })
      return { ...page, orders }
    })
    queryClient.setQueryData<Pages>(key, {
      ...pages,
      pages: gone === 0 ? rewritten : rewritten.map((page) => ({ ...page, total: Math.max(0, page.total - gone) })),
    })
  }
}

/** Shows an order as it is now in every list it stands in, and takes it out of those it no longer belongs to. An answer
 * that was overtaken by a newer one changes nothing. */
export function putOrder(queryClient: QueryClient, order: Order) {
  const merge = (old: Order): Order => (old.version > order.version ? old : { ...old, ...order })
  rewrite(queryClient, order.id, (old, key) => {
    const now = merge(old)
    return belongs(now, key) ? now : null
  })
  queryClient.setQueryData<Order>(keys.order(order.id), (old) => (old ? merge(old) : order))
}

/** Takes an order out of every list. */
export function dropOrder(queryClient: QueryClient, id: number) {
  rewrite(queryClient, id, () => null)
}

/** Shows what a write will most likely do before the server has said so. Returns how to take it back. */
export function expectOrder(queryClient: QueryClient, id: number, change: (order: Order) => Order | null): () => void {
  const before = queryClient.getQueriesData({ queryKey: keys.orders })
  rewrite(queryClient, id, (old, key) => {
    const now = change(old)
    return now && belongs(now, key) ? now : null
  })
  queryClient.setQueryData<Order>(keys.order(id), (old) => (old ? (change(old) ?? old) : old))
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data)
    // What arrived meanwhile went with it: ask again.
    void queryClient.invalidateQueries({ queryKey: keys.orders })
  }
}

/** The order after so many more were sold, as the server will reckon it. */
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

/** Lists that an order may have joined are asked for again, and so are the figures beside them. */
export function refreshLists(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: keys.lists })
  void queryClient.invalidateQueries({ queryKey: keys.counts })
  void queryClient.invalidateQueries({ queryKey: keys.me })
}
