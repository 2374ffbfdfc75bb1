import { useCallback, useSyncExternalStore } from 'react'
import { isHighlighted, subscribeHighlights } from '@/lib/highlights'

/** Reports whether the card of this request is highlighted. */
export function useHighlighted(orderId: number): boolean {
  return useSyncExternalStore(
    subscribeHighlights,
    useCallback(() => isHighlighted(orderId), [orderId]),
  )
}
