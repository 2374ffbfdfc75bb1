import { useEffect, useRef } from 'react'

const width = '1.5rem'

/** Fades a row that scrolls sideways at the edges where there is more of it. */
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
    sizes.observe(element) // which updates it for the first time, once it is laid out
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [])
  return row
}
