// Of whose stock the request is asked for that is being typed.
let asked: { stockId: number; itemName: string } | null = null

/** Notes that the next request for an item asks one seller first. */
export function askFor(stockId: number, itemName: string) {
  asked = { stockId, itemName }
}

/** Returns whom a request for an item asks first, if anybody. */
export const askedFor = (itemName: string): number | undefined =>
  asked?.itemName === itemName.trim() ? asked.stockId : undefined

export function askedNow() {
  asked = null
}

// The asks that were said yes to on this page, which need no news of their own.
const answered = new Set<number>()

/** Notes that the user says yes to an ask here, or that it failed. */
export function noteAnswer(ask: number, failed = false) {
  if (failed) answered.delete(ask)
  else answered.add(ask)
}

/** Whether a request is an ask that was said yes to here. */
export const answeredHere = (request: number | null): boolean => request !== null && answered.has(request)
