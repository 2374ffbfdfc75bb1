import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { parseCopper } from '@/lib/copper'
import { client, keyed, read } from './client'
import type { ListFilter } from './filter'
import { keys, type OwnList } from './keys'
import { findOrder } from './orderCache'
import type { Order, OrderDraft, OrderEdit, OrderPage } from './types'

const copperOf = (text?: string) => {
  const { copper } = parseCopper(text ?? '')
  return copper ? Number(copper) : undefined
}

/** The parameters of a filter, but for its category. */
export const filterParams = ({ category, sort, min, max, for: forMe, fill, ...others }: ListFilter) => ({
  ...others,
  minPrice: copperOf(min),
  maxPrice: copperOf(max),
})

// Both answer with a page of requests.
const pathOf = ({ fill }: ListFilter) => (fill ? '/api/orders/fillable' : '/api/orders') as '/api/orders'

export function fetchBrowsePage(filter: ListFilter, cursor?: string, signal?: AbortSignal): Promise<OrderPage> {
  const { category, sort } = filter
  const query = { category, sort, cursor, ...filterParams(filter) }
  return read(client.GET(pathOf(filter), { params: { query }, signal }))
}

const nextCursor = (page: { nextCursor: string | null }) => page.nextCursor ?? undefined

export const browseQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: keys.browse(filter),
    queryFn: ({ pageParam, signal }) => fetchBrowsePage(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextCursor,
  })

/** The requests of one item. They are cached as a list of one page, so that changes are applied to them as to any list. */
export const itemOrdersQuery = (filter: ListFilter, item: string) => {
  const about: ListFilter = { ...filter, item }
  return queryOptions<InfiniteData<OrderPage, string | undefined>>({
    queryKey: keys.browse(about),
    queryFn: async ({ signal }) => ({
      pages: [await fetchBrowsePage(about, undefined, signal)],
      pageParams: [undefined],
    }),
  })
}

export const ownOrdersQuery = (status: OwnList) =>
  infiniteQueryOptions({
    queryKey: keys.own(status),
    queryFn: ({ pageParam, signal }) =>
      read(client.GET('/api/me/orders', { params: { query: { status, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextCursor,
  })

/** How many requests the whole board and each category has. */
export const countsQuery = queryOptions({
  queryKey: keys.counts,
  queryFn: ({ signal }) => read(client.GET('/api/orders/counts', { signal })),
})

/** How many requests match a filter: a page of one says so. */
export const totalQuery = (filter: ListFilter) =>
  queryOptions({
    queryKey: keys.totalFor(filter),
    queryFn: ({ signal }) =>
      read(
        client.GET(pathOf(filter), {
          params: { query: { category: filter.category, limit: 1, ...filterParams(filter) } },
          signal,
        }),
      ),
    placeholderData: (previous) => previous,
  })

/** Item names that contain the words of a text. */
export const itemsQuery = (text: string) =>
  queryOptions({
    queryKey: keys.items(text),
    queryFn: async ({ signal }) =>
      (await read(client.GET('/api/items', { params: { query: text ? { q: text } : {} }, signal }))).items,
    staleTime: 5 * 60_000,
  })

/** One request. A copy from a list is shown while the request is fetched. */
export const orderQuery = (queryClient: QueryClient, id: number) =>
  queryOptions<Order>({
    queryKey: keys.order(id),
    queryFn: ({ signal }) => read(client.GET('/api/orders/{id}', { params: { path: { id } }, signal })),
    placeholderData: () => findOrder(queryClient, id),
  })

export const fetchOrder = (id: number) => read(client.GET('/api/orders/{id}', { params: { path: { id } } }))

/** Posts a request; with askStock, the seller who has that is alerted first. */
export const postOrder = (body: OrderDraft, key: string, askStock?: number) =>
  read(client.POST('/api/orders', { body, params: { query: askStock ? { askStock } : {}, ...keyed(key) } }))

export const editOrder = (id: number, body: OrderEdit, key: string) =>
  read(client.PATCH('/api/orders/{id}', { body, params: { path: { id }, ...keyed(key) } }))

export const closeOrder = (id: number, key: string) =>
  read(client.POST('/api/orders/{id}/close', { params: { path: { id }, ...keyed(key) } }))

export const renewOrder = (id: number, key: string) =>
  read(client.POST('/api/orders/{id}/renew', { params: { path: { id }, ...keyed(key) } }))

export const deleteOrder = (id: number, key: string) =>
  read(client.DELETE('/api/orders/{id}', { params: { path: { id }, ...keyed(key) } }))
