import { infiniteQueryOptions } from '@tanstack/react-query'
import { client, read } from './client'
import { keys } from './keys'

/** The receipts of some requests or offers, newest first. The user sees only their own. */
export const receiptsQuery = (of: { requests?: number[]; offers?: number[] }) =>
  infiniteQueryOptions({
    queryKey: keys.receiptsOf(of),
    queryFn: ({ pageParam, signal }) =>
      read(
        client.GET('/api/me/receipts', {
          params: { query: { request: of.requests, offer: of.offers, cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
