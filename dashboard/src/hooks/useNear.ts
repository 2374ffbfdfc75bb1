import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Listener = (near: boolean, height: number) => void

const listeners = new WeakMap<Element, Listener>()
let observer: IntersectionObserver | undefined

/** One observer for all: a board may have a thousand cards. */
function observe(element: Element, listener: Listener): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        listeners.get(target)?.(isIntersecting, boundingClientRect.height)
    },
    { rootMargin: '800px 0px' },
  )
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    listeners.delete(element)
    observer?.unobserve(element)
  }
}

/** The last measured heights by key. After a return to a page its placeholders have the same heights,
 * so that the scroll position fits. */
const heights = new Map<number, number>()

/** Reports whether an element is in or near the viewport, and its last height there, including on an
 * earlier visit. An element in use always counts as near. */
export function useNear<E extends HTMLElement>(key: number) {
  const place = useRef<E>(null)
  const [near, setNear] = useState(false)
  const seen = useRef(false)
  const [height, setHeight] = useState(() => heights.get(key))
  useEffect(() => {
    const element = place.current
    if (!element) return
    return observe(element, (now, measured) => {
      if (!now && inUse(element)) return
      if (!now && seen.current) setHeight(measured)
      seen.current = now
      setNear(now)
    })
  }, [])
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element && seen.current) heights.set(key, element.getBoundingClientRect().height)
    }
  }, [key])
  useEffect(() => {
    if (height !== undefined) heights.set(key, height)
  }, [key, height])
  return { place, near, height }
}

function inUse(element: Element): boolean {
  return element.contains(document.activeElement) || element.querySelector('[aria-expanded="true"]') !== null
}
