import { createContext } from 'react'

// What a dialog has in common with the frame that stands in for it while its code loads. Nothing here loads the library of
// dialogs.

export const overlayClass = 'fixed inset-0 z-40 bg-scrim duration-150'
export const overlayOpensClass = 'data-[state=open]:fade-in-0 data-[state=open]:animate-in'

/** On phones a bottom sheet with its buttons in reach of the thumb. */
export const sheetClass =
  'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] w-full flex-col rounded-t-xl border-t bg-popover text-popover-foreground shadow-lifted outline-none duration-200 ' +
  'sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[88dvh] sm:max-w-lg sm:-translate-y-1/2 sm:rounded-xl sm:border'
export const sheetOpensClass =
  'data-[state=open]:slide-in-from-bottom data-[state=open]:animate-in sm:data-[state=open]:slide-in-from-bottom-4 sm:data-[state=open]:fade-in-0'

type Opening = {
  /** What had the focus when the dialog was opened. */
  opener: Element | null
  /** The frame was shown first: the dialog takes its place without an animation. */
  framed: boolean
}

export const DialogOpening = createContext<Opening>({ opener: null, framed: false })
