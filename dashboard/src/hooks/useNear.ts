import { useEffect, useRef, useState } from 'react'

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

/** Whether an element is in sight or a few steps from it, and the height that it had when it last was. What is being used
 * counts as near wherever it is. */
export function useNear<E extends HTMLElement>() {
  const place = useRef<E>(null)
  const [near, setNear] = useState(false)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const element = place.current
    if (!element) return
    return watch(element, (now, measured) => {
      if (!now && inUse(element)) return
      if (!now) setHeight(measured)
      setNear(now)
    })
  }, [])
  return { place, near, height }
}

function inUse(element: Element): boolean {
  return element.contains(document.activeElement) || element.querySelector('[aria-expanded="true"]') !== null
}
