import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { Handover } from './types'

/** The user's newest handovers. One request serves every receipt and notice that shows one. */
export const handoversQuery = queryOptions({
  queryKey: keys.handovers,
  queryFn: ({ signal }) => read(client.GET('/api/me/handovers', { signal })),
})

/** The handover of one sale, where it is none of the newest. */
export const handoverQuery = (sale: number) =>
  queryOptions({
    queryKey: keys.handover(sale),
    queryFn: ({ signal }) => read(client.GET('/api/me/handovers', { params: { query: { sale: [sale] } }, signal })),
  })

/** Everything about one trade of the user. Below the receipts: what refreshes them refreshes it. */
export const tradeQuery = (sale: number) =>
  queryOptions({
    queryKey: [...keys.receipts, 'trade', sale],
    queryFn: ({ signal }) => read(client.GET('/api/me/trades/{id}', { params: { path: { id: sale } }, signal })),
  })

export type TradeState = Handover['state']

/** The user's trades in some states, newest first. */
export const tradesQuery = (states: TradeState[]) =>
  infiniteQueryOptions({
    queryKey: keys.trades(states),
    queryFn: ({ pageParam, signal }) =>
      read(client.GET('/api/me/handovers', { params: { query: { state: states, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export type Word = 'met' | 'not_met'

export const sayHandovers = (sales: number[], word: Word, key: string) =>
  read(client.POST('/api/handovers/say', { body: { sales, word }, params: { ...keyed(key) } }))

export const takeBackWords = (sales: number[], key: string) =>
  read(client.POST('/api/handovers/take-back', { body: { sales }, params: { ...keyed(key) } }))

export const postponeHandovers = (sales: number[], key: string) =>
  read(client.POST('/api/handovers/later', { body: { sales }, params: { ...keyed(key) } }))

export const agreeHandover = (id: number, agreedBy: string, key: string) =>
  read(client.POST('/api/handovers/{id}/agree', { body: { agreedBy }, params: { path: { id }, ...keyed(key) } }))

export const disputesQuery = infiniteQueryOptions({
  queryKey: keys.disputes,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/moderation/disputes', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  staleTime: 0,
  refetchOnWindowFocus: true,
})

export const lookAtDispute = (id: number, key: string) =>
  read(client.POST('/api/moderation/disputes/{id}/look', { params: { path: { id }, ...keyed(key) } }))

export type Ruling = { met: boolean; against: 'buyer' | 'seller' | 'nobody'; reason: string }

export const settleDispute = (id: number, ruling: Ruling, key: string) =>
  read(client.POST('/api/moderation/disputes/{id}/settle', { body: ruling, params: { path: { id }, ...keyed(key) } }))
