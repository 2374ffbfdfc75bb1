import { startTransition, useEffect, useState } from 'react'

const step = 3

/** Counts from a first number up to all, a few at a time while the browser is idle, so that rendering
 * many elements does not block slow devices. */
export function useIdle(first: () => number, all: number): number {
  const [counted, setCounted] = useState(first)
  useEffect(() => {
    if (counted >= all) return
    const next = () => startTransition(() => setCounted((n) => n + step))
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(next, 16)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(next, { timeout: 500 })
    return () => cancelIdleCallback(idle)
  }, [counted, all])
  return counted
}
