import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'

export const ringsKey = ['moderation', 'rings'] as const

export const ringsQuery = queryOptions({
  queryKey: ringsKey,
  queryFn: ({ signal }) => read(client.GET('/api/moderation/rings', { signal })),
  staleTime: 0,
})

export const setAside = (proposal: number, key: string) =>
  read(client.POST('/api/moderation/rings', { body: { proposal }, params: keyed(key) }))

export const dismissRing = (id: number, key: string) =>
  read(client.DELETE('/api/moderation/rings/proposals/{id}', { params: { path: { id }, ...keyed(key) } }))

export const countAgain = (id: number, key: string) =>
  read(client.DELETE('/api/moderation/rings/{id}', { params: { path: { id }, ...keyed(key) } }))
