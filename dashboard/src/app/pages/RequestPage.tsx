import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Link2 } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '@/api/client'
import { orderQuery, ownOrdersQuery } from '@/api/orders'
import { ErrorPanel } from '@/components/error-panel'
import { NotFound } from '@/components/not-found'
import { Button } from '@/components/ui/button'
import { CardSkeletons } from '@/features/orders/board/CardSkeletons'
import { OrderCard } from '@/features/orders/card/OrderCard'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDelayed } from '@/hooks/useDelayed'
import { useMe } from '@/hooks/useMe'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { shareAddress } from '@/lib/share'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

const RequestReceipts = lazy(() => import('@/components/receipts'))
const TradeRecordLine = lazy(() => import('@/components/trade-record'))
const OrderTerms = lazy(() => import('@/features/traders/OrderTerms'))

/** One request at its own URL, for sharing. */
export default function RequestPage() {
  const id = Number(useParams().id)
  const known = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...orderQuery(useQueryClient(), id), enabled: known })
  const { data: order, isPending, error } = query
  const { user } = useMe()
  const board = useBoardAddress()
  const own = order !== undefined && order.userId === user?.id
  const offerCount = useOfferCount(id, own)
  const offered = useOpenOffers().get(id)
  const slow = useDelayed(isPending && known)
  usePageTitle(order?.itemName)

  return (
    <div className="mx-auto max-w-2xl">
      <div className="mb-4 flex items-center justify-between gap-3">
        <Button asChild variant="ghost" className="-ml-3 px-3">
          <Link to={board}>
            <ArrowLeft /> {t('pages_all_requests')}
          </Link>
        </Button>
        {order && (
          <Button variant="ghost" className="px-3" onClick={shareAddress}>
            <Link2 /> {t('common_copy_link')}
          </Button>
        )}
      </div>
      {order ? (
        <>
          <OrderCard
            order={order}
            own={own}
            offerCount={order.offerCount ?? offerCount}
            offered={offered}
            full
            heading="h1"
          />
          {isOn('records') && !own && (
            <Suspense fallback={<div data-loading className="mt-3 min-h-5" />}>
              <TradeRecordLine userId={order.userId} className="mt-3 px-1" />
            </Suspense>
          )}
          {isOn('records') && own && order.status === 'active' && !order.expired && (
            <Suspense fallback={<i data-loading hidden />}>
              <OrderTerms order={order} className="mt-4" />
            </Suspense>
          )}
          {user && (
            <Suspense fallback={<i data-loading hidden />}>
              <RequestReceipts orderId={order.id} undoable={order.closeReason !== 'closed_early'} className="mt-4" />
            </Suspense>
          )}
        </>
      ) : !known || (error instanceof ApiError && error.isClientError) ? (
        <NotFound title={t('pages_request_not_found')} hint={t('pages_request_not_found_hint')} />
      ) : error ? (
        <ErrorPanel text={t('common_failed_to_load_orders')} query={query} />
      ) : (
        <CardSkeletons visible={slow} count={1} single />
      )}
    </div>
  )
}

function useOfferCount(id: number, own: boolean): number | undefined {
  const { data } = useInfiniteQuery({ ...ownOrdersQuery('active'), enabled: own })
  return data?.pages.flatMap((page) => page.orders).find((o) => o.id === id)?.offerCount
}
