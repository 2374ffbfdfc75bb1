import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { keys } from '@/api/keys'
import { type BrowseFilter, fetchBrowsePage } from '@/api/orders'
import type { Order, OrderPage } from '@/api/types'
import { subscribeNewcomers } from '@/lib/newcomers'

type Pages = InfiniteData<OrderPage, string | undefined>

const nearTop = 160 // px scrolled; below it the reader has left the top of the board

/** Puts a fresh first page before what is loaded, without losing the rest. */
export function withFreshTop(old: Pages, fresh: OrderPage, sorted: boolean): Pages {
  if (sorted) return { pages: [fresh], pageParams: [undefined] }
  const [first, ...rest] = old.pages
  if (!first) return { pages: [fresh], pageParams: [undefined] }
  const known = new Set(fresh.orders.map((o) => o.id))
  const pushedDown = fresh.nextCursor === null ? [] : first.orders.filter((o) => !known.has(o.id))
  const top = { ...first, orders: [...fresh.orders, ...pushedDown], total: fresh.total }
  return {
    ...old,
    pages: [
      top,
      ...rest.map((page) => ({ ...page, orders: page.orders.filter((o) => !known.has(o.id)), total: fresh.total })),
    ],
  }
}

function shownIds(pages: Pages | undefined): Set<number> {
  return new Set(pages?.pages.flatMap((page) => page.orders.map((o) => o.id)))
}

/** Requests posted while the board is open. At the top they slide in; further down they wait behind a button, so that
 * nothing moves under the finger. */
export function useNewcomers(filter: BrowseFilter) {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<OrderPage | null>(null)
  const [arrived, setArrived] = useState<ReadonlySet<number>>(new Set())

  const newIn = useCallback(
    (page: OrderPage): Order[] => {
      const shown = shownIds(queryClient.getQueryData<Pages>(keys.browse(filter)))
      return page.orders.filter((o) => !shown.has(o.id))
    },
    [queryClient, filter],
  )

  const show = useCallback(
    (page: OrderPage) => {
      setArrived(new Set(newIn(page).map((o) => o.id)))
      const sorted = filter.sort !== undefined
      queryClient.setQueryData<Pages>(keys.browse(filter), (old) => old && withFreshTop(old, page, sorted))
      setWaiting(null)
    },
    [queryClient, filter, newIn],
  )

  useEffect(() => {
    setWaiting(null)
    setArrived(new Set())
    let stale = false
    let asking = false
    let again = false
    async function ask() {
      if (asking) {
        again = true
        return
      }
      asking = true
      try {
        const page = await fetchBrowsePage(filter)
        if (stale || newIn(page).length === 0) return
        if (window.scrollY < nearTop && !isBusy()) show(page)
        else setWaiting(page)
      } catch {
        // The next piece of news, or the reader, asks again.
      } finally {
        asking = false
        if (again && !stale) {
          again = false
          void ask()
        }
      }
    }
    const stop = subscribeNewcomers(ask)
    return () => {
      stale = true
      stop()
    }
  }, [filter, newIn, show])

  const showWaiting = useCallback(() => {
    if (!waiting) return
    show(waiting)
    window.scrollTo({ top: 0, behavior: 'smooth' })
  }, [waiting, show])

  return { arrived, waitingCount: waiting ? newIn(waiting).length : 0, showWaiting }
}

/** Whether the reader is at something on the board that must stay where it is. */
function isBusy(): boolean {
  return document.activeElement?.closest('article, [role="menu"]') != null
}
