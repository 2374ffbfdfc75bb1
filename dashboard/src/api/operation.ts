import { queryOptions } from '@tanstack/react-query'
import { client, read } from './client'

/** How the market's machine is. The server looks once a minute at most. */
export const operationQuery = queryOptions({
  queryKey: ['operation'] as const,
  queryFn: ({ signal }) => read(client.GET('/api/operation', { signal })),
  staleTime: 60_000,
})
