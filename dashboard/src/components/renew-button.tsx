import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { messageFor } from '@/api/client'
import { putOrder, refreshLists } from '@/api/orderCache'
import { renewOrder } from '@/api/orders'
import type { Order } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDay } from '@/lib/format'
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
      const stays = order.expired ? 'is back' : 'stays'
      showToast(`${renewed.itemName} ${stays} on the board until ${formatDay(renewed.expiresAt)}.`)
    },
    onError: (error) => showToast(messageFor(error, 'Failed to update order. Please try again.'), 'error'),
  })
  if (inline) {
    return (
      <LinkButton
        className="touch"
        aria-label={`Renew your request ${order.itemName}`}
        disabled={renewal.isPending}
        onClick={() => renewal.mutate()}
      >
        {renewal.isPending ? 'Renewing...' : 'Renew'}
      </LinkButton>
    )
  }
  return (
    <Button
      className="w-full pointer-coarse:h-11"
      aria-label={`${renewal.isPending ? 'Renewing...' : 'Renew'} ${order.itemName}`}
      disabled={renewal.isPending}
      onClick={() => renewal.mutate()}
    >
      <RotateCcw /> {renewal.isPending ? 'Renewing...' : 'Renew'}
    </Button>
  )
}
