import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import type { Schemas } from './types'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['Delivery']

/** The webhooks of the user's own trades, or the webhooks of the market. While a ping is on its way, they are read again. */
export const webhooksQuery = (market: boolean) =>
  queryOptions({
    queryKey: ['webhooks', market] as const,
    queryFn: ({ signal }) =>
      read(market ? client.GET('/api/moderation/webhooks', { signal }) : client.GET('/api/me/webhooks', { signal })),
    refetchInterval: ({ state }) => state.data?.webhooks.some((webhook) => webhook.state === 'asked') && 2_000,
  })

export const deliveriesQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id] as const,
    queryFn: ({ signal }) => read(client.GET('/api/webhooks/{id}/deliveries', { params: { path: { id } }, signal })),
    refetchInterval: 5_000,
  })

type WebhookDraft = { url: string; types: string[] }

/** Adds a webhook. Its secret is in this answer only, and null where the answer to the first try was lost. */
export const makeWebhook = (market: boolean, body: WebhookDraft, key: string) =>
  read(
    market
      ? client.POST('/api/moderation/webhooks', { body, params: keyed(key) })
      : client.POST('/api/me/webhooks', { body, params: keyed(key) }),
  )

const one = (id: number, key: string) => ({ params: { path: { id }, ...keyed(key) } })

export const replaceSecret = (id: number, key: string) => read(client.POST('/api/webhooks/{id}/secret', one(id, key)))
export const switchOn = (id: number, key: string) => read(client.POST('/api/webhooks/{id}/on', one(id, key)))
export const endWebhook = (id: number, key: string) => read(client.DELETE('/api/webhooks/{id}', one(id, key)))

export const sendAgain = (id: number, delivery: number, key: string) =>
  read(
    client.POST('/api/webhooks/{id}/deliveries/{delivery}/again', {
      params: { path: { id, delivery }, ...keyed(key) },
    }),
  )
