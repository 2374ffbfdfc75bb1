import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { type Change, type Link, listen } from '@/api/events'
import { keys } from '@/api/keys'
import { dropOrder, findOrder, putOrder } from '@/api/orderCache'
import { fetchOrder } from '@/api/orders'
import { announceNewcomers } from '@/lib/newcomers'

const gather = 80 // ms; news that come together are dealt with together
const oneByOne = 12 // changed requests asked for singly; for more the lists are cheaper

/** Keeps what is shown in step with the market: what anyone does through either door shows here within a second. */
export function useLive(): Link {
  const queryClient = useQueryClient()
  const [link, setLink] = useState<Link>('connecting')

  useEffect(() => {
    const changed = new Set<number>()
    let mine = false
    let timer: ReturnType<typeof setTimeout> | undefined

    function flush() {
      timer = undefined
      void follow(queryClient, { orders: [...changed], mine })
      changed.clear()
      mine = false
    }

    const stop = listen({
      onLink: setLink,
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
  }, [queryClient])

  return link
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
    putOrder(queryClient, await fetchOrder(id))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      dropOrder(queryClient, id)
      void queryClient.invalidateQueries({ queryKey: keys.order(id) })
    }
    // Out of reach: the stream of events will notice, and everything is asked for again when it is back.
  }
}
