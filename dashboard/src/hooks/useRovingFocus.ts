import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'

const items = 'button:not([disabled]), a[href], [data-roving]'

/** Makes the buttons and links of an element one tab stop, with arrow keys, Home and End between them. The stop is the one that had
 * the focus last, else the first `[data-stop]`, else the first of them. */
export function useRovingFocus(container: RefObject<HTMLElement | null>) {
  const last = useRef<Element | null>(null)

  // After each render, because what is in the element may have changed.
  useLayoutEffect(() => {
    if (container.current) setStop(container.current, last.current)
  })

  return {
    onFocus(event: { target: Element }) {
      const item = event.target.closest(items)
      if (!item || !container.current?.contains(item)) return
      last.current = item
      setStop(container.current, item)
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !container.current) return
      const all = itemsOf(container.current)
      const next = target(event.key, all, all.indexOf(document.activeElement as HTMLElement))
      if (!next) return
      event.preventDefault()
      next.focus()
    },
  }
}

const isShown = (element: HTMLElement) => element.checkVisibility?.() ?? true

const itemsOf = (container: HTMLElement) => [...container.querySelectorAll<HTMLElement>(items)].filter(isShown)

function setStop(container: HTMLElement, wanted: Element | null) {
  const all = itemsOf(container)
  const stop = all.find((item) => item === wanted) ?? all.find((item) => item.matches('[data-stop]')) ?? all[0]
  for (const item of all) {
    const index = item === stop ? 0 : -1
    if (item.tabIndex !== index) item.tabIndex = index
  }
}

function target(key: string, all: HTMLElement[], at: number): HTMLElement | undefined {
  if (at < 0) return undefined
  if (key === 'ArrowRight' || key === 'ArrowDown') return all[(at + 1) % all.length]
  if (key === 'ArrowLeft' || key === 'ArrowUp') return all.at(at - 1)
  if (key === 'Home') return all[0]
  return key === 'End' ? all.at(-1) : undefined
}
