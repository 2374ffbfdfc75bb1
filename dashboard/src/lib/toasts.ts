// Short messages at the edge of the page. Any code can show one: sonner, which draws them, is loaded with the first of
// them, or when the person begins to use the page.
import { loaded } from './loaded'

/** A button in a toast, such as Undo. */
export type ToastAction = { label: string; run: () => void }

const shownFor = { info: 4000, error: 8000 } // ms
const shownWithAction = 12_000

let asked = false
const listeners = new Set<() => void>()

export async function showToast(text: string, tone: 'info' | 'error' = 'info', action?: ToastAction) {
  asked = true
  for (const listener of listeners) listener()
  const { toast } = await loaded(() => import('sonner'), Infinity) // so that no toast is lost
  // The same words again replace the first ones, with a clock and an action of their own.
  for (const other of toast.getToasts()) if ('title' in other && other.title === text) toast.dismiss(other.id)
  const show = tone === 'error' ? toast.error : toast
  show(text, {
    duration: action ? shownWithAction : shownFor[tone],
    action: action && { label: action.label, onClick: action.run },
  })
}

export function subscribeToasts(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether a toast was ever shown, so that there must be a place for it. */
export const toastsAsked = () => asked
