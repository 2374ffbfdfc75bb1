import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys, type SentPart } from './keys'
import type { OfferAnswer, OfferDraft } from './types'

export const offersQuery = (orderId: number) =>
  queryOptions({
    queryKey: keys.offers(orderId),
    queryFn: ({ signal }) => read(client.GET('/api/orders/{id}/offers', { params: { path: { id: orderId } }, signal })),
  })

/** The offers that wait for the user's answer, by request. */
export const receivedOffersQuery = infiniteQueryOptions({
  queryKey: keys.receivedOffers,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/me/offers/received', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Accepts or declines several offers. Each has an outcome of its own. */
export const answerOffers = async (answers: OfferAnswer[], key: string) =>
  (await read(client.POST('/api/offers/answer', { body: { answers }, params: keyed(key) }))).outcomes

/** One part of the offers that the user has sent, with the number in each part. */
export const sentOffersQuery = (part: SentPart) =>
  infiniteQueryOptions({
    queryKey: keys.sentOfferList(part),
    queryFn: ({ pageParam, signal }) =>
      read(client.GET('/api/me/offers', { params: { query: { part, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** All open offers of the user, in short. */
export const openOffersQuery = queryOptions({
  queryKey: keys.openOffers,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/offers/open', { signal }))).offers,
})

/** What the user offers with one press, and with which message. */
export const readyQuery = queryOptions({
  queryKey: keys.ready,
  queryFn: ({ signal }) => read(client.GET('/api/me/offers/ready', { signal })),
})

/** The user's open offer on a request; null if there is none. */
export const myOfferQuery = (orderId: number) =>
  queryOptions({
    queryKey: keys.myOffer(orderId),
    queryFn: async ({ signal }) =>
      (await read(client.GET('/api/orders/{id}/my-offer', { params: { path: { id: orderId } }, signal }))).offer,
  })

export const sendOffer = (orderId: number, body: OfferDraft, key: string) =>
  read(client.POST('/api/orders/{id}/offers', { body, params: { path: { id: orderId }, ...keyed(key) } }))

export const acceptOffer = (id: number, quantity: number, key: string, agreedBy?: string) =>
  read(
    client.POST('/api/offers/{id}/accept', { body: { quantity, agreedBy }, params: { path: { id }, ...keyed(key) } }),
  )

/** The buyer declines an offer; its seller withdraws it. */
export const deleteOffer = (id: number, key: string) =>
  read(client.DELETE('/api/offers/{id}', { params: { path: { id }, ...keyed(key) } }))

/** What a visitor's private link leads to. The page of the link has no event stream of its own, so it asks again. */
export const offerLinkQuery = (token: string) =>
  queryOptions({
    queryKey: keys.offerLink(token),
    queryFn: ({ signal }) => read(client.GET('/api/offer-links/{token}', { params: { path: { token } }, signal })),
    refetchInterval: 30_000,
    refetchOnWindowFocus: 'always' as const,
  })

/** Withdraws the offer that a private link leads to. */
export const withdrawLinked = (token: string, key: string) =>
  read(client.DELETE('/api/offer-links/{token}', { params: { path: { token }, ...keyed(key) } }))
