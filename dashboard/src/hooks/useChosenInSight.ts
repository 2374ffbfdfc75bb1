import { type RefObject, useEffect } from 'react'

/**
 * Brings what is chosen in a row that scrolls sideways into its middle, whenever `choice` changes. The page itself stays
 * where it is.
 */
export function useChosenInSight(row: RefObject<HTMLElement | null>, selector: string, choice: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another element, which may be out of sight
  useEffect(() => {
    // In the frame that lays it out anyway.
    const frame = requestAnimationFrame(() => {
      const chosen = row.current?.querySelector(selector)
      if (!row.current || !chosen) return
      const [around, within] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
      row.current.scrollLeft += within.left - around.left - (around.width - within.width) / 2
    })
    return () => cancelAnimationFrame(frame)
  }, [choice])
}
