/** Tells the open board that requests have come up which it does not show yet. */
const listeners = new Set<() => void>()

export function announceNewcomers() {
  for (const listener of listeners) listener()
}

export function subscribeNewcomers(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
