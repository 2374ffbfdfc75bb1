import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Told = (near: boolean, height: number) => void

const told = new WeakMap<Element, Told>()
let watcher: IntersectionObserver | undefined

/** One watcher for all: a board may hold a thousand cards. */
function watch(element: Element, tell: Told): () => void {
  watcher ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        told.get(target)?.(isIntersecting, boundingClientRect.height)
    },
    { rootMargin: '800px 0px' },
  )
  told.set(element, tell)
  watcher.observe(element)
  return () => {
    told.delete(element)
    watcher?.unobserve(element)
  }
}

/** How high what was near has been, by its key. Who comes back to a page finds its places as high as they left them, and so
 * what they were looking at where it was. */
const heights = new Map<number, number>()

/** Whether an element is in sight or a few steps from it, and the height that it had when it last was, also on an earlier
 * visit. What is being used counts as near wherever it is. */
export function useNear<E extends HTMLElement>(key: number) {
  const place = useRef<E>(null)
  const [near, setNear] = useState(false)
  const seen = useRef(false)
  const [height, setHeight] = useState(() => heights.get(key))
  useEffect(() => {
    const element = place.current
    if (!element) return
    return watch(element, (now, measured) => {
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
