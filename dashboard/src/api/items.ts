import { queryOptions } from '@tanstack/react-query'
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

/** The open requests of an item, the best paid first. */
export const itemOrdersQuery = (itemId: number) =>
  queryOptions({
    queryKey: [...keys.lists, 'item', itemId],
    queryFn: ({ signal }) => read(client.GET('/api/orders', { params: { query: { itemId, sort: 'price' } }, signal })),
  })
