import { useEffect } from 'react'

/** Ctrl+Enter, or Cmd+Enter, sends the form that has the focus, as a press on its button does: also from a text of several lines. */
export function useSendKey() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing || event.repeat) return
      const form = event.target instanceof Element && event.target.closest('form')
      const button = form ? form.querySelector<HTMLButtonElement>('[type=submit]') : null
      if (!button) return
      event.preventDefault()
      button.click() // nothing, while it is disabled
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
