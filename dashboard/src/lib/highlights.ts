/** The cards that are briefly highlighted, because they have just changed. */
const shownFor = 2000 // ms, the length of the highlight animation

const highlighted = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function announce() {
  for (const listener of listeners) listener()
}

export function highlight(orderId: number) {
  clearTimeout(highlighted.get(orderId))
  highlighted.set(
    orderId,
    setTimeout(() => {
      highlighted.delete(orderId)
      announce()
    }, shownFor),
  )
  announce()
}

export const isHighlighted = (orderId: number) => highlighted.has(orderId)

export function subscribeHighlights(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
