import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { OfferDraft } from './types'

export const offersQuery = (orderId: number) =>
  queryOptions({
    queryKey: keys.offers(orderId),
    queryFn: ({ signal }) => read(client.GET('/api/orders/{id}/offers', { params: { path: { id: orderId } }, signal })),
  })

export const sentOffersQuery = infiniteQueryOptions({
  queryKey: keys.sentOffers,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/me/offers', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

export const sendOffer = (orderId: number, body: OfferDraft, key: string) =>
  read(client.POST('/api/orders/{id}/offers', { body, params: { path: { id: orderId }, ...keyed(key) } }))

export const acceptOffer = (id: number, quantity: number, key: string) =>
  read(client.POST('/api/offers/{id}/accept', { body: { quantity }, params: { path: { id }, ...keyed(key) } }))

/** The buyer declines an offer; its seller withdraws it. */
export const deleteOffer = (id: number, key: string) =>
  read(client.DELETE('/api/offers/{id}', { params: { path: { id }, ...keyed(key) } }))
