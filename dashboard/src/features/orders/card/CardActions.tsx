import { CircleCheckBig, Handshake, Inbox, ReceiptText, RotateCcw, TrendingUp } from 'lucide-react'
import { Suspense, useSyncExternalStore } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { SoftButton } from '@/components/buttons'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { wasSignedIn } from '@/hooks/useMe'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { subscribeVisitorOffers, visitorOffer } from '@/lib/visitorOffers'

const RenewButton = lazy(() => import('@/components/renew-button'))
const AskActions = lazy(() => import('@/components/ask-actions'))
const UndoButton = lazy(async () => ({ default: (await import('@/components/undo-button')).UndoButton }))

type Props = { order: Order; own: boolean; offerCount?: number; offered?: OpenOffer; receiptsBelow?: boolean }

/** The buttons for the owner or another user, depending on the state of the request. */
export function CardActions({ order, own, offerCount, offered, receiptsBelow }: Props) {
  const { open } = useDialogs()
  const item = order.itemName
  if (order.status === 'fulfilled') {
    return (
      <div className="grid flex-1 gap-2">
        <Done completed={order.quantity - order.sold <= 0} />
        {own && order.sold > 0 && !receiptsBelow && (
          <Button
            variant="outline"
            className="w-full pointer-coarse:h-11"
            aria-label={t('orders_view_receipts_of', { item })}
            onClick={() => open({ name: 'receipts', request: order.id })}
          >
            <ReceiptText /> {t('orders_view_receipts')}
          </Button>
        )}
        {own && <PostAgain order={order} />}
        {own && order.undo && (
          <Suspense fallback={<div className="h-9 pointer-coarse:h-11" />}>
            <UndoButton
              act={order.undo}
              what={
                order.closeReason === 'filled'
                  ? t('orders_undo_completing', { item })
                  : t('orders_undo_closing', { item })
              }
              className="w-full"
            />
          </Suspense>
        )}
      </div>
    )
  }
  if (order.expired) {
    if (!own) return <p className="flex-1 py-2 text-center text-muted-foreground text-sm">{t('orders_has_expired')}</p>
    return (
      <Suspense
        fallback={
          <Button className="w-full pointer-coarse:h-11" disabled>
            <RotateCcw /> {t('common_renew')}
          </Button>
        }
      >
        <RenewButton order={order} />
      </Suspense>
    )
  }
  if (!own) {
    return <OfferButton order={order} offered={offered !== undefined} />
  }
  if (order.listingId) {
    return (
      <Suspense fallback={<div className="h-9 pointer-coarse:h-11" />}>
        <AskActions order={order} />
      </Suspense>
    )
  }
  const [viewOffers, viewOffersOf] =
    offerCount === undefined
      ? [t('orders_view_offers'), t('orders_view_offers_of', { item })]
      : [
          t('orders_view_offers_count', { count: offerCount }),
          t('orders_view_offers_of_card', { item, count: offerCount }),
        ]
  return (
    <div className="grid flex-1 grid-cols-2 gap-2">
      <SoftButton
        outlined={!offerCount}
        className="px-2 pointer-coarse:h-11"
        aria-label={viewOffersOf}
        onClick={() => open({ name: 'offers', request: order.id })}
      >
        <Inbox /> {viewOffers}
      </SoftButton>
      <Button
        variant="outline"
        className="px-2 pointer-coarse:h-11"
        aria-label={t('orders_update_sales_of', { item })}
        onClick={() => open({ name: 'sales', request: order.id })}
      >
        <TrendingUp /> {t('orders_update_sales')}
      </Button>
    </div>
  )
}

function OfferButton({ order, offered: own }: { order: Order; offered: boolean }) {
  const { open } = useDialogs()
  // A visitor has offered with this browser. Who has signed in since makes offers of their own.
  const here = useSyncExternalStore(subscribeVisitorOffers, () => visitorOffer(order.id)) !== undefined
  const offered = own || (here && !wasSignedIn())
  const item = order.itemName
  return (
    <SoftButton
      outlined={offered}
      className="px-3 pointer-coarse:h-11"
      aria-label={offered ? t('orders_change_offer_on', { item }) : t('orders_offer_to_fulfill_item', { item })}
      onClick={() => open({ name: 'offer', request: order.id })}
    >
      <Handshake /> {offered ? t('common_change_offer') : t('orders_offer_to_fulfill')}
    </SoftButton>
  )
}

function Done({ completed }: { completed: boolean }) {
  return (
    <p
      className={cn(
        'flex h-10 items-center justify-center gap-2 rounded-md font-medium text-sm',
        completed ? 'bg-accent text-accent-foreground' : 'bg-muted text-muted-foreground',
      )}
    >
      {completed && <CircleCheckBig aria-hidden className="size-4" />}
      {completed ? t('orders_request_completed') : t('orders_request_fulfilled')}
    </p>
  )
}

/** Opens the form of a new request, filled in like this one. */
function PostAgain({ order }: { order: Order }) {
  const { open } = useDialogs()
  return (
    <Button
      variant="outline"
      className="w-full pointer-coarse:h-11"
      aria-label={t('orders_post_again_item', { item: order.itemName })}
      onClick={async () => {
        const [{ valuesOf }, { fillDraft }] = await Promise.all([
          import('../form/orderForm'),
          import('@/lib/filledDrafts'),
        ])
        fillDraft('post', valuesOf(order), order.itemName)
        open({ name: 'post' })
      }}
    >
      <RotateCcw /> {t('orders_post_again')}
    </Button>
  )
}
