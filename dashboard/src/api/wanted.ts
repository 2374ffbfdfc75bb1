import { queryOptions } from '@tanstack/react-query'
import { client, read } from './client'

/** What is wanted and not offered, what is filled fastest, and prices that moved. */
export const wantedQuery = queryOptions({
  queryKey: ['wanted'] as const,
  queryFn: ({ signal }) => read(client.GET('/api/wanted', { signal })),
  staleTime: 5 * 60_000,
})
