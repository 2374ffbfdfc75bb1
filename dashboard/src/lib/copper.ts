/** Money is counted in copper, the smallest coin. Sums pass 2^53, so it is a bigint wherever it is reckoned with. */
export type Copper = bigint

export type Tier = 'p' | 'g' | 's' | 'c'

export const tiers: readonly { letter: Tier; name: string; worth: Copper }[] = [
  { letter: 'p', name: 'platinum', worth: 1_000_000_000n },
  { letter: 'g', name: 'gold', worth: 1_000_000n },
  { letter: 's', name: 'silver', worth: 1000n },
  { letter: 'c', name: 'copper', worth: 1n },
]

/** The most that one item may cost: 999p 999g 999s 999c. */
export const maxPrice: Copper = 999_999_999_999n

export const coinFormatMessage = 'Invalid format. Use: 1p 500g 250s 100c'
export const maxPriceMessage = 'Max price must be 999p 999g 999s 999c or less'

export type Parsed = { copper: Copper; error?: undefined } | { copper?: undefined; error: string }

// The same spaces as on the server. JavaScript's \s would let a byte order mark pass and stop at U+0085.
const spaces = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g
const wellFormed = /^(?:\d+[pgsc])*$/i

/** Reads an amount as people write it: numbers followed by p, g, s or c, in any order, each tier at most once. */
export function parseCopper(text: string): Parsed {
  const compact = text.replace(spaces, '')
  // Without the u flag, i folds ASCII letters only: no long s (ſ) passes for a silver.
  if (!wellFormed.test(compact)) return { error: coinFormatMessage }
  const seen = new Set<string>()
  let sum = 0n
  for (const [, count, letter] of compact.matchAll(/(\d+)(\D)/g)) {
    const tier = tiers.find((t) => t.letter === letter?.toLowerCase())
    if (!tier || !count || seen.has(tier.letter)) return { error: coinFormatMessage }
    seen.add(tier.letter)
    sum += BigInt(count) * tier.worth
  }
  return sum > maxPrice ? { error: maxPriceMessage } : { copper: sum }
}

/** Splits an amount into its tiers, largest first, leaving zero tiers out; nothing at all is 0 copper. */
export function coinsOf(amount: Copper): { letter: Tier; name: string; count: Copper }[] {
  let rest = amount
  const coins = tiers.flatMap(({ letter, name, worth }) => {
    const count = rest / worth
    rest %= worth
    return count > 0n ? [{ letter, name, count }] : []
  })
  return coins.length > 0 ? coins : [{ letter: 'c' as const, name: 'copper', count: 0n }]
}

/** Prints an amount the way it is typed: "1p 500g 250s 100c". */
export function printCopper(amount: Copper): string {
  return coinsOf(amount)
    .map(({ letter, count }) => `${count}${letter}`)
    .join(' ')
}

/** Says an amount in words: "1 platinum 500 gold". */
export function sayCopper(amount: Copper): string {
  return coinsOf(amount)
    .map(({ name, count }) => `${count} ${name}`)
    .join(' ')
}
