import type { ReactNode } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { cn } from '@/lib/cn'
import { rich, t } from '@/lib/texts'
import { Day } from './Day'
import { hidden, ImportanceBadge, OfferedBadge, type Priority, StatusBadge, statusOf, urgency } from './OrderBadges'

/** The one line that says how urgent a request is. */
export function UrgencyLine({ priority, className }: { priority: Priority; className?: string }) {
  const { text, icon: Icon, style } = urgency[priority]
  return (
    <p className={cn('flex items-center gap-1.5 px-4 py-1 text-[0.75rem] leading-4', style, className)}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {text}
    </p>
  )
}

type Props = { order: Order; own: boolean; offered?: OpenOffer; tabIndex?: number }

/** Whose request it is, what it is, how it stands and how old it is, in one line where there is room. */
export function CardBadges({ order, own, offered, tabIndex }: Props) {
  const { category, levelRequirement, expired } = order
  const open = statusOf(order) === 'active'
  // Beside the badge of an own request, and on a phone, there is no room for the word.
  const word = (text: ReactNode) => <span className={own ? 'sr-only' : '@max-[24rem]:sr-only'}>{text}</span>
  const day = (
    <PageLink
      to={`/requests/${order.id}`}
      tabIndex={tabIndex}
      className="-my-1 inline-block py-1 hover:text-primary hover:underline" // 24 px to press, in a line of 16
    >
      <Day iso={expired ? order.expiresAt : order.createdAt} />
    </PageLink>
  )
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-1">
      {own && <Tag tone="own">{t('orders_your_request')}</Tag>}
      {/* Where it is narrow, the badge of an own request and the day are a line of their own, instead of wrapping anywhere. */}
      <div
        className={
          own
            ? 'contents @max-[27rem]:order-1 @max-[27rem]:flex @max-[27rem]:w-full @max-[27rem]:flex-wrap @max-[27rem]:gap-1.5'
            : 'contents'
        }
      >
        {!own && open && offered && <OfferedBadge offer={offered} />}
        <Tag tone="outline" className="tabular">
          <CategoryIcon category={category} />
          {category}
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
      <p className="tabular ml-auto text-muted-foreground text-xs">
        {expired ? rich('orders_expired', { word, day }) : rich('orders_posted', { word, day })}
      </p>
    </div>
  )
}
