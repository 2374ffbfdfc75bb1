import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orderQuery } from '@/api/orders'
import RenewButton from '@/components/renew-button'
import { formatDay } from '@/lib/format'
import { t } from '@/lib/texts'

const soon = 7 * 24 * 60 * 60_000 // ms before a request expires that its owner hears of it

/** Renews the request that is about to expire, or says until when it stays. */
export function RenewOrder({ orderId }: { orderId: number }) {
  const { data: order } = useQuery({ ...orderQuery(useQueryClient(), orderId), retry: false })
  if (order?.status !== 'active') return null
  if (order.expired || Date.parse(order.expiresAt) - Date.now() <= soon) return <RenewButton order={order} inline />
  return <span className="text-muted-foreground">{t('notices_stays_until', { day: formatDay(order.expiresAt) })}</span>
}
