import { useEffect, useRef } from 'react'

// One observer for all: a board may have a thousand cards. It fires when an element is laid out,
// which for cards outside the viewport is when they come near.
const sizes =
  typeof ResizeObserver === 'undefined'
    ? null
    : new ResizeObserver((entries) => {
        for (const { target } of entries)
          target.toggleAttribute('data-clamped', target.scrollHeight > target.clientHeight)
      })

/** Marks an element with `data-clamped` while its text is cut off. */
export function useClamped<E extends HTMLElement>() {
  const element = useRef<E>(null)
  useEffect(() => {
    const watched = element.current
    if (!watched) return
    sizes?.observe(watched)
    return () => sizes?.unobserve(watched)
  }, [])
  return element
}
