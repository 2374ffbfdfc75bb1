// Notifies the open board of requests that it may not show yet.
import type { InfiniteData } from '@tanstack/react-query'
import type { ListFilter } from './filter'
import type { OrderPage } from './types'

type Pages = InfiniteData<OrderPage, string | undefined>

/** Returns the first page of a board with the requests that are new, null when there are none for it, or "ask" when the server has
 * to be asked. `waiting` are new requests that the board holds back. */
export type NewPosts = (filter: ListFilter, shown: Pages, waiting: OrderPage | null) => OrderPage | null | 'ask'

const listeners = new Set<(posts?: NewPosts) => void>()

/** Without posts the board asks the server. */
export function announceNewPosts(posts?: NewPosts) {
  for (const listener of listeners) listener(posts)
}

export function subscribeNewPosts(listener: (posts?: NewPosts) => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
