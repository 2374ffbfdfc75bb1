import { type QueryClient, type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { type Change, type ConnectionState, subscribeToEvents } from '@/api/events'
import { keys } from '@/api/keys'
import { newPostsOf, putCounts, putDescribed } from '@/api/liveOrders'
import { announceNewPosts } from '@/api/newPosts'
import { dropOrder, findOrder, putOrder } from '@/api/orderCache'
import { foldItem, refreshGroup } from '@/api/orderGroups'
import { fetchOrder } from '@/api/orders'

const batchWindow = 80 // ms; changes within it are applied together
const singleFetchLimit = 12 // for more changed requests, refetching the lists is cheaper

/** Keeps the page up to date: a change made on the page or in Discord shows here within a second.
 * The event stream belongs to one session, so that a new session opens a new stream. */
export function useLive(session: number): ConnectionState {
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<ConnectionState>('connecting')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new session opens a new stream
  useEffect(() => {
    let gathered: Change = nothing
    let first = true
    let timer: ReturnType<typeof setTimeout> | undefined

    function flush() {
      timer = undefined
      void applyChange(queryClient, gathered)
      gathered = nothing
    }

    const stop = subscribeToEvents({
      onConnection(now) {
        setConnection(now)
        if (now === 'live' && first) void catchUp(queryClient)
        if (now === 'live') first = false
      },
      onEvent(event) {
        if (event.kind === 'resync') {
          void queryClient.invalidateQueries()
          announceNewPosts()
          return
        }
        gathered = together(gathered, event)
        timer ??= setTimeout(flush, batchWindow)
      },
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queryClient, session])

  return connection
}

/** Refetches what was fetched before the stream was open, such as the document's preloads, because
 * a change may have been missed. If nothing has changed, the server answers 304. */
async function catchUp(queryClient: QueryClient) {
  await inFlight(queryClient, {})
  await queryClient.invalidateQueries()
}

/** Waits for the fetches in progress. */
function inFlight(queryClient: QueryClient, filters: QueryFilters) {
  const fetching = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  return Promise.allSettled(fetching.map((query) => query.promise))
}

const nothing: Change = { orders: [], mine: false, described: new Map() }

/** Two changes as one. It is described when both are. */
function together(a: Change, b: Change): Change {
  const described = a.described && (b.described || b.orders.length === 0)
  return {
    orders: [...new Set([...a.orders, ...b.orders])],
    mine: a.mine || b.mine,
    described: described ? new Map([...(a.described ?? []), ...(b.described ?? [])]) : undefined,
    counts: b.counts ?? a.counts,
  }
}

async function applyChange(queryClient: QueryClient, change: Change) {
  const { described, mine, counts } = change
  // A user's own requests show more than everybody sees of them.
  if (!described || mine) return askFor(queryClient, change)
  const items = putDescribed(queryClient, described)
  if (counts) putCounts(queryClient, counts)
  announceNewPosts(newPostsOf(described, counts))
  // A list fetched before the change may still arrive, with the old version of a request.
  await inFlight(queryClient, { queryKey: keys.lists })
  putDescribed(queryClient, described)
  await Promise.allSettled([...items].map((item) => refreshGroup(queryClient, item)))
}

/** Refetches what is shown of a change. */
async function askFor(queryClient: QueryClient, { orders, mine }: Change) {
  const known = orders.map((id) => [id, findOrder(queryClient, id)] as const)
  const shown = known.flatMap(([id, order]) => (order ? [id] : []))
  const items = new Set(known.flatMap(([, order]) => (order ? [foldItem(order.itemName)] : [])))
  if (shown.length < orders.length) {
    announceNewPosts()
    recount(queryClient)
  }
  if (mine) refreshOwn(queryClient, orders)
  if (shown.length > singleFetchLimit) {
    void queryClient.invalidateQueries({ queryKey: keys.orders })
    return
  }
  await Promise.all(shown.map((id) => refresh(queryClient, id)))
  await Promise.allSettled([...items].map((item) => refreshGroup(queryClient, item)))
}

/** Only a request that joins or leaves the board or a category changes what is counted. */
const recount = (queryClient: QueryClient) => void queryClient.invalidateQueries({ queryKey: keys.counts })

function refreshOwn(queryClient: QueryClient, orders: number[]) {
  for (const queryKey of [keys.me, keys.ownLists, keys.sentOffers, keys.receivedOffers, keys.receipts, keys.notices]) {
    void queryClient.invalidateQueries({ queryKey })
  }
  for (const id of orders) {
    void queryClient.invalidateQueries({ queryKey: keys.offers(id) })
    void queryClient.invalidateQueries({ queryKey: keys.sales(id) })
  }
}

async function refresh(queryClient: QueryClient, id: number) {
  const before = findOrder(queryClient, id)
  try {
    const order = await fetchOrder(id)
    if (order.status !== before?.status || order.category !== before.category || order.expired !== before.expired)
      recount(queryClient)
    putOrder(queryClient, order)
    // A list fetched before the change may still arrive, with the old version of the order.
    await inFlight(queryClient, { queryKey: keys.lists })
    putOrder(queryClient, order)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      dropOrder(queryClient, id)
      recount(queryClient)
      void queryClient.invalidateQueries({ queryKey: keys.order(id) })
    }
    // No connection: the event stream notices, and everything is refetched once it is back.
  }
}
