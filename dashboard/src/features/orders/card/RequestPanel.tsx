import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, X } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { ApiError } from '@/api/client'
import { orderQuery } from '@/api/orders'
import type { OpenOffer, Order } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { lazy } from '@/lib/loaded'
import { shareOrder } from '@/lib/share'
import { t } from '@/lib/texts'
import { CardActions } from './CardActions'
import { CardBadges, Posted, UrgencyLine } from './CardBadges'
import { CardDetails } from './CardDetails'
import { CardPay } from './CardPay'
import { Description } from './Description'
import { EarningsCalculator } from './EarningsCalculator'
import { OwnerMenu, ReaderMenu } from './LazyMenus'
import { nameAddress, priorityOf, statusOf } from './OrderBadges'

const Receipts = lazy(() => import('@/components/receipts'))

type Props = {
  id: number
  viewerId: number | undefined
  offerCount: number | undefined
  offered: OpenOffer | undefined
  /** Whether it was opened by the keyboard, and gets the focus. */
  takeFocus: boolean
  onClose: () => void
}

/** The whole request beside the list. It is no dialog: the list stays in use. Its buttons never scroll away. */
export function RequestPanel({ id, viewerId, offerCount, offered, takeFocus, onClose }: Props) {
  const query = useQuery(orderQuery(useQueryClient(), id))
  const { data: order, error } = query
  const own = order !== undefined && order.userId === viewerId
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takeFocus) title.current?.focus()
  }, [takeFocus])
  const gone = error instanceof ApiError && error.isClientError
  return (
    <aside
      aria-labelledby="panel-title"
      className="sticky top-17 flex max-h-[calc(100dvh-5.25rem)] flex-col overflow-hidden rounded-lg border bg-card text-card-foreground shadow-card"
    >
      <div className="border-b px-4 pt-3 pb-2.5">
        <div className="flex items-start gap-2">
          <h2
            ref={title}
            id="panel-title"
            tabIndex={-1}
            dir="auto"
            className="min-w-0 flex-1 rounded-sm text-lg wrap-anywhere"
          >
            {order && !gone ? (
              <PageLink to={nameAddress(order)} className="hover:text-primary hover:underline">
                {order.itemName}
              </PageLink>
            ) : (
              t('orders_request')
            )}
          </h2>
          <div className="-mt-0.5 -mr-2 flex">
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t('common_copy_link')}
              title={t('common_copy_link')}
              onClick={() => shareOrder(id)}
            >
              <Link2 />
            </Button>
            {order && !gone && (
              <span className="p-0.5">
                {own ? <OwnerMenu order={order} offerCount={offerCount} /> : <ReaderMenu order={order} />}
              </span>
            )}
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t('orders_close_panel')}
              title={t('orders_close_panel_escape')}
              onClick={onClose}
            >
              <X />
            </Button>
          </div>
        </div>
        {order && !gone && (
          <div className="flex flex-wrap items-center justify-between gap-x-2">
            <CardBadges order={order} own={own} offered={offered} />
            <Posted order={order} />
          </div>
        )}
      </div>
      {gone ? (
        <p className="px-4 py-6 text-muted-foreground text-sm">{t('orders_gone')}</p>
      ) : order ? (
        <Whole order={order} own={own} signedIn={viewerId !== undefined} offerCount={offerCount} offered={offered} />
      ) : error ? (
        <ErrorPanel text={t('common_failed_to_load_orders')} query={query} />
      ) : (
        <div role="status" aria-label={t('orders_loading_one')} className="grid gap-3 p-4">
          <Skeleton className="h-6 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </aside>
  )
}

type WholeProps = Pick<Props, 'offerCount' | 'offered'> & { order: Order; own: boolean; signedIn: boolean }

function Whole({ order, own, signedIn, offerCount, offered }: WholeProps) {
  const priority = priorityOf(order)
  const open = statusOf(order) === 'active'
  return (
    <>
      <div className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-3">
        {priority && <UrgencyLine priority={priority} className="-mx-4 px-4" />}
        <CardPay order={order} own={own} full />
        <CardDetails order={order} own={own} full />
        {order.description && <Description text={order.description} full />}
        {signedIn && (
          <Suspense>
            <Receipts orderId={order.id} undoable={order.status === 'active'} className="mt-4" />
          </Suspense>
        )}
      </div>
      <div className="@container border-t px-4 py-2.5">
        <div className="flex flex-wrap items-center gap-2">
          {!own && open && <EarningsCalculator order={order} offered={offered} />}
          <CardActions order={order} own={own} offerCount={offerCount} offered={offered} receiptsBelow />
        </div>
      </div>
    </>
  )
}
