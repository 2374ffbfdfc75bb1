import { Flame, TriangleAlert } from 'lucide-react'
import type { OpenOffer, Order } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { importanceNames } from '@/lib/market'
import { Day } from './Day'

export const urgency = {
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

type Priority = keyof typeof urgency

/** High and urgent requests are marked while they are open. */
export function priorityOf(order: Order): Priority | null {
  const marked = order.importance === 'high' || order.importance === 'urgent'
  return marked && statusOf(order) === 'Active' ? (order.importance as Priority) : null
}

export function statusOf(order: Order): 'Active' | 'Expired' | 'Fulfilled' {
  if (order.status === 'fulfilled') return 'Fulfilled'
  return order.expired ? 'Expired' : 'Active'
}

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

export function StatusBadge({ order, className }: { order: Order; className?: string }) {
  const status = statusOf(order)
  return (
    <Tag tone={status === 'Active' ? 'accent' : status === 'Expired' ? 'destructive' : 'quiet'} className={className}>
      <span className="sr-only">Status: </span>
      {status}
    </Tag>
  )
}

export function ImportanceBadge({ order }: { order: Order }) {
  const { importance } = order
  return (
    <Tag tone={importance === 'high' || importance === 'urgent' ? importance : 'quiet'}>
      <span className="sr-only">Importance: </span>
      {importanceNames[importance]}
    </Tag>
  )
}

/** The importance badge where there is little room: its icon. */
export function UrgencyMark({ priority, className }: { priority: Priority; className?: string }) {
  const { text, icon: Icon } = urgency[priority]
  return (
    <Tag tone={priority} title={text} className={cn('px-1', className)}>
      <Icon aria-hidden />
      <span className="sr-only">Importance: {importanceNames[priority]}</span>
    </Tag>
  )
}

export function OfferedBadge({ offer }: { offer: OpenOffer }) {
  return (
    <Tag tone="accent" className="tabular">
      You offered {formatNumber(offer.quantityOffered)}
      {offer.quantityAccepted > 0 && `, ${formatNumber(offer.quantityAccepted)} accepted`}
    </Tag>
  )
}

/** Where the name of a request leads: to its item, or to the request where the catalogue does not have the item. */
export const nameAddress = ({ id, itemId }: Order) => (itemId ? `/items/${itemId}` : `/requests/${id}`)

type Props = { order: Order; own: boolean; offered?: OpenOffer; tabIndex?: number }

/** Whose request it is, what it is, how it stands and how old it is, in one line where there is room. */
export function CardBadges({ order, own, offered, tabIndex }: Props) {
  const { category, levelRequirement, expired } = order
  const open = statusOf(order) === 'Active'
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-1">
      {own && <Tag tone="own">Your Request</Tag>}
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
            'Any level'
          ) : (
            <span>
              <span className="sr-only">Level </span>
              {levelRequirement}+
            </span>
          )}
        </Tag>
        <ImportanceBadge order={order} />
        <StatusBadge order={order} />
        {order.hidden && <Tag tone="destructive">Hidden</Tag>}
        {order.signedInOnly && open && <Tag tone="outline">Signed-in sellers only</Tag>}
      </div>
      <p className="tabular ml-auto text-muted-foreground text-xs">
        {/* Beside the badge of an own request, and on a phone, there is no room for the word. */}
        <span className={own ? 'sr-only' : '@max-[24rem]:sr-only'}>{expired ? 'Expired ' : 'Posted '}</span>
        <PageLink
          to={`/requests/${order.id}`}
          tabIndex={tabIndex}
          className="-my-1 inline-block py-1 hover:text-primary hover:underline" // 24 px to press, in a line of 16
        >
          <Day iso={expired ? order.expiresAt : order.createdAt} />
        </PageLink>
      </p>
    </div>
  )
}
