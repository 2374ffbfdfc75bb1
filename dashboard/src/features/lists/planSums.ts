import type { Plan, PlanDraft, PlanLine } from '@/api/lists'

/** A change of one line for a plan. */
export type Edit = { number: number; quantity?: number; request?: boolean }

export type PlanSeller = { id: number; name: string; pays: bigint; quantity: number; atOnce: boolean }

/** How many of a line can't be bought nor requested, since no price is known. */
export const unpricedOf = (line: PlanLine) => (line.price === null ? line.request : 0)

/** What a plan comes to. */
export function sumOf({ lines }: Plan) {
  const sellers = new Map<number, PlanSeller>()
  const sum = { wanted: 0, bought: 0, atOnce: 0, requested: 0, unpriced: 0, pays: 0n, requestPays: 0n }
  for (const line of lines) {
    sum.wanted += line.quantity
    sum.unpriced += unpricedOf(line)
    if (line.price !== null) {
      sum.requested += line.request
      sum.requestPays += BigInt(line.price) * BigInt(line.request)
    }
    for (const { take, price, atOnce, seller } of line.listings) {
      if (take === 0) continue
      const pays = BigInt(price) * BigInt(take)
      const before = sellers.get(seller.id) ?? {
        id: seller.id,
        name: seller.displayName,
        pays: 0n,
        quantity: 0,
        atOnce: true,
      }
      sellers.set(seller.id, {
        ...before,
        pays: before.pays + pays,
        quantity: before.quantity + take,
        atOnce: before.atOnce && atOnce,
      })
      sum.bought += take
      sum.pays += pays
      if (atOnce) sum.atOnce += take
    }
  }
  return { ...sum, people: sellers.size, sellers: [...sellers.values()] }
}

/** The asks and requests that a plan posts. */
export function draftLines({ lines }: Plan): PlanDraft['lines'] {
  return lines.flatMap(({ itemName, listings, price, request }) => [
    ...listings
      .filter(({ take }) => take > 0)
      .map(({ id, take, price }) => ({ itemName, listingId: id, quantity: take, price })),
    ...(request > 0 && price !== null ? [{ itemName, quantity: request, price }] : []),
  ])
}
