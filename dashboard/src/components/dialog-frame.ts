import { createContext } from 'react'

// What a dialog has in common with the frame that stands in for it while its code loads. Nothing here loads the library of
// dialogs.

export const overlayClass = 'fixed inset-0 z-40 bg-scrim fade-in-0 animate-in duration-150'

/** On phones a bottom sheet with its buttons in reach of the thumb. */
export const sheetClass =
  'fixed inset-x-0 top-auto bottom-0 z-50 m-0 flex max-h-[92dvh] w-full max-w-none translate-y-0 flex-col gap-0 overflow-visible rounded-t-xl rounded-b-none border-0 border-t bg-popover p-0 text-popover-foreground shadow-lifted outline-none duration-200 ' +
  'sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[88dvh] sm:max-w-lg sm:-translate-y-1/2 sm:rounded-xl sm:border'
export const sheetMoves =
  'data-[state=open]:zoom-in-100 data-[state=closed]:zoom-out-100 data-[state=open]:fade-in-100 data-[state=closed]:fade-out-100 ' +
  'data-[state=open]:slide-in-from-bottom data-[state=open]:animate-in data-[state=closed]:slide-out-to-bottom data-[state=closed]:animate-out ' +
  'sm:data-[state=open]:slide-in-from-bottom-4 sm:data-[state=open]:fade-in-0 sm:data-[state=closed]:slide-out-to-bottom-4 sm:data-[state=closed]:fade-out-0'

/** The command menu is at the top, above the keyboard of a phone. */
export const commandsClass =
  'fixed inset-x-4 top-4 z-50 mx-auto max-w-lg overflow-hidden rounded-xl border bg-popover text-popover-foreground shadow-lifted outline-none duration-200 sm:top-[15dvh]'

type Opening = {
  /** What had the focus when the dialog was opened. */
  opener: Element | null
  /** The frame was shown first: the dialog takes its place without an animation. */
  framed: boolean
  /** The scrim was shown first, and is not faded in once more. */
  scrim: boolean
}

/** Of a dialog that was not opened by the address, such as a question within another one. */
export const notOpened: Opening = { opener: null, framed: false, scrim: false }

export const DialogOpening = createContext(notOpened)
