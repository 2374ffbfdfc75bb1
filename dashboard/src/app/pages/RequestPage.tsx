import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Link2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '@/api/client'
import { orderQuery, ownOrdersQuery } from '@/api/orders'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { CardSkeletons } from '@/features/orders/CardSkeletons'
import { OrderCard } from '@/features/orders/OrderCard'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { copyText } from '@/lib/clipboard'
import { say } from '@/lib/toasts'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** One request at an address of its own, to be shared. */
export default function RequestPage() {
  const id = Number(useParams().id)
  const known = Number.isSafeInteger(id) && id > 0
  const {
    data: order,
    isPending,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...orderQuery(useQueryClient(), id),
    enabled: known,
  })
  const { user } = useMe()
  const own = order !== undefined && order.userId === user?.id
  const offerCount = useOfferCount(id, own)
  const slow = useDelayed(isPending && known)
  usePageTitle(order?.itemName)

  return (
    <div className="mx-auto max-w-2xl">
      <div className="mb-4 flex items-center justify-between gap-3">
        <Button asChild variant="ghost" className="-ml-3 px-3">
          <Link to="/">
            <ArrowLeft /> All Requests
          </Link>
        </Button>
        {order && (
          <Button variant="ghost" className="px-3" onClick={share}>
            <Link2 /> Copy Link
          </Button>
        )}
      </div>
      {order ? (
        <OrderCard order={order} own={own} offerCount={order.offerCount ?? offerCount} full heading="h1" />
      ) : !known || (error instanceof ApiError && error.refused) ? (
        <Gone />
      ) : error ? (
        <ErrorPanel text="Failed to load orders. Please try again." retrying={isFetching} onRetry={() => refetch()} />
      ) : (
        <CardSkeletons visible={slow} count={1} single />
      )}
    </div>
  )
}

async function share() {
  const address = location.origin + location.pathname
  say((await copyText(address)) ? 'Copied the link' : `The link is ${address}`)
}

function useOfferCount(id: number, own: boolean): number | undefined {
  const { data } = useInfiniteQuery({ ...ownOrdersQuery('active'), enabled: own })
  return data?.pages.flatMap((page) => page.orders).find((o) => o.id === id)?.offerCount
}

function Gone() {
  const { go } = useDialogs()
  usePageTitle('Not here')
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState
        heading="h1"
        drawing="lantern"
        title="This request is no longer here"
        hint="It was deleted, or the link is not quite right."
        action={<Button onClick={() => go('/')}>Browse Requests</Button>}
      />
    </Suspense>
  )
}
