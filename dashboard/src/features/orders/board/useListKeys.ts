import { useEffect, useRef } from 'react'
import { isShortcut } from '@/lib/keyboard'

type Actions = {
  /** Goes a number of rows down, or up. */
  walk: (rows: number) => void
  offer: () => void
  /** Opens or closes the group of the row that has the focus. */
  fold: (open: boolean) => void
  closePanel: (() => void) | undefined
  showKeys: () => void
}

/** The keys of the list. They work anywhere on the board, except while the user types or a dialog is open. */
export function useListKeys(actions: Actions) {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      const { walk, offer, fold, closePanel, showKeys } = latest.current
      const inRow = event.target instanceof Element && event.target.closest('[data-row]') !== null
      const inHead = event.target instanceof Element && event.target.closest('[data-head]') !== null
      if (inHead && event.key === 'ArrowDown') walk(0)
      else if (event.key === 'j' || (inRow && event.key === 'ArrowDown')) walk(1)
      else if (event.key === 'k' || (inRow && event.key === 'ArrowUp')) walk(-1)
      else if (inRow && event.key === 'ArrowRight') fold(true)
      else if (inRow && event.key === 'ArrowLeft') fold(false)
      else if (event.key === 'o') offer()
      else if (event.key === '?') showKeys()
      else if (event.key === 'Escape' && closePanel) closePanel()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
