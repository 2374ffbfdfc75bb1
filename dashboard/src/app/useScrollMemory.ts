import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const positions = new Map<string, number>()

/** A new page begins at its top; back and forward find it where it was left. Dialogs move nothing. */
export function useScrollMemory() {
  const { key, pathname } = useLocation()
  const how = useNavigationType()
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
    if (before.pathname !== pathname) window.scrollTo(0, how === 'POP' ? (positions.get(key) ?? 0) : 0)
    else if (before.key !== key) positions.set(key, window.scrollY)
    last.current = { key, pathname }
  }, [key, pathname, how])
}
