import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

const items = 'button:not([disabled]), a[href], select'
const firstStops = ['[data-stop]', '[aria-current=page]', '[aria-pressed=true]']

/** Makes the buttons, links and selects of an element one tab stop, with the arrow keys, Home and End between them. The stop is
 * the one that had the focus last, else the one marked as the stop, else the chosen one, else the first. */
export function useRovingFocus(container: RefObject<HTMLElement | null>) {
  const last = useRef<Element | null>(null)

  // After each render, because what is in the element may have changed.
  useLayoutEffect(() => {
    if (container.current) setStop(container.current, last.current)
  })
  // Parts of it that are loaded later appear without a render here.
  useEffect(() => {
    const element = container.current
    if (!element) return
    const observer = new MutationObserver(() => setStop(element, last.current))
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [container])

  return {
    onFocus(event: { target: Element }) {
      const item = event.target.closest(items)
      if (!item || !container.current?.contains(item)) return
      last.current = item
      setStop(container.current, item)
    },
    onKeyDown: moveByArrows,
  }
}

/** Moves the focus by the arrow keys among the buttons, links and selects of the element that handles the key. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.target instanceof HTMLInputElement) return // there they move the cursor
  const all = itemsOf(event.currentTarget)
  const next = target(event.key, all, all.indexOf(document.activeElement as HTMLElement))
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** A page that is drawn behind its document is inert, and shown soon. */
const isShown = (element: HTMLElement) =>
  element.checkVisibility?.({ visibilityProperty: !element.closest('[inert]') }) ?? true

const itemsOf = (container: HTMLElement) => [...container.querySelectorAll<HTMLElement>(items)].filter(isShown)

function setStop(container: HTMLElement, wanted: Element | null) {
  const all = itemsOf(container)
  const marked = firstStops.map((selector) => all.find((item) => item.matches(selector)))
  const stop = all.find((item) => item === wanted) ?? marked.find(Boolean) ?? all[0]
  for (const item of all) {
    const index = item === stop ? 0 : -1
    if (item.tabIndex !== index) item.tabIndex = index
  }
}

function target(key: string, all: HTMLElement[], at: number): HTMLElement | undefined {
  if (at < 0) return undefined
  if (key === 'ArrowRight') return all[(at + 1) % all.length]
  if (key === 'ArrowLeft') return all.at(at - 1)
  if (key === 'Home') return all[0]
  return key === 'End' ? all.at(-1) : undefined
}
