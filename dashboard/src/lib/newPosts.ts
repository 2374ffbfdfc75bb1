/** Notifies the open board of requests that it does not show yet. */
const listeners = new Set<() => void>()

export function announceNewPosts() {
  for (const listener of listeners) listener()
}

export function subscribeNewPosts(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
