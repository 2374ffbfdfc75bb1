/** Short messages at the edge of the page. They are stored outside React, so that any code can show one. */
export type Toast = { id: number; text: string; tone: 'info' | 'error'; action?: ToastAction }
/** A button in a toast, such as Undo. */
export type ToastAction = { label: string; run: () => void }

const shownFor = { info: 4000, error: 8000 } // ms
const shownWithAction = 12_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function showToast(text: string, tone: Toast['tone'] = 'info', action?: ToastAction) {
  const id = ++lastId
  change([...toasts.filter((t) => t.text !== text), { id, text, tone, action }].slice(-3))
  setTimeout(() => dismiss(id), action ? shownWithAction : shownFor[tone])
}

export function dismiss(id: number) {
  change(toasts.filter((t) => t.id !== id))
}

export function subscribeToasts(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const currentToasts = () => toasts
