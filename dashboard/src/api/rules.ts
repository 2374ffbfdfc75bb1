import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'

/** What moderators have set for the whole market. */
export const rulesQuery = queryOptions({
  queryKey: keys.rules,
  queryFn: ({ signal }) => read(client.GET('/api/rules', { signal })),
  // It is not on the event stream.
  staleTime: 0,
})

export const requireSignIn = (reason: string, key: string) =>
  read(client.POST('/api/moderation/signed-in-only', { body: { reason }, params: keyed(key) }))

export const allowVisitors = (key: string) =>
  read(client.DELETE('/api/moderation/signed-in-only', { params: keyed(key) }))

export const letProgramsTrade = (key: string) =>
  read(client.POST('/api/moderation/programs-trade', { params: keyed(key) }))

export const keepProgramsFromTrading = (key: string) =>
  read(client.DELETE('/api/moderation/programs-trade', { params: keyed(key) }))
