import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'

export const reportsQuery = infiniteQueryOptions({
  queryKey: keys.reports,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/moderation/reports', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  // Reports are not on the event stream: they are fetched on each visit.
  staleTime: 0,
  refetchOnWindowFocus: true,
})

export const auditQuery = infiniteQueryOptions({
  queryKey: keys.audit,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/moderation/audit', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  staleTime: 0,
})

export const newNamesQuery = infiniteQueryOptions({
  queryKey: ['moderation', 'items'] as const,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/moderation/items', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  staleTime: 0,
})

export const confirmItem = (id: number, key: string) =>
  read(client.POST('/api/moderation/items/{id}/confirm', about(id, key)))

export const ignoreItem = (id: number, key: string) =>
  read(client.POST('/api/moderation/items/{id}/ignore', about(id, key)))

export const mergeItem = (id: number, into: number, key: string) =>
  read(client.POST('/api/moderation/items/{id}/merge', { body: { into }, ...about(id, key) }))

export const blocksQuery = queryOptions({
  queryKey: keys.blocks,
  queryFn: ({ signal }) => read(client.GET('/api/moderation/blocks', { signal })),
  staleTime: 0,
})

const about = (id: number, key: string) => ({ params: { path: { id }, ...keyed(key) } })

export const reportOrder = (id: number, reason: string, key: string) =>
  read(client.POST('/api/orders/{id}/report', { body: { reason }, ...about(id, key) }))

export const reportOffer = (id: number, reason: string, key: string) =>
  read(client.POST('/api/offers/{id}/report', { body: { reason }, ...about(id, key) }))

export const reportListing = (id: number, reason: string, key: string) =>
  read(client.POST('/api/listings/{id}/report', { body: { reason }, ...about(id, key) }))

export const removeListing = (id: number, reason: string, key: string) =>
  read(client.POST('/api/listings/{id}/remove', { body: { reason }, ...about(id, key) }))

export const removeOrder = (id: number, reason: string, key: string) =>
  read(client.POST('/api/orders/{id}/remove', { body: { reason }, ...about(id, key) }))

export const removeOffer = (id: number, reason: string, key: string) =>
  read(client.POST('/api/offers/{id}/remove', { body: { reason }, ...about(id, key) }))

/** Lets the buyer of a request use its names, which look like an established trader's. */
export const allowOrderNames = (id: number, key: string) =>
  read(client.POST('/api/orders/{id}/allow-names', about(id, key)))

/** Lets the seller of an offer use its names. */
export const allowOfferNames = (id: number, key: string) =>
  read(client.POST('/api/offers/{id}/allow-names', about(id, key)))

export const dismissReport = (id: number, key: string) =>
  read(client.POST('/api/moderation/reports/{id}/dismiss', about(id, key)))

export const blockUser = (userId: number, reason: string, key: string) =>
  read(client.POST('/api/moderation/blocks', { body: { userId, reason }, params: keyed(key) }))

export const vouchesQuery = queryOptions({
  queryKey: keys.vouches,
  queryFn: ({ signal }) => read(client.GET('/api/moderation/vouches', { signal })),
  staleTime: 0,
})

export const vouch = (userId: number, key: string) =>
  read(client.POST('/api/moderation/vouches', { body: { userId }, params: keyed(key) }))

export const unblockUser = (id: number, key: string) =>
  read(client.DELETE('/api/moderation/blocks/{id}', about(id, key)))

export const blockedSellersQuery = queryOptions({
  queryKey: keys.blockedSellers,
  queryFn: ({ signal }) => read(client.GET('/api/me/blocked-sellers', { signal })),
})

export const blockSeller = (offerId: number, key: string) =>
  read(client.POST('/api/offers/{id}/block-seller', about(offerId, key)))

export const unblockSeller = (id: number, key: string) =>
  read(client.DELETE('/api/me/blocked-sellers/{id}', about(id, key)))
