import { queryOptions } from '@tanstack/react-query'
import { client, read } from './client'

/** What an item was traded for. */
export const itemPricesQuery = (id: number) =>
  queryOptions({
    queryKey: ['items', 'prices', id],
    queryFn: ({ signal }) => read(client.GET('/api/catalogue/{id}/prices', { params: { path: { id } }, signal })),
    staleTime: 60_000,
  })

/** How likely requests for an item were filled, by price. */
export const itemOddsQuery = (id: number) =>
  queryOptions({
    queryKey: ['items', 'odds', id],
    queryFn: ({ signal }) => read(client.GET('/api/catalogue/{id}/odds', { params: { path: { id } }, signal })),
    staleTime: 60_000,
  })

/** What an item was traded for, day by day. */
export const dailyPricesQuery = (id: number) =>
  queryOptions({
    queryKey: ['items', 'prices', id, 'day'],
    queryFn: ({ signal }) =>
      read(client.GET('/api/catalogue/{id}/prices', { params: { path: { id }, query: { step: 'day' } }, signal })),
    staleTime: 60_000,
  })
