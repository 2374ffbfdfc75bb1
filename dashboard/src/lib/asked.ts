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
