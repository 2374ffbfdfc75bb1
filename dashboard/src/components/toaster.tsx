import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { loaded, subscribeToasts, toastsAsked } from '@/lib/toasts'

const idleAfter = 2000 // ms

/** The place of the toasts. Its code is loaded while the browser is idle, or with the first toast. */
export function Toaster() {
  const asked = useSyncExternalStore(subscribeToasts, toastsAsked)
  const [idle, setIdle] = useState(false)
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  const wanted = asked || idle

  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), idleAfter)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!wanted) return
    let stale = false
    loaded(() => import('./toasts')).then((module) => !stale && setToasts(() => module.Toasts))
    return () => {
      stale = true
    }
  }, [wanted])
  return Toasts && <Toasts />
}
