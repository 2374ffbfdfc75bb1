import { use, useState } from 'react'
import { DialogOpening } from './dialog-frame'

const firstField = 'form input:not([type=hidden]):not(:disabled), form textarea:not(:disabled)'

/** Gives the focus back to what opened a dialog, or to the page's content when that is gone. A user who is elsewhere already, before
 * the dialog has faded out, stays there. */
export function returnFocus(opener: Element | null, options?: FocusOptions) {
  const { activeElement } = document
  if (activeElement && activeElement !== document.body) return
  const back = opener?.isConnected ? opener : document.getElementById('content')
  if (back instanceof HTMLElement) back.focus(options)
}

/** Where the focus goes when a dialog opens and closes. Dialogs are opened by the URL, not by a trigger. */
export function useDialogFocus() {
  const opening = use(DialogOpening)
  const [opener] = useState(() => opening.opener ?? document.activeElement)
  return {
    // A form starts with its first field, whatever stands above it. On a phone, focusing that would open the keyboard over it.
    onOpenAutoFocus(event: Event) {
      if (!(event.currentTarget instanceof HTMLElement)) return
      const coarse = matchMedia('(pointer: coarse)').matches
      const first = coarse ? event.currentTarget : event.currentTarget.querySelector<HTMLElement>(firstField)
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      returnFocus(opener)
    },
    // A toast lies above the dialog, and its Undo may be about what was just done there.
    onInteractOutside(event: Event) {
      if (event.target instanceof Element && event.target.closest('[data-slot=toaster]')) event.preventDefault()
    },
  }
}
