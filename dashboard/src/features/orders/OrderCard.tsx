import { Flame, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Badge } from '@/components/ui/badge'
import { useHighlighted } from '@/hooks/useHighlighted'
import { cn } from '@/lib/cn'
import { CardActions } from './CardActions'
import { CardDetails } from './CardDetails'
import { CardPay } from './CardPay'
import { CardProgress } from './CardProgress'
import { Description } from './Description'
import { EarningsCalculator } from './EarningsCalculator'
import { OwnerMenu } from './LazyOwnerMenu'
import { ReaderMenu } from './LazyReaderMenu'

export type OrderCardProps = {
  order: Order
  /** Whether the user posted it. */
  own: boolean
  /** The number of open offers, for the owner. */
  offerCount?: number
  /** The user's open offer on a request of another user. */
  offered?: OpenOffer
  /** On its own page: nothing is clamped. */
  full?: boolean
  /** The heading level. */
  heading?: 'h1' | 'h2'
}

const importanceNames = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' } as const

const ribbons = {
  high: {
    text: 'HIGH PRIORITY REQUEST: Buyer needs this item soon',
    icon: TriangleAlert,
    style: 'bg-high-soft text-high-foreground',
  },
  urgent: {
    text: 'URGENT REQUEST: Buyer needs this item as soon as possible',
    icon: Flame,
    style: 'bg-urgent-soft text-urgent-foreground',
  },
}

function Ribbon({ importance }: { importance: 'high' | 'urgent' }) {
  const { text, icon: Icon, style } = ribbons[importance]
  return (
    <p className={cn('flex items-center gap-1.5 px-3 py-1 text-[0.75rem] leading-4', style)}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {text}
    </p>
  )
}

export function statusOf(order: Order): 'Active' | 'Expired' | 'Fulfilled' {
  if (order.status === 'fulfilled') return 'Fulfilled'
  return order.expired ? 'Expired' : 'Active'
}

/** One request: item, price, remaining quantity and contact, in order of prominence. */
export const OrderCard = memo(function OrderCard({
  order,
  own,
  offerCount,
  offered,
  full = false,
  heading = 'h2',
}: OrderCardProps) {
  const highlighted = useHighlighted(order.id)
  const open = statusOf(order) === 'Active'
  const priority = order.importance === 'high' || order.importance === 'urgent' ? order.importance : null
  const titleId = `request-${order.id}`
  const Heading = heading

  return (
    <article
      aria-labelledby={titleId}
      data-order={order.id}
      className={cn(
        'relative flex h-full flex-col overflow-hidden rounded-lg border bg-card text-card-foreground shadow-card transition-colors',
        priority === 'high' && open && 'border-l-[3px] border-l-high',
        priority === 'urgent' && open && 'border-l-[3px] border-l-urgent',
        !full && 'hover:border-foreground/25',
        highlighted && 'animate-highlight',
      )}
    >
      {priority && open && <Ribbon importance={priority} />}
      <div className="@container flex flex-1 flex-col gap-3 p-4 pt-3.5">
        <header>
          <div className="flex items-start gap-2">
            <Heading id={titleId} className="min-w-0 flex-1 text-lg leading-6 wrap-anywhere">
              {full ? (
                order.itemName
              ) : (
                <PageLink to={`/requests/${order.id}`} className="hover:text-primary hover:underline">
                  {order.itemName}
                </PageLink>
              )}
            </Heading>
            {own ? <OwnerMenu order={order} offerCount={offerCount} /> : <ReaderMenu order={order} />}
          </div>
          <div className="mt-0.5 flex flex-wrap gap-1.5">
            {own && <Badge variant="own">Your Request</Badge>}
            <Badge variant={priority ?? 'default'}>
              <span className="sr-only">Importance: </span>
              {importanceNames[order.importance]}
            </Badge>
            <Badge variant="outline">
              <CategoryIcon category={order.category} />
              {order.category}
            </Badge>
            <Badge variant={open ? 'accent' : statusOf(order) === 'Expired' ? 'destructive' : 'default'}>
              <span className="sr-only">Status: </span>
              {statusOf(order)}
            </Badge>
            {order.hidden && <Badge variant="destructive">Hidden</Badge>}
            {order.signedInOnly && open && <Badge variant="outline">Signed-in sellers only</Badge>}
          </div>
        </header>

        <CardPay order={order} own={own} />
        <CardProgress order={order} />
        {!own && open && <EarningsCalculator order={order} />}
        <CardDetails order={order} own={own} />
        {order.description && <Description text={order.description} full={full} />}
        <div className="mt-auto pt-1">
          <CardActions order={order} own={own} offerCount={offerCount} offered={offered} receiptsBelow={full} />
        </div>
      </div>
    </article>
  )
})
