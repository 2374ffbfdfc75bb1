import type { ReactNode } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { cn } from '@/lib/cn'
import { categoryName } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { Day } from './Day'
import { hidden, ImportanceBadge, OfferedBadge, type Priority, StatusBadge, statusOf, urgency } from './OrderBadges'

/** The one line that says how urgent a request is. */
export function UrgencyLine({ priority, className }: { priority: Priority; className?: string }) {
  const { text, icon: Icon, style } = urgency[priority]
  return (
    <p className={cn('flex items-center gap-1.5 px-3.5 py-0.75 text-[0.75rem] leading-4', style, className)}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {text}
    </p>
  )
}

/** When a request was posted, or has expired. It leads to the request's own page. */
export function Posted({ order, quiet = false, tabIndex }: { order: Order; quiet?: boolean; tabIndex?: number }) {
  const { expired } = order
  // A card leaves the word "Posted" to screen readers, so that the name has room.
  const word = (text: ReactNode) => <span className={quiet && !expired ? 'sr-only' : undefined}>{text}</span>
  const day = (
    <PageLink to={`/requests/${order.id}`} tabIndex={tabIndex} className="hover:text-primary hover:underline">
      <Day iso={expired ? order.expiresAt : order.createdAt} />
    </PageLink>
  )
  return (
    <p className="tabular shrink-0 text-muted-foreground text-xs leading-6.5">
      {expired ? rich('orders_expired', { word, day }) : rich('orders_posted', { word, day })}
    </p>
  )
}

type Props = {
  order: Order
  own: boolean
  offered?: OpenOffer
  /** Stands before the others. */
  mark?: ReactNode
  /** What stands at the end of the line. */
  children?: ReactNode
}

/** Whose request it is, what it is and how it stands, in one line where there is room. */
export function CardBadges({ order, own, offered, mark, children }: Props) {
  const { category, levelRequirement } = order
  const open = statusOf(order) === 'active'
  return (
    <div className="flex min-h-5.5 items-center gap-x-2">
      <div className="flex min-w-0 flex-wrap items-center gap-1 *:px-1 *:text-[0.75rem]">
        {mark}
        {own && <Tag tone="own">{t('orders_your_request')}</Tag>}
        {!own && open && offered && <OfferedBadge offer={offered} />}
        <Tag tone="outline" className="tabular">
          <CategoryIcon category={category} />
          {categoryName(category)}
          <span aria-hidden="true">·</span>
          {levelRequirement === null ? (
            t('orders_any_level')
          ) : (
            <span>{rich('orders_level_from', { hidden, level: levelRequirement })}</span>
          )}
        </Tag>
        <ImportanceBadge order={order} />
        <StatusBadge order={order} />
        {order.hidden && <Tag tone="destructive">{t('orders_hidden')}</Tag>}
        {order.signedInOnly && open && <Tag tone="outline">{t('orders_signed_in_only')}</Tag>}
      </div>
      {children}
    </div>
  )
}
