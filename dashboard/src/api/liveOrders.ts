// Applies what an event says of changed requests to what is on the screen, so that nobody has to ask for it.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListFilter } from './filter'
import { keys } from './keys'
import type { NewPosts } from './newPosts'
import { dropOrder, findOrder, putOrder } from './orderCache'
import { foldItem } from './orderGroups'
import type { Counts, Order, OrderPage } from './types'

type Pages = InfiniteData<OrderPage, string | undefined>

/** What an event says of the requests that it names: each as everybody sees it now, or null when it is not open any more. */
export type Described = ReadonlyMap<number, Order | null>

/** Applies changed requests to every list. Returns the items of those that were shown. */
export function putDescribed(queryClient: QueryClient, described: Described): Set<string> {
  const items = new Set<string>()
  for (const [id, now] of described) {
    const known = findOrder(queryClient, id)
    if (!known) continue
    items.add(foldItem(known.itemName))
    if (now) {
      putOrder(queryClient, now)
    } else {
      dropOrder(queryClient, id)
      // Its page or panel stays, and says how it ended, which depends on who reads.
      void queryClient.invalidateQueries({ queryKey: keys.order(id) })
    }
  }
  return items
}

/** Reports whether a list holds all that is open, or all of some categories, newest first. */
const isPlain = (filter: ListFilter): boolean =>
  Object.entries(filter).every(([name, value]) => name === 'category' || value === undefined)

/** Applies the counts of all open requests, and to the lists that hold all of some categories. */
export function putCounts(queryClient: QueryClient, counts: Counts) {
  queryClient.setQueryData<Counts>(keys.counts, (old) => old && counts)
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: [...keys.lists, 'browse'] })) {
    const filter = queryKey[3] as ListFilter
    if (!isPlain(filter)) continue
    const total = totalOf(filter, counts)
    queryClient.setQueryData<Pages>(queryKey, (old) =>
      old?.pages.some((page) => page.total !== total)
        ? { ...old, pages: old.pages.map((page) => ({ ...page, total })) }
        : old,
    )
  }
}

const totalOf = ({ category }: ListFilter, { all, categories }: Counts): number =>
  category?.length ? category.reduce((sum, c) => sum + (categories[c] ?? 0), 0) : all

/** Finds those described requests that a board does not show yet and that come first on it. */
export function newPostsOf(described: Described, counts: Counts | undefined): NewPosts {
  return (filter, shown, waiting) => {
    const [first] = shown.pages
    if (!first || !isPlain(filter)) return 'ask'
    const known = new Set(shown.pages.flatMap((page) => page.orders.map((o) => o.id)))
    const listed = shown.pages.flatMap((page) => page.orders)
    const top = first.orders[0]?.createdAt
    const fresh: Order[] = []
    for (const order of described.values()) {
      if (!order || known.has(order.id) || (filter.category?.length && !filter.category.includes(order.category)))
        continue
      if (top === undefined || order.createdAt > top) fresh.push(order)
      else if (shown.pages.at(-1)?.nextCursor == null || order.createdAt > (listed.at(-1)?.createdAt ?? ''))
        return 'ask'
    }
    const held = (waiting?.orders ?? []).filter((o) => !known.has(o.id) && !described.has(o.id))
    if (fresh.length === 0 && held.length === (waiting?.orders ?? []).filter((o) => !known.has(o.id)).length)
      return null
    const orders = [...fresh, ...held].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    const total = counts ? totalOf(filter, counts) : first.total + fresh.length
    return { ...first, orders: [...orders, ...first.orders], total }
  }
}
