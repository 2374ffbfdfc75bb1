import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { sentenceFor } from '@/api/client'
import { putOrder, refreshLists } from '@/api/orderCache'
import { renewOrder } from '@/api/orders'
import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDay } from '@/lib/format'
import { say } from '@/lib/toasts'

/** Shows an expired request for another year. */
export default function RenewButton({ order }: { order: Order }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const renewal = useMutation({
    mutationFn: () => renewOrder(order.id, writes.keyFor(['renew', order.id, order.version])),
    onSuccess(renewed) {
      putOrder(queryClient, renewed)
      refreshLists(queryClient)
      say(`${renewed.itemName} is on the board again, until ${formatDay(renewed.expiresAt)}.`)
    },
    onError: (error) => say(sentenceFor(error, 'Failed to update order. Please try again.'), 'error'),
  })
  return (
    <Button className="w-full pointer-coarse:h-11" disabled={renewal.isPending} onClick={() => renewal.mutate()}>
      <RotateCcw /> {renewal.isPending ? 'Renewing...' : 'Renew'}
    </Button>
  )
}
