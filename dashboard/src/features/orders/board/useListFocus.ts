import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** The focus within a list of which only some rows are rendered. One row at a time is a tab stop; it is always rendered. If
 * it leaves the list while it has the focus, the row that takes its place gets it. */
export function useListFocus(keys: readonly string[]) {
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const lastIndex = useRef(0)
  const focused = useRef(false)
  const wanted = useRef<string>(undefined)

  const found = active === undefined ? -1 : keys.indexOf(active)
  const index = found >= 0 ? found : Math.min(lastIndex.current, keys.length - 1)

  useLayoutEffect(() => {
    if (active !== undefined && found < 0 && index >= 0) {
      const lost = focused.current && document.activeElement === document.body
      if (lost) wanted.current = keys[index]
      setActive(keys[index])
    }
    lastIndex.current = Math.max(index, 0)
    if (wanted.current === undefined) return
    const row = list.current?.querySelector<HTMLElement>(stopIn(wanted.current))
    if (!row) return
    wanted.current = undefined
    row.focus()
  })

  /** Moves the focus to a row. */
  const focusRow = useCallback((key: string | undefined) => {
    if (key === undefined) return
    setActive(key)
    const row = list.current?.querySelector<HTMLElement>(stopIn(key))
    // A row that is out of sight is rendered first. One that is there takes the focus once, and not again later.
    wanted.current = row ? undefined : key
    row?.focus()
  }, [])

  const events = {
    onFocus(event: FocusEvent) {
      focused.current = true
      const key = event.target.closest<HTMLElement>('[data-row]')?.dataset.row
      if (key) setActive(key)
    },
    onBlur(event: FocusEvent) {
      if (event.relatedTarget) focused.current = event.currentTarget.contains(event.relatedTarget)
    },
  }

  return { list, events, index, active: keys[index], focusRow }
}

/** The element of a row that gets its focus. */
const stopIn = (key: string) => `[data-row=${JSON.stringify(key)}] [data-stop]`
