import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import type { OrderDraft, WatchDraft } from './types'

export const watchesKey = ['watches'] as const

/** The buyers of whose requests the user hears nothing, and the saved searches that have a bell. */
export const watchesQuery = queryOptions({
  queryKey: watchesKey,
  queryFn: ({ signal }) => read(client.GET('/api/me/watches', { signal })),
})

/** How often a search with a bell would have told of a request in the last 30 days. */
export const triedQuery = (draft: WatchDraft) =>
  queryOptions({
    queryKey: [...watchesKey, 'tried', draft],
    queryFn: ({ signal }) => read(client.POST('/api/me/watches/try', { body: draft, signal })),
    retry: false,
  })

/** How many people will hear of a request. */
export const audienceQuery = (draft: OrderDraft) =>
  queryOptions({
    queryKey: [...watchesKey, 'audience', draft],
    queryFn: ({ signal }) => read(client.POST('/api/orders/audience', { body: draft, signal })),
    retry: false,
  })

export const pauseWatch = (id: number, paused: boolean, key: string) =>
  read(client.POST('/api/me/watches/{id}/pause', { body: { paused }, params: { path: { id }, ...keyed(key) } }))

export const snoozeWatch = (id: number, snooze: 'hour' | 'tomorrow', key: string) =>
  read(client.POST('/api/me/watches/{id}/snooze', { body: { for: snooze }, params: { path: { id }, ...keyed(key) } }))

export const muteBuyer = (notice: number, key: string) =>
  read(client.POST('/api/me/notices/{id}/mute-buyer', { params: { path: { id: notice }, ...keyed(key) } }))

export const unmuteBuyer = (id: number, key: string) =>
  read(client.DELETE('/api/me/muted-buyers/{id}', { params: { path: { id }, ...keyed(key) } }))
