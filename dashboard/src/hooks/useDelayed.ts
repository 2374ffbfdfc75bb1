import { useEffect, useState } from 'react'

/** Becomes true once the condition has been true for ms, so that short states do not flash. */
export function useDelayed(condition: boolean, ms = 150): boolean {
  const [due, setDue] = useState(false)
  useEffect(() => {
    if (!condition) {
      setDue(false)
      return
    }
    const timer = setTimeout(() => setDue(true), ms)
    return () => clearTimeout(timer)
  }, [condition, ms])
  return condition && due
}
