import { memo, type ReactNode, Suspense } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { PageLink } from '@/components/page-link'
import { Card, CardContent } from '@/components/ui/card'
import { useHighlighted } from '@/hooks/useHighlighted'
import { moveByArrows } from '@/hooks/useRovingFocus'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'
import { CardActions } from './CardActions'
import { CardBadges, Posted, UrgencyLine } from './CardBadges'
import { CardDetails } from './CardDetails'
import { CardPay, CardProgress } from './CardPay'
import { Description } from './Description'
import { EarningsCalculator } from './EarningsCalculator'
import { OwnerMenu, ReaderMenu } from './LazyMenus'
import { nameAddress, priorityOf, statusOf } from './OrderBadges'

const CardPurchases = lazy(() => import('./CardPurchases'))

type OrderCardProps = {
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
  /** Says that it is wanted, among things that are for sale. */
  mark?: ReactNode
}

/** One request: item, price, remaining quantity and contact, in order of prominence. Each thing is said once, so that nine
 * cards fit on a screen. */
export const OrderCard = memo(function OrderCard({
  order,
  own,
  offerCount,
  offered,
  full = false,
  heading = 'h2',
  mark,
}: OrderCardProps) {
  const highlighted = useHighlighted(order.id)
  const open = statusOf(order) === 'active'
  const priority = priorityOf(order)
  const titleId = `request-${order.id}`
  // On the board a card of another's request is two tab stops, its calculator and its offer. The arrow keys lead to the rest.
  const brief = open && !own && !full
  const rest = brief ? -1 : undefined
  const Heading = heading

  return (
    <article
      aria-labelledby={titleId}
      data-order={order.id}
      onKeyDown={brief ? moveByArrows : undefined}
      className="h-full"
    >
      <Card
        className={cn(
          'relative h-full gap-0 overflow-hidden py-0 transition-colors',
          priority === 'high' && 'border-l-[3px] border-l-high',
          priority === 'urgent' && 'border-l-[3px] border-l-urgent',
          !full && 'hover:border-foreground/25',
          highlighted && 'animate-highlight',
        )}
      >
        {priority && <UrgencyLine priority={priority} />}
        <CardContent className="@container flex flex-1 flex-col px-3.5 pt-2 pb-3">
          <header>
            <div className="flex items-start gap-2">
              <Heading
                id={titleId}
                dir="auto"
                title={full ? undefined : order.itemName}
                className={cn('min-w-0 flex-1 text-lg wrap-anywhere', !full && 'line-clamp-2')}
              >
                {full && !order.itemId ? (
                  order.itemName
                ) : (
                  <PageLink to={nameAddress(order)} tabIndex={rest} className="hover:text-primary hover:underline">
                    {order.itemName}
                  </PageLink>
                )}
              </Heading>
              <Posted order={order} quiet={!full} tabIndex={rest} />
              <span className="-my-0.5 -mr-1.5">
                {own ? (
                  <OwnerMenu order={order} offerCount={offerCount} />
                ) : (
                  <ReaderMenu order={order} tabIndex={rest} />
                )}
              </span>
            </div>
            <CardBadges order={order} own={own} offered={offered} mark={mark}>
              {order.sold > 0 && !full && <CardProgress order={order} />}
            </CardBadges>
          </header>
          <CardPay order={order} own={own} full={full} />
          {order.purchases && (
            <Suspense fallback={<div className="h-28" />}>
              <CardPurchases order={order} />
            </Suspense>
          )}
          <CardDetails order={order} own={own} full={full} tabIndex={rest} />
          {order.description && <Description text={order.description} full={full} />}
          <div className="mt-auto flex flex-wrap items-center gap-2 pt-2 pointer-fine:[&_.touch]:h-9">
            {!own && open && <EarningsCalculator order={order} offered={offered} />}
            <CardActions order={order} own={own} offerCount={offerCount} offered={offered} receiptsBelow={full} />
          </div>
        </CardContent>
      </Card>
    </article>
  )
})
