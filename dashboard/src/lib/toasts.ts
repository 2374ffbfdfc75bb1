/** Short sentences at the edge of the page. They live outside of React so that anything may say one. */
export type Toast = { id: number; text: string; tone: 'info' | 'error' }

const shownFor = { info: 4000, error: 8000 } // ms

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function say(text: string, tone: Toast['tone'] = 'info') {
  const id = ++lastId
  change([...toasts.filter((t) => t.text !== text), { id, text, tone }].slice(-3))
  setTimeout(() => dismiss(id), shownFor[tone])
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
