import { Flame, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { Tag } from '@/components/tag'
import { cn } from '@/lib/cn'
import { importanceNames } from '@/lib/market'
import { rich, t } from '@/lib/texts'

export const urgency = {
  high: {
    text: t('orders_high_priority'),
    icon: TriangleAlert,
    style: 'bg-high-soft text-high-foreground',
  },
  urgent: {
    text: t('orders_urgent'),
    icon: Flame,
    style: 'bg-urgent-soft text-urgent-foreground',
  },
}

export type Priority = keyof typeof urgency

/** A part of a text for screen readers only. */
export const hidden = (text: ReactNode) => <span className="sr-only">{text}</span>

/** High and urgent requests are marked while they are open. */
export function priorityOf(order: Order): Priority | null {
  const marked = order.importance === 'high' || order.importance === 'urgent'
  return marked && statusOf(order) === 'active' ? (order.importance as Priority) : null
}

const statusNames = {
  active: t('common_active'),
  expired: t('common_expired'),
  fulfilled: t('orders_status_fulfilled'),
}

export function statusOf(order: Order): keyof typeof statusNames {
  if (order.status === 'fulfilled') return 'fulfilled'
  return order.expired ? 'expired' : 'active'
}

export function StatusBadge({ order, className }: { order: Order; className?: string }) {
  const status = statusOf(order)
  return (
    <Tag tone={status === 'active' ? 'accent' : status === 'expired' ? 'destructive' : 'quiet'} className={className}>
      {rich('orders_status', { hidden, status: statusNames[status] })}
    </Tag>
  )
}

export function ImportanceBadge({ order }: { order: Order }) {
  const { importance } = order
  return (
    <Tag tone={importance === 'high' || importance === 'urgent' ? importance : 'quiet'}>
      {rich('orders_importance', { hidden, importance: importanceNames[importance] })}
    </Tag>
  )
}

/** The importance badge where there is little room: its icon. */
export function UrgencyMark({ priority, className }: { priority: Priority; className?: string }) {
  const { text, icon: Icon } = urgency[priority]
  return (
    <Tag tone={priority} title={text} className={cn('px-1', className)}>
      <Icon aria-hidden />
      <span className="sr-only">{t('orders_importance_is', { importance: importanceNames[priority] })}</span>
    </Tag>
  )
}

export function OfferedBadge({ offer }: { offer: OpenOffer }) {
  const { quantityOffered: quantity, quantityAccepted: accepted } = offer
  return (
    <Tag tone="accent" className="tabular">
      {accepted > 0 ? t('orders_you_offered_accepted', { quantity, accepted }) : t('orders_you_offered', { quantity })}
    </Tag>
  )
}

/** Where the name of a request leads: to its item, or to the request where the catalogue does not have the item. */
export const nameAddress = ({ id, itemId }: Order) => (itemId ? `/items/${itemId}` : `/requests/${id}`)
