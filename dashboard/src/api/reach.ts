import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'

export const reachKey = ['moderation', 'reach'] as const

export const reachQuery = queryOptions({
  queryKey: reachKey,
  queryFn: ({ signal }) => read(client.GET('/api/moderation/reach', { signal })),
  staleTime: 0,
})

export const stopReach = (userId: number, key: string) =>
  read(client.POST('/api/moderation/reach', { body: { userId }, params: keyed(key) }))

export const allowReach = (id: number, key: string) =>
  read(client.DELETE('/api/moderation/reach/{id}', { params: { path: { id }, ...keyed(key) } }))
