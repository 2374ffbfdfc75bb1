import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const positions = new Map<string, number>()

/** Scrolls a new page to the top, and restores the position on back and forward. Dialogs do not
 * change it. A focus that was on the page before goes to the content. */
export function useScrollMemory() {
  const { key, pathname } = useLocation()
  const navigationType = useNavigationType()
  const last = useRef({ key, pathname })

  useEffect(() => {
    history.scrollRestoration = 'manual'
  }, [])

  useEffect(() => {
    const remember = () => positions.set(last.current.key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])

  useLayoutEffect(() => {
    const before = last.current
    if (before.pathname !== pathname) {
      window.scrollTo(0, navigationType === 'POP' ? (positions.get(key) ?? 0) : 0)
      // The link that led here may be gone, and the focus with it.
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
    } else if (before.key !== key) positions.set(key, window.scrollY)
    last.current = { key, pathname }
  }, [key, pathname, navigationType])
}
