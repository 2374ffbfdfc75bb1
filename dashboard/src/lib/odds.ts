import type { Copper } from './copper'

/** How many requests that paid a price or more were filled within some days. */
export type OddsStep = {
  price: number
  requests: number
  ended: number
  within: { days: number; filled: number; percent: number; low: number; high: number }[]
}

const clearly = 10 // percentage points

/** The odds at a price, and the lowest higher price at which clearly more requests were filled. Steps are sorted by price. */
export function oddsAt(steps: OddsStep[], price: Copper): { here?: OddsStep; better?: OddsStep } {
  const here = steps.find((step) => BigInt(step.price) >= price)
  const better =
    here &&
    steps.find(
      (step) =>
        step.price > here.price &&
        step.within.some(({ percent }, i) => percent >= (here.within[i]?.percent ?? 100) + clearly),
    )
  return { here, better }
}
