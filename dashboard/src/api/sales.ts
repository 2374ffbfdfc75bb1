import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { SaleDraft } from './types'

/** How many of the latest sales updates are shown. */
export const recentSales = 3

export const salesQuery = (orderId: number) =>
  queryOptions({
    queryKey: keys.sales(orderId),
    queryFn: ({ signal }) =>
      read(
        client.GET('/api/orders/{id}/sales', {
          params: { path: { id: orderId }, query: { limit: recentSales } },
          signal,
        }),
      ),
  })

export const logSale = (orderId: number, body: SaleDraft, key: string) =>
  read(client.POST('/api/orders/{id}/sales', { body, params: { path: { id: orderId }, ...keyed(key) } }))
