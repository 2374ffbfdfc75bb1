import type { Copper } from './copper'
import { t } from './texts'

export interface OddsStep {
  price: number
  of: 'item' | 'kind' | 'market' | 'none'
  buyers: number
  within: { days: number; percent: number }[]
}

/** How many requests at about a price there were, and how many of them were filled. */
export interface Filled {
  price: number
  asked: number
  filled: number
}

export interface Odds {
  lowest: number | null
  near: Filled[]
  steps: OddsStep[]
}

const clearly = 10 // percentage points

/** The odds at a price, and the lowest higher price with clearly better ones; or the lowest price that was paid, where it is less. */
export function oddsAt(odds: Odds, price: Copper): { lowest?: number; here?: OddsStep; better?: OddsStep } {
  if (odds.lowest !== null && price < BigInt(odds.lowest)) return { lowest: odds.lowest }
  const here = odds.steps.findLast((step) => BigInt(step.price) <= price)
  if (!here || here.of === 'none') return {}
  const better = odds.steps.find(
    (step) =>
      step.price > here.price &&
      step.within.some(({ percent }, i) => percent >= (here.within[i]?.percent ?? 100) + clearly),
  )
  return { here, better }
}

/** How likely a request is filled: "about 53% of requests are filled within 2 days, 61% within 7 (18 buyers)". The bot says the same. */
export function describeOdds({ within, of, buyers }: OddsStep): string {
  const [soon, later] = within
  return t('lib_odds', {
    soon: String(soon?.percent),
    soonDays: String(soon?.days),
    later: String(later?.percent),
    laterDays: String(later?.days),
    from: of,
    buyers: String(buyers),
  })
}
