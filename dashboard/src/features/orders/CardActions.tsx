import { CircleCheckBig, Handshake, Inbox, RotateCcw, TrendingUp } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { formatNumber } from '@/lib/format'

const RenewButton = lazy(() => import('./RenewButton'))

type Props = { order: Order; own: boolean; offerCount?: number }

/** The right buttons for whoever looks at the request, in the state that it is in. */
export function CardActions({ order, own, offerCount }: Props) {
  const { open } = useDialogs()
  if (order.status === 'fulfilled') return <Done completed={order.quantity - order.sold <= 0} />
  if (order.expired) {
    if (!own) return <p className="py-2 text-center text-muted-foreground text-sm">This request has expired</p>
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
      <Button
        variant="soft"
        className="w-full pointer-coarse:h-11"
        onClick={() => open({ name: 'offer', request: order.id })}
      >
        <Handshake /> Offer to Fulfill
      </Button>
    )
  }
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button
        variant={offerCount ? 'soft' : 'outline'}
        className="px-2 pointer-coarse:h-11"
        onClick={() => open({ name: 'offers', request: order.id })}
      >
        <Inbox /> View Offers{offerCount === undefined ? '' : ` (${formatNumber(offerCount)})`}
      </Button>
      <Button
        variant="outline"
        className="px-2 pointer-coarse:h-11"
        onClick={() => open({ name: 'sales', request: order.id })}
      >
        <TrendingUp /> Update Sales
      </Button>
    </div>
  )
}

function Done({ completed }: { completed: boolean }) {
  return (
    <p className="flex h-10 items-center justify-center gap-2 rounded-md bg-accent font-medium text-accent-foreground text-sm">
      <CircleCheckBig aria-hidden className="size-4" />
      {completed ? 'Request Completed!' : 'Request Fulfilled!'}
    </p>
  )
}
