import type { ReactNode } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { LookAlikeIcon } from '@/components/look-alike-icon'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useHighlighted } from '@/hooks/useHighlighted'
import { cn } from '@/lib/cn'
import { formatDayAndTime, relativeDay, shortSpan } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { hidden, OfferedBadge, priorityOf, UrgencyMark } from '../card/OrderBadges'

// As in listColumns, of which nothing is imported: the board would then load that as one more file.
export const strong = (text: ReactNode) => <strong className="font-semibold text-foreground">{text}</strong>

type Props = { order: Order; own: boolean; offered: OpenOffer | undefined }

/** A request on the page of its item: its buyer, what is left, the price, and the button that opens the form of an offer. */
export function ItemOrderRow({ order, own, offered }: Props) {
  const highlighted = useHighlighted(order.id)
  const priority = priorityOf(order)
  const { buyerContact, createdAt, levelRequirement, maxPricePerUnit } = order
  return (
    <li
      className={cn(
        'relative grid min-h-16 grid-cols-[minmax(0,1fr)_auto] grid-rows-[1.375rem_auto] content-center items-center gap-x-3 px-4 text-sm hover:bg-muted/55',
        'sm:h-11 sm:min-h-0 sm:grid-cols-[minmax(0,1fr)_7rem_8rem_3.5rem_auto] sm:grid-rows-1',
        priority === 'urgent' && 'shadow-[inset_3px_0_var(--urgent)]',
        priority === 'high' && 'shadow-[inset_3px_0_var(--high)]',
        highlighted && 'animate-highlight',
      )}
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <PageLink
          to={`/requests/${order.id}`}
          dir="auto"
          title={buyerContact}
          className="min-w-0 truncate font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        >
          {buyerContact}
        </PageLink>
        {order.lookAlike && <LookAlikeIcon />}
        {own && <Tag tone="own">{t('orders_yours')}</Tag>}
        {!own && offered && <OfferedBadge offer={offered} />}
        {priority && <UrgencyMark priority={priority} />}
        {levelRequirement !== null && (
          <span className="tabular shrink-0 text-muted-foreground text-xs max-sm:hidden">
            {rich('orders_level_row', { hidden, level: levelRequirement })}
          </span>
        )}
      </span>
      {/* On a phone these are the second line, in another order. */}
      <span className="flex min-w-0 flex-wrap items-center gap-x-1 max-sm:col-start-1 max-sm:row-start-2 max-sm:text-xs sm:contents">
        <span className="sm:order-1 sm:text-right">
          <Amount value={maxPricePerUnit} />
          <span className="text-muted-foreground sm:sr-only"> {t('orders_each_row')}</span>
        </span>
        <span aria-hidden="true" className="text-muted-foreground sm:hidden">
          ·
        </span>
        <span className="tabular text-muted-foreground">
          {rich('orders_left_row', { strong, hidden, left: order.quantity - order.sold, quantity: order.quantity })}
        </span>
        <span aria-hidden="true" className="text-muted-foreground sm:hidden">
          ·
        </span>
        {levelRequirement !== null && (
          <span className="tabular text-muted-foreground sm:hidden">
            {rich('orders_level_row', { hidden, level: levelRequirement })} ·
          </span>
        )}
        <span className="sm:order-2 sm:text-right">
          <time
            dateTime={createdAt}
            title={t('orders_day_and_time', {
              what: 'posted',
              day: relativeDay(createdAt),
              time: formatDayAndTime(createdAt),
            })}
            className="tabular text-muted-foreground"
          >
            {shortSpan(createdAt)}
          </time>
        </span>
      </span>
      <OfferButton order={order} own={own} offered={offered} />
    </li>
  )
}

function OfferButton({ order, own, offered }: Props) {
  const { open } = useDialogs()
  const { id, buyerContact: buyer } = order
  const [text, name] = own
    ? [t('common_offers'), t('orders_view_offers_of', { item: order.itemName })]
    : offered
      ? [t('common_change'), t('orders_change_offer_to', { buyer })]
      : [t('common_offer'), t('orders_offer_to', { buyer })]
  return (
    <Button
      variant={own ? 'outline' : 'default'}
      size="sm"
      aria-label={name}
      className={cn(
        'relative min-w-22 max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 max-sm:h-12 sm:order-3 pointer-coarse:h-11',
        !own && 'bg-accent text-accent-foreground shadow-none hover:bg-accent/80',
      )}
      onClick={() => open({ name: own ? 'offers' : 'offer', request: id })}
    >
      {text}
    </Button>
  )
}
