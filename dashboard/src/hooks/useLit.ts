import { useCallback, useSyncExternalStore } from 'react'
import { isLit, subscribeLights } from '@/lib/lights'

/** Whether the card of this request is lit just now. */
export function useLit(orderId: number): boolean {
  return useSyncExternalStore(
    subscribeLights,
    useCallback(() => isLit(orderId), [orderId]),
  )
}
