import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { dialogAt, useDialogs } from '@/hooks/useDialogs'
import { isCommandKey, isCovered } from '@/lib/keyboard'

/** Opens and closes the command menu with Ctrl+K or ⌘K. An open dialog stays, with what was typed in it. */
export function useCommandKey() {
  const { open, close } = useDialogs()
  const shown = dialogAt(useLocation().search)?.name === 'commands'
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isCommandKey(event)) return
      if (shown) close()
      else if (!isCovered()) open({ name: 'commands' })
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open, close, shown])
}
