import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { memo, Suspense, useCallback, useDeferredValue, useMemo } from 'react'
import type { BrowseFilter, ListFilter } from '@/api/filter'
import { browseQuery, ownOrdersQuery } from '@/api/orders'
import type { OrderPage } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { useDelayed } from '@/hooks/useDelayed'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import type { BoardView } from '@/lib/boardView'
import { cn } from '@/lib/cn'
import { late } from '@/lib/late'
import { lazy } from '@/lib/loaded'
import { rich, t } from '@/lib/texts'
import { CardSkeletons } from './CardSkeletons'
import { ListSkeletons } from './ListSkeletons'
import { useNewPosts } from './useNewPosts'

// The code of one view is loaded with it.
const OrderGrid = late(() => import('./OrderGrid').then((m) => m.OrderGrid))
const OrderList = late(() => import('./OrderList').then((m) => m.default))
const parts = { cards: OrderGrid, list: OrderList }

/** Loads the code of a view. */
export const loadView = (view: BoardView) => parts[view].load()

/** Loads the code of a view before it is shown. A failure shows when the view itself is loaded. */
export const prefetchView = (view: BoardView) => parts[view].prefetch()

const NothingFound = lazy(() => import('./NothingFound'))

type Props = {
  filter: ListFilter
  view: BoardView
  viewerId: number | undefined
  narrow: boolean
  onChange: (changes: Partial<BrowseFilter>) => void
}

/** The open requests that match the filter. A dialog that opens above a thousand of them does not draw them again. */
export const Board = memo(function Board({ filter, view, viewerId, narrow, onChange }: Props) {
  const asked = useListFilter(filter, view)
  const query = useBoard(asked)
  const { data, isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const { arrived, waitingCount, showWaiting } = useNewPosts(asked)
  const offerCounts = useOwnOfferCounts(viewerId)
  const openOffers = useOpenOffers()
  const slow = useDelayed(isPending)
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])

  // Newly loaded cards are rendered as a deferred update, which a slow phone can interrupt. Cached
  // cards are rendered at once, so that the scroll position can be restored.
  const ready = useDeferredValue(!isPending)

  if (isPending || (!ready && !isError)) {
    return <BoardSkeleton view={view} narrow={narrow} visible={slow} />
  }
  if (isError && !data) return <ErrorPanel text={t('common_failed_to_load_orders')} query={query} />
  const orders = data.pages.flatMap((page) => page.orders)
  const alsoFor = data.pages[0]?.alsoFor
  const list = {
    label: t('common_requests'),
    orders,
    viewerId,
    offerCounts,
    openOffers,
    arrived,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    onMore: more,
  }
  return (
    <div className={cn('min-h-[60vh] transition-opacity', query.isPlaceholderData && 'opacity-60')}>
      {waitingCount > 0 && (
        <div className="pointer-events-none sticky top-20 z-20 flex h-0 justify-center">
          <Button
            className="slide-in-from-top-2 fade-in-0 pointer-events-auto animate-in rounded-full shadow-lifted"
            onClick={showWaiting}
          >
            <ArrowUp /> {t('orders_new_posts', { count: waitingCount })}
          </Button>
        </div>
      )}
      {alsoFor && (
        <p role="status" className="mb-2.5 text-sm">
          {rich('orders_also_for', { words: <strong dir="auto">{alsoFor}</strong> })}
        </p>
      )}
      {orders.length === 0 ? (
        <Suspense fallback={<div data-loading className="min-h-80" />}>
          <NothingFound filter={filter} onChange={onChange} />
        </Suspense>
      ) : (
        <Suspense fallback={<BoardSkeleton view={view} narrow={narrow} visible />}>
          {view === 'list' ? (
            <OrderList {...list} filter={filter} sort={filter.sort} onSort={(sort) => onChange({ sort })} />
          ) : (
            <OrderGrid {...list} narrow={narrow} />
          )}
        </Suspense>
      )}
    </div>
  )
})

/** Stands in for the board while it is loading. */
export function BoardSkeleton({
  view,
  narrow,
  visible = false,
}: Pick<Props, 'view' | 'narrow'> & { visible?: boolean }) {
  if (view === 'list') return <ListSkeletons visible={visible} />
  return <CardSkeletons visible={visible} count={9} narrow={narrow} />
}

/** The list has one row for each item, unless it is ranked by what its reader would earn. */
export const listFilterOf = (filter: ListFilter, view: BoardView): ListFilter =>
  view === 'list' && !filter.fill ? { ...filter, group: 'item' } : filter

const useListFilter = (filter: ListFilter, view: BoardView) => useMemo(() => listFilterOf(filter, view), [filter, view])

const useBoard = (filter: ListFilter, enabled = true) =>
  useInfiniteQuery({ ...browseQuery(filter), placeholderData: (previous) => previous, enabled })

/** Offer counts come from the user's own list, because the public board has none. */
export function useOwnOfferCounts(viewerId: number | undefined): ReadonlyMap<number, number> {
  const { data } = useInfiniteQuery({ ...ownOrdersQuery('active'), enabled: viewerId !== undefined })
  return useMemo(
    () => new Map(data?.pages.flatMap((page) => page.orders.map((o) => [o.id, o.offerCount ?? 0] as const))),
    [data],
  )
}

/** A page of the list, which says how many match on all pages; undefined while it is loading. */
export function useBoardTotal(filter: ListFilter, view: BoardView, enabled: boolean): OrderPage | undefined {
  const { data, isPlaceholderData } = useBoard(useListFilter(filter, view), enabled)
  return isPlaceholderData ? undefined : data?.pages[0]
}
