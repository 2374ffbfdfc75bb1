import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** The focus within a list of which only some rows are rendered. One row at a time is a tab stop; it is always rendered. If
 * it leaves the list while it has the focus, the row that takes its place gets it. */
export function useListFocus(ids: readonly number[]) {
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<number>()
  const lastIndex = useRef(0)
  const focused = useRef(false)
  const wanted = useRef<number>(undefined)

  const found = active === undefined ? -1 : ids.indexOf(active)
  const index = found >= 0 ? found : Math.min(lastIndex.current, ids.length - 1)

  useLayoutEffect(() => {
    if (active !== undefined && found < 0 && index >= 0) {
      const lost = focused.current && document.activeElement === document.body
      if (lost) wanted.current = ids[index]
      setActive(ids[index])
    }
    lastIndex.current = Math.max(index, 0)
    if (wanted.current === undefined) return
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"] a[href]`)
    if (!row) return
    wanted.current = undefined
    row.focus()
  })

  /** Moves the focus to a row. */
  const focusRow = useCallback((id: number | undefined) => {
    if (id === undefined) return
    wanted.current = id
    setActive(id)
    // The row may be the active one already, and then nothing rerenders.
    list.current?.querySelector<HTMLElement>(`[data-row="${id}"] a[href]`)?.focus()
  }, [])

  const events = {
    onFocus(event: FocusEvent) {
      focused.current = true
      const id = Number(event.target.closest<HTMLElement>('[data-row]')?.dataset.row)
      if (id) setActive(id)
    },
    onBlur(event: FocusEvent) {
      if (event.relatedTarget) focused.current = event.currentTarget.contains(event.relatedTarget)
    },
  }

  return { list, events, index, active: ids[index], focusRow }
}
