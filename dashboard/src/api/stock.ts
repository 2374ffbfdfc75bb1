import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { StockDraft } from './types'

export const stockKeys = {
  own: ['stock', 'own'] as const,
  sum: (itemName: string, maxPrice: string) => ['stock', 'sum', itemName, maxPrice] as const,
  item: (id: number) => ['stock', 'item', id] as const,
}

/** What the signed-in user has said that they have. */
export const stockQuery = queryOptions({
  queryKey: stockKeys.own,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/stock', { signal }))).stock,
})

/** The open requests that the user can fill, ranked by what they would earn. */
export const fillQuery = queryOptions({
  queryKey: keys.fill,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/fill', { signal }))).fillable,
})

/** What sellers have of an item, at a price or below. */
export const stockSumQuery = (itemName: string, maxPrice: string) =>
  queryOptions({
    queryKey: stockKeys.sum(itemName, maxPrice),
    queryFn: ({ signal }) =>
      read(client.GET('/api/stock', { params: { query: { itemName, maxPrice: Number(maxPrice) } }, signal })),
    staleTime: 60_000,
  })

/** Who has an item. */
export const itemStockQuery = (id: number) =>
  queryOptions({
    queryKey: stockKeys.item(id),
    queryFn: ({ signal }) => read(client.GET('/api/catalogue/{id}/stock', { params: { path: { id } }, signal })),
  })

/** Says what is understood of lines. Nothing is saved. */
export const readStockLines = async (lines: string, key: string) =>
  (await read(client.POST('/api/me/stock/read', { body: { lines }, params: keyed(key) }))).lines

export const saveStock = async (stock: StockDraft[], key: string, confirmPrice = false) =>
  (
    await read(
      client.POST('/api/me/stock', { body: confirmPrice ? { stock, confirmPrice } : { stock }, params: keyed(key) }),
    )
  ).stock

export const confirmStock = async (_: unknown, key: string) =>
  (await read(client.POST('/api/me/stock/confirm', { params: keyed(key) }))).stock

/** Holds the alerts of the stock that an alert is about. */
export const snoozeStock = (notice: number, snooze: 'hour' | 'tomorrow', key: string) =>
  read(
    client.POST('/api/me/notices/{id}/snooze-stock', {
      body: { for: snooze },
      params: { path: { id: notice }, ...keyed(key) },
    }),
  )

/** Ends the alerts of the stock that an alert is about. */
export const stopStock = (notice: number, key: string) =>
  read(client.POST('/api/me/notices/{id}/stop-stock', { params: { path: { id: notice }, ...keyed(key) } }))

/** Says whether requests that fit alert the user. */
export const alertStock = (id: number, on: boolean, key: string) =>
  read(client.PUT('/api/me/stock/{id}/alerts', { body: { on }, params: { path: { id }, ...keyed(key) } }))

export const deleteStock = (id: number, key: string) =>
  read(client.DELETE('/api/me/stock/{id}', { params: { path: { id }, ...keyed(key) } }))
