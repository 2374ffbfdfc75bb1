import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { messageFor } from '@/api/client'
import { putOrder, refreshLists } from '@/api/orderCache'
import { renewOrder } from '@/api/orders'
import type { Order } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDay } from '@/lib/format'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { LinkButton } from './buttons'
import { Button } from './ui/button'

/** Renews a request for another year: an expired one, or in one line one that will expire soon. */
export default function RenewButton({ order, inline = false }: { order: Order; inline?: boolean }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const renewal = useMutation({
    mutationFn: () => renewOrder(order.id, writes.keyFor(['renew', order.id, order.version])),
    onSuccess(renewed) {
      putOrder(queryClient, renewed)
      refreshLists(queryClient)
      const until = { item: renewed.itemName, day: formatDay(renewed.expiresAt) }
      showToast(order.expired ? t('parts_renewed_expired', until) : t('parts_renewed', until))
    },
    onError: (error) => showToast(messageFor(error, t('common_failed_to_update_order')), 'error'),
  })
  if (inline) {
    return (
      <LinkButton
        className="touch"
        aria-label={t('parts_renew_request', { item: order.itemName })}
        disabled={renewal.isPending}
        onClick={() => renewal.mutate()}
      >
        {renewal.isPending ? t('common_renewing') : t('common_renew')}
      </LinkButton>
    )
  }
  return (
    <Button
      className="w-full pointer-coarse:h-11"
      aria-label={
        renewal.isPending
          ? t('parts_renewing_item', { item: order.itemName })
          : t('parts_renew_item', { item: order.itemName })
      }
      disabled={renewal.isPending}
      onClick={() => renewal.mutate()}
    >
      <RotateCcw /> {renewal.isPending ? t('common_renewing') : t('common_renew')}
    </Button>
  )
}
