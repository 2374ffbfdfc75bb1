import { startTransition, useEffect, useState } from 'react'

const step = 3

/** Counts from a first number up to all, a few at a time and only while the browser has nothing else to do: what is drawn
 * that way holds nobody up, be their device ever so slow. What is counted once stays. */
export function useByAndBy(first: () => number, all: number): number {
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
