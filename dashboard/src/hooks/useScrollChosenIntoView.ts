import { type RefObject, useEffect } from 'react'

/** Centers the chosen element of a row that scrolls sideways whenever `choice` changes. The page
 * itself does not scroll. */
export function useScrollChosenIntoView(row: RefObject<HTMLElement | null>, selector: string, choice: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice is another element, which may be out of view
  useEffect(() => {
    // In the next frame, which does a layout anyway.
    const frame = requestAnimationFrame(() => {
      const chosen = row.current?.querySelector(selector)
      if (!row.current || !chosen) return
      const [around, within] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
      row.current.scrollLeft += within.left - around.left - (around.width - within.width) / 2
    })
    return () => cancelAnimationFrame(frame)
  }, [choice])
}
