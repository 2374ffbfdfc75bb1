/** Which cards are briefly lit, because something has just happened to them. */
const shownFor = 2000 // ms, the length of the lit animation

const lit = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function announce() {
  for (const listener of listeners) listener()
}

export function light(orderId: number) {
  clearTimeout(lit.get(orderId))
  lit.set(
    orderId,
    setTimeout(() => {
      lit.delete(orderId)
      announce()
    }, shownFor),
  )
  announce()
}

export const isLit = (orderId: number) => lit.has(orderId)

export function subscribeLights(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
