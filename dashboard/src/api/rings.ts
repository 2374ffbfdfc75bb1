import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'

export const ringsKey = ['moderation', 'rings'] as const

export const ringsQuery = queryOptions({
  queryKey: ringsKey,
  queryFn: ({ signal }) => read(client.GET('/api/moderation/rings', { signal })),
  staleTime: 0,
})

export const setAside = (users: string[], reason: string, key: string) =>
  read(client.POST('/api/moderation/rings', { body: { users, reason }, params: keyed(key) }))

export const countAgain = (id: number, key: string) =>
  read(client.DELETE('/api/moderation/rings/{id}', { params: { path: { id }, ...keyed(key) } }))
