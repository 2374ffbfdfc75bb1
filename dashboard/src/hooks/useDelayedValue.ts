import { useEffect, useState } from 'react'

/** Returns a value once it has stayed the same for a time. */
export function useDelayedValue<T>(value: T, delay: number): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delay)
    return () => clearTimeout(timer)
  }, [text, delay])
  return JSON.parse(settled) as T
}
