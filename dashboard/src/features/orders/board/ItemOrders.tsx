import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { itemOrdersQuery } from '@/api/items'
import type { OrderPage } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { useDelayed } from '@/hooks/useDelayed'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import { t } from '@/lib/texts'
import { CardSkeletons } from './CardSkeletons'
import { OrderGrid } from './OrderGrid'

type Props = { itemId: number; viewerId: number | undefined }

/** The open requests for one item, the best paid first. */
export function ItemOrders({ itemId, viewerId }: Props) {
  const query = useInfiniteQuery(itemOrdersQuery(itemId))
  const { data, isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const slow = useDelayed(isPending)
  const offers = useOpenOffers()
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const orders = data?.pages.flatMap((page) => page.orders) ?? []
  const first = data?.pages[0]
  return (
    <section aria-labelledby="open-requests" className="grid gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="open-requests" className="text-lg">
          {t('orders_open_requests')}
        </h2>
        {first && orders.length > 0 && <p className="tabular text-muted-foreground text-sm">{shown(first)}</p>}
      </div>
      {isPending ? (
        <CardSkeletons visible={slow} count={3} />
      ) : isError ? (
        <ErrorPanel text={t('common_failed_to_load_orders')} query={query} />
      ) : orders.length === 0 ? (
        <p className="rounded-lg border bg-card px-4 py-6 text-muted-foreground text-sm">{t('orders_none_for_item')}</p>
      ) : (
        <OrderGrid
          label={t('orders_open_for_item')}
          orders={orders}
          viewerId={viewerId}
          openOffers={offers}
          hasMore={hasNextPage}
          loadingMore={isFetchingNextPage}
          onMore={more}
        />
      )}
    </section>
  )
}

const shown = ({ total, totalIsExact = true }: OrderPage) =>
  totalIsExact ? t('orders_showing', { count: total }) : t('orders_showing_at_least', { count: total })
