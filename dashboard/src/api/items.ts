import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, read } from './client'
import { keys } from './keys'

/** What fits the name of an item that is typed, and what is known of it. */
export const completionsQuery = (text: string) =>
  queryOptions({
    queryKey: keys.completions(text),
    queryFn: ({ signal }) => read(client.GET('/api/catalogue/completions', { params: { query: { q: text } }, signal })),
    staleTime: 60_000,
  })

/** One item of the catalogue. */
export const itemQuery = (id: number) =>
  queryOptions({
    queryKey: keys.item(id),
    queryFn: ({ signal }) => read(client.GET('/api/catalogue/{id}', { params: { path: { id } }, signal })),
    staleTime: 5 * 60_000,
  })

/** What narrows the list of items. */
export type CatalogueFilter = { q?: string; profession?: string; level?: number }

export type ItemSort = 'name' | 'open' | 'price' | 'profession' | 'level'

/** The items that the game has, by name unless they are sorted. The demand for them changes all the time. */
export const catalogueQuery = (filter: CatalogueFilter & { sort?: ItemSort }) =>
  infiniteQueryOptions({
    queryKey: keys.catalogue(filter),
    queryFn: ({ pageParam, signal }) =>
      read(client.GET('/api/catalogue', { params: { query: { ...filter, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 60_000,
  })

/** The open requests of an item, the best paid first. They are a list as the board's are, to which changes are applied. */
export const itemOrdersQuery = (itemId: number) =>
  infiniteQueryOptions({
    queryKey: [...keys.lists, 'browse', { itemId }],
    queryFn: ({ pageParam, signal }) =>
      read(client.GET('/api/orders', { params: { query: { itemId, sort: 'price', cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
