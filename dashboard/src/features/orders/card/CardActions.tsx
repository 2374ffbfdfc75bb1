import { CircleCheckBig, Handshake, Inbox, ReceiptText, RotateCcw, TrendingUp } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { SoftButton } from '@/components/buttons'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'

const RenewButton = lazy(() => import('@/components/renew-button'))
const UndoButton = lazy(async () => ({ default: (await import('@/components/undo-button')).UndoButton }))

type Props = { order: Order; own: boolean; offerCount?: number; offered?: OpenOffer; receiptsBelow?: boolean }

/** The buttons for the owner or another user, depending on the state of the request. */
export function CardActions({ order, own, offerCount, offered, receiptsBelow }: Props) {
  const { open } = useDialogs()
  if (order.status === 'fulfilled') {
    return (
      <div className="grid flex-1 gap-2">
        <Done completed={order.quantity - order.sold <= 0} />
        {own && order.sold > 0 && !receiptsBelow && (
          <Button
            variant="outline"
            className="w-full pointer-coarse:h-11"
            aria-label={`View Receipts of ${order.itemName}`}
            onClick={() => open({ name: 'receipts', request: order.id })}
          >
            <ReceiptText /> View Receipts
          </Button>
        )}
        {own && <PostAgain order={order} />}
        {own && order.undo && (
          <Suspense fallback={<div className="h-9 pointer-coarse:h-11" />}>
            <UndoButton
              act={order.undo}
              what={`${order.closeReason === 'filled' ? 'the sale that completed' : 'closing'} ${order.itemName}`}
              className="w-full"
            />
          </Suspense>
        )}
      </div>
    )
  }
  if (order.expired) {
    if (!own) return <p className="flex-1 py-2 text-center text-muted-foreground text-sm">This request has expired</p>
    return (
      <Suspense
        fallback={
          <Button className="w-full pointer-coarse:h-11" disabled>
            <RotateCcw /> Renew
          </Button>
        }
      >
        <RenewButton order={order} />
      </Suspense>
    )
  }
  if (!own) {
    return (
      <SoftButton
        outlined={offered !== undefined}
        className="@max-[24rem]:w-full pointer-coarse:h-11"
        aria-label={offered ? `Change my offer on ${order.itemName}` : `Offer to Fulfill ${order.itemName}`}
        onClick={() => open({ name: 'offer', request: order.id })}
      >
        <Handshake /> {offered ? 'Change my offer' : 'Offer to Fulfill'}
      </SoftButton>
    )
  }
  const viewOffers = `View Offers${offerCount === undefined ? '' : ` (${formatNumber(offerCount)})`}`
  return (
    <div className="grid flex-1 grid-cols-2 gap-2">
      <SoftButton
        outlined={!offerCount}
        className="px-2 pointer-coarse:h-11"
        aria-label={`${viewOffers} on ${order.itemName}`}
        onClick={() => open({ name: 'offers', request: order.id })}
      >
        <Inbox /> {viewOffers}
      </SoftButton>
      <Button
        variant="outline"
        className="px-2 pointer-coarse:h-11"
        aria-label={`Update Sales of ${order.itemName}`}
        onClick={() => open({ name: 'sales', request: order.id })}
      >
        <TrendingUp /> Update Sales
      </Button>
    </div>
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
      {completed ? 'Request Completed!' : 'Request Fulfilled!'}
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
      aria-label={`Post again: ${order.itemName}`}
      onClick={async () => {
        const [{ valuesOf }, { fillDraft }] = await Promise.all([
          import('../form/orderForm'),
          import('@/lib/filledDrafts'),
        ])
        fillDraft('post', valuesOf(order), order.itemName)
        open({ name: 'post' })
      }}
    >
      <RotateCcw /> Post again
    </Button>
  )
}
