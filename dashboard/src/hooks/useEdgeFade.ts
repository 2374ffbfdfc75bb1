import { useEffect, useRef } from 'react'

const width = '1.5rem'

/** Fades the edges of a row that scrolls sideways where there is more to see. */
export function useEdgeFade<E extends HTMLElement>() {
  const row = useRef<E>(null)
  useEffect(() => {
    const element = row.current
    if (!element) return
    const update = () => {
      const { scrollLeft, scrollWidth, clientWidth, style } = element
      style.setProperty('--fade-start', scrollLeft > 4 ? width : '0px')
      style.setProperty('--fade-end', scrollLeft + clientWidth < scrollWidth - 4 ? width : '0px')
    }
    const sizes = new ResizeObserver(update)
    sizes.observe(element) // also runs the first update, after layout
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [])
  return row
}
