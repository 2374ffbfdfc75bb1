import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { itemOrdersQuery } from '@/api/items'
import type { OrderPage } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { Tag } from '@/components/tag'
import { Button } from '@/components/ui/button'
import { useDelayed } from '@/hooks/useDelayed'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { ItemOrderRow, strong } from './ItemOrderRow'

type Props = { itemId: number; viewerId: number | undefined }

/** So many requests are shown at first, so that the price below them stays in sight. */
const shownAtFirst = 8

/** The open requests for one item, the best paid first. */
export function ItemOrders({ itemId, viewerId }: Props) {
  const query = useInfiniteQuery(itemOrdersQuery(itemId))
  const { data, isPending, isError, hasNextPage } = query
  const [all, setAll] = useState(false)
  const slow = useDelayed(isPending)
  const offers = useOpenOffers()
  const orders = data?.pages.flatMap((page) => page.orders) ?? []
  const first = data?.pages[0]
  const few = all || orders.length <= shownAtFirst
  return (
    <section aria-labelledby="open-requests" className="rounded-lg border bg-card">
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 border-b px-4 py-1.5">
        <h2 id="open-requests" className="text-lg">
          {t('orders_open_requests')}
        </h2>
        {first && orders.length > 0 && (
          <>
            <Tag className="tabular">
              <span aria-hidden>{`${formatNumber(first.total)}${first.totalIsExact === false ? '+' : ''}`}</span>
              <span className="sr-only">{shown(first)}</span>
            </Tag>
            {!hasNextPage && (
              <span className="tabular ml-auto text-muted-foreground text-sm">
                {rich('orders_wanted', { strong, count: orders.reduce((sum, o) => sum + o.quantity - o.sold, 0) })}
              </span>
            )}
          </>
        )}
      </div>
      {isPending ? (
        <div className="min-h-32 p-4">
          {slow && <Loading label={t('orders_loading')} boxes={['h-9', 'h-9', 'h-9']} className="gap-2" />}
        </div>
      ) : isError ? (
        <div className="p-4">
          <ErrorPanel text={t('common_failed_to_load_orders')} query={query} />
        </div>
      ) : orders.length === 0 ? (
        <p className="px-4 py-5 text-muted-foreground text-sm">{t('orders_none_for_item')}</p>
      ) : (
        <>
          <ul aria-label={t('orders_open_for_item')} className="divide-y overflow-hidden rounded-b-lg">
            {(few ? orders : orders.slice(0, shownAtFirst)).map((order) => (
              <ItemOrderRow
                key={order.id}
                order={order}
                own={order.userId === viewerId}
                offered={offers.get(order.id)}
              />
            ))}
          </ul>
          {few ? (
            hasNextPage && (
              <div className="border-t pb-4">
                <MoreButton pages={query} className="mt-4 pointer-coarse:h-11" />
              </div>
            )
          ) : (
            <div className="border-t px-4 py-2">
              <Button
                variant="ghost"
                size="sm"
                className="text-primary pointer-coarse:h-11"
                onClick={() => setAll(true)}
              >
                {t('orders_show_all')}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  )
}

const shown = ({ total, totalIsExact = true }: OrderPage) =>
  totalIsExact ? t('orders_showing', { count: total }) : t('orders_showing_at_least', { count: total })
