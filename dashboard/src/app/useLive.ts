import { type QueryClient, type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { type Change, type Link, listen } from '@/api/events'
import { keys } from '@/api/keys'
import { dropOrder, findOrder, putOrder } from '@/api/orderCache'
import { fetchOrder } from '@/api/orders'
import { announceNewcomers } from '@/lib/newcomers'

const gather = 80 // ms; news that come together are dealt with together
const oneByOne = 12 // changed requests asked for singly; for more the lists are cheaper

/** Keeps what is shown in step with the market: what anyone does through either door shows here within a second. The
 * stream belongs to whoever was signed in when it was opened, so that another session gets another one. */
export function useLive(session: number): Link {
  const queryClient = useQueryClient()
  const [link, setLink] = useState<Link>('connecting')

  // biome-ignore lint/correctness/useExhaustiveDependencies: another session gets another stream
  useEffect(() => {
    const changed = new Set<number>()
    let mine = false
    let first = true
    let timer: ReturnType<typeof setTimeout> | undefined

    function flush() {
      timer = undefined
      void follow(queryClient, { orders: [...changed], mine })
      changed.clear()
      mine = false
    }

    const stop = listen({
      onLink(now) {
        setLink(now)
        if (now === 'live' && first) void catchUp(queryClient)
        if (now === 'live') first = false
      },
      onNews(news) {
        if (news.kind === 'resync') {
          void queryClient.invalidateQueries()
          announceNewcomers()
          return
        }
        for (const id of news.orders) changed.add(id)
        mine ||= news.mine
        timer ??= setTimeout(flush, gather)
      },
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queryClient, session])

  return link
}

/** What was read before the stream was open, as the document's preloads are, may have missed a change: it is asked for
 * again. Where nothing has changed, the server's answer is one of a few bytes. */
async function catchUp(queryClient: QueryClient) {
  await underWay(queryClient, {})
  await queryClient.invalidateQueries()
}

/** Waits for the answers that are on their way just now. */
function underWay(queryClient: QueryClient, of: QueryFilters) {
  const asked = queryClient.getQueryCache().findAll({ ...of, fetchStatus: 'fetching' })
  return Promise.allSettled(asked.map((query) => query.promise))
}

async function follow(queryClient: QueryClient, { orders, mine }: Change) {
  const shown = orders.filter((id) => findOrder(queryClient, id))
  if (shown.length < orders.length) announceNewcomers()
  void queryClient.invalidateQueries({ queryKey: keys.counts })
  if (mine) followOwn(queryClient, orders)
  if (shown.length > oneByOne) {
    void queryClient.invalidateQueries({ queryKey: keys.orders })
    return
  }
  await Promise.all(shown.map((id) => refresh(queryClient, id)))
}

function followOwn(queryClient: QueryClient, orders: number[]) {
  for (const queryKey of [keys.me, keys.ownLists, keys.sentOffers, keys.notices]) {
    void queryClient.invalidateQueries({ queryKey })
  }
  for (const id of orders) {
    void queryClient.invalidateQueries({ queryKey: keys.offers(id) })
    void queryClient.invalidateQueries({ queryKey: keys.sales(id) })
  }
}

async function refresh(queryClient: QueryClient, id: number) {
  try {
    const order = await fetchOrder(id)
    putOrder(queryClient, order)
    // A list that was read before the change may still be on its way, with the order as it was.
    await underWay(queryClient, { queryKey: keys.lists })
    putOrder(queryClient, order)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      dropOrder(queryClient, id)
      void queryClient.invalidateQueries({ queryKey: keys.order(id) })
    }
    // Out of reach: the stream of events will notice, and everything is asked for again when it is back.
  }
}
