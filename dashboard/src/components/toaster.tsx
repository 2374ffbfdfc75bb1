import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { loaded } from '@/lib/loaded'
import { subscribeToasts, toastsAsked } from '@/lib/toasts'

/** The place of the toasts. Its code is loaded with the first toast, or earlier: when it is to be ready. */
export function Toaster({ ready }: { ready: boolean }) {
  const asked = useSyncExternalStore(subscribeToasts, toastsAsked)
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  const wanted = asked || ready

  useEffect(() => {
    if (!wanted) return
    let stale = false
    loaded(() => import('./toasts'), Infinity).then((module) => !stale && setToasts(() => module.Toasts))
    return () => {
      stale = true
    }
  }, [wanted])
  return Toasts && <Toasts />
}
