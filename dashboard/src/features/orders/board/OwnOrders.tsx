import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import type { OwnList } from '@/api/keys'
import { ownOrdersQuery } from '@/api/orders'
import { ErrorPanel } from '@/components/error-panel'
import { useDelayed } from '@/hooks/useDelayed'
import { t } from '@/lib/texts'
import { CardSkeletons } from './CardSkeletons'
import { OrderGrid } from './OrderGrid'

type Props = { status: OwnList; viewerId: number; label: string; empty: ReactNode }

/** The user's own requests with one status. */
export function OwnOrders({ status, viewerId, label, empty }: Props) {
  const query = useInfiniteQuery(ownOrdersQuery(status))
  const { data, isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const slow = useDelayed(isPending)
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  if (isPending) return <CardSkeletons visible={slow} count={3} />
  if (isError) return <ErrorPanel text={t('common_failed_to_load_orders')} query={query} />
  const all = data.pages.flatMap((page) => page.orders)
  // An ask for a listing is shown apart while it waits.
  const orders = status === 'active' ? all.filter((order) => !order.listingId) : all
  if (orders.length === 0) return all.length === 0 ? empty : null
  return (
    <OrderGrid
      label={label}
      orders={orders}
      viewerId={viewerId}
      hasMore={hasNextPage}
      loadingMore={isFetchingNextPage}
      onMore={more}
    />
  )
}
