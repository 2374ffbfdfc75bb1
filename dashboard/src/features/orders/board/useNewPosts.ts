import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListFilter } from '@/api/filter'
import { keys } from '@/api/keys'
import { type NewPosts, subscribeNewPosts } from '@/api/newPosts'
import { entryOf, updateGroups } from '@/api/orderGroups'
import { fetchBrowsePage } from '@/api/orders'
import type { Order, OrderPage } from '@/api/types'

type Pages = InfiniteData<OrderPage, string | undefined>

const nearTop = 160 // px scrolled that still count as the top of the board
const askAgainAfter = 5_000 // ms after the server could not say what is new

/** Merges a refetched first page into the loaded pages. */
export function withFreshTop(old: Pages, fresh: OrderPage, sorted: boolean): Pages {
  if (sorted) return { pages: [fresh], pageParams: [undefined] }
  const [first, ...rest] = old.pages
  if (!first) return { pages: [fresh], pageParams: [undefined] }
  const known = new Set(fresh.orders.map(entryOf))
  const pushedDown = fresh.nextCursor === null ? [] : first.orders.filter((o) => !known.has(entryOf(o)))
  const { total, totalIsExact } = fresh
  const top = { ...first, orders: [...fresh.orders, ...pushedDown], total, totalIsExact }
  return {
    ...old,
    pages: [
      top,
      ...rest.map((page) => ({
        ...page,
        orders: page.orders.filter((o) => !known.has(entryOf(o))),
        total,
        totalIsExact,
      })),
    ],
  }
}

function shownIds(pages: Pages | undefined): Set<number> {
  return new Set(pages?.pages.flatMap((page) => page.orders.map((o) => o.id)))
}

/** Requests posted while the board is open. At the top of the board they slide in; further down a
 * new-posts banner announces them, so that nothing moves while the user reads. */
export function useNewPosts(filter: ListFilter) {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState<OrderPage | null>(null)
  const held = useRef(waiting)
  held.current = waiting
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
      void queryClient.invalidateQueries({ queryKey: keys.ready })
    },
    [queryClient, filter, newIn],
  )

  useEffect(() => {
    setWaiting(null)
    setArrived(new Set())
    let stale = false
    let fetching = false
    let again = false
    let timer: ReturnType<typeof setTimeout> | undefined
    async function refetch() {
      clearTimeout(timer)
      if (fetching) {
        again = true
        return
      }
      fetching = true
      try {
        const page = await fetchBrowsePage(filter)
        if (stale) return
        queryClient.setQueryData<Pages>(keys.browse(filter), (old) => old && updateGroups(old, page))
        take(page)
      } catch {
        // A quiet market may send no other event for hours.
        if (!stale) timer = setTimeout(refetch, askAgainAfter)
      } finally {
        fetching = false
        if (again && !stale) {
          again = false
          void refetch()
        }
      }
    }
    function take(page: OrderPage) {
      if (newIn(page).length === 0) setWaiting(null)
      else if (window.scrollY < nearTop && !isBusy()) show(page)
      else setWaiting(page)
    }
    const stop = subscribeNewPosts((posts?: NewPosts) => {
      const shown = queryClient.getQueryData<Pages>(keys.browse(filter))
      const page = posts && shown && !fetching ? posts(filter, shown, held.current) : 'ask'
      if (page === 'ask') void refetch()
      else if (page) take(page)
    })
    return () => {
      stale = true
      clearTimeout(timer)
      stop()
    }
  }, [queryClient, filter, newIn, show])

  const showWaiting = useCallback(() => {
    if (!waiting) return
    show(waiting)
    window.scrollTo({ top: 0, behavior: 'smooth' })
  }, [waiting, show])

  return { arrived, waitingCount: waiting ? newIn(waiting).length : 0, showWaiting }
}

/** Reports whether the user is using a card, a row or a menu, which must not move. */
function isBusy(): boolean {
  return document.activeElement?.closest('article, [data-row], [role="menu"]') != null
}
