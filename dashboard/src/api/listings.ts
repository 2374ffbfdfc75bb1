import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { parseCopper } from '@/lib/copper'
import { client, keyed, read } from './client'
import type { BrowseFilter } from './filter'
import { keys } from './keys'
import { stockKeys } from './stock'

type ListingSort = 'newest' | 'cheapest'

type ListingFilter = Pick<BrowseFilter, 'category' | 'q' | 'max'> & { sort: ListingSort; itemId?: number }

const listingKeys = {
  all: ['listings'] as const,
  lists: (filter: ListingFilter) => ['listings', 'list', filter] as const,
  own: ['listings', 'own'] as const,
  asks: ['listings', 'asks'] as const,
}

/** The listings that match a filter, page by page. */
export const listingsQuery = ({ max, ...filter }: ListingFilter) =>
  infiniteQueryOptions({
    queryKey: listingKeys.lists({ ...filter, max }),
    queryFn: ({ pageParam, signal }) => {
      const { copper } = parseCopper(max ?? '')
      const query = { ...filter, maxPrice: copper ? Number(copper) : undefined, cursor: pageParam }
      return read(client.GET('/api/listings', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** What the user has for sale, with the asks that wait for their answer. */
export const ownListingsQuery = queryOptions({
  queryKey: listingKeys.own,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/listings', { signal }))).listings,
})

/** What is for sale of the items of a list's requests. */
export const listForSaleQuery = (id: number) =>
  queryOptions({
    queryKey: [...listingKeys.all, 'list', id],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/api/lists/{id}/for-sale', { params: { path: { id } }, signal }))).lines,
  })

/** What the user has asked sellers for. */
export const asksQuery = queryOptions({
  queryKey: listingKeys.asks,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/asks', { signal }))).asks,
})

export const askFor = (id: number, ask: { quantity: number; price: number }, key: string) =>
  read(client.POST('/api/listings/{id}/asks', { body: ask, params: { path: { id }, ...keyed(key) } }))

/** Says yes to so many of an ask, or no with 0. */
export const answerAsk = (id: number, accept: number, message: string, key: string) =>
  read(
    client.POST('/api/me/asks/{id}/answer', {
      body: accept > 0 ? { accept, message } : { accept },
      params: { path: { id }, ...keyed(key) },
    }),
  )

/** Reads again what an ask or its answer has changed. */
export function listingsChanged(queryClient: QueryClient) {
  for (const queryKey of [listingKeys.all, stockKeys.own, keys.ownLists, keys.me, keys.handovers, keys.single])
    void queryClient.invalidateQueries({ queryKey })
}
