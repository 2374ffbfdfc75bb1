import type { Order, ReceivedOffer } from '@/api/types'
import { clamp } from '@/lib/clamp'

/** The offers that are ticked, and the quantities that are typed, by offer. */
export type Chosen = { ticked: ReadonlySet<number>; typed: ReadonlyMap<number, string> }

/** How many of an offer to accept, and how many that can be at most. */
export type Proposal = { accept: number; most: number }

type Quantities = Pick<ReceivedOffer, 'id' | 'quantityOffered'>

/** What to accept of each offer on a request, in the order in which they are shown: as much as the request still needs
 * after the ticked offers above, or less if that is typed. */
export function proposals(order: Order, offers: Quantities[], { ticked, typed }: Chosen): Map<number, Proposal> {
  let left = Math.max(0, order.quantity - order.sold)
  return new Map(
    offers.map(({ id, quantityOffered }) => {
      const most = Math.min(quantityOffered, left)
      const text = typed.get(id)
      const accept = text === undefined ? most : clamp(Number(text) || 0, 0, most)
      if (ticked.has(id)) left -= accept
      return [id, { accept, most }]
    }),
  )
}

/** The first offers that together are all that the request still needs, or all offers. */
export function bestUntilFull(order: Order, offers: Quantities[]): number[] {
  let left = order.quantity - order.sold
  const best: number[] = []
  for (const { id, quantityOffered } of offers) {
    if (left <= 0) break
    best.push(id)
    left -= quantityOffered
  }
  return best
}
