import { formatNumber } from './format'
import { type CoinStyle, game } from './game'
import { metaContent } from './site'
import { t } from './texts'

/** Money is counted in copper, the smallest coin. Sums pass 2^53, so calculations use bigint. */
export type Copper = bigint

type Coin = { name: string; letter: string; worth: Copper; look: CoinStyle }

const named = metaContent('coins').split('\n')

/** From largest to smallest, with their names in the page's language. */
export const coins: readonly Coin[] = game.coins.map((coin, i) => ({
  ...coin,
  name: named[i] || coin.name,
  worth: BigInt(coin.worth),
}))

/** The highest price of one item, in any game. */
export const maxPrice: Copper = 999_999_999_999n

const coinFormatMessage = t('lib_price_format', { example: game.example })
export const maxPriceMessage = t('lib_price_too_high', { most: printCopper(maxPrice) })

type Parsed = { copper: Copper; error?: undefined } | { copper?: undefined; error: string }

// ASCII's, as on the server; JavaScript's \s has more.
const spaces = /[\t\n\v\f\r ]/g
const wellFormed = new RegExp(`^(?:\\d+[${coins.map(({ letter }) => letter).join('')}])*$`, 'i')

/** Parses an amount as users type it: numbers followed by the letter of a coin, in any order, each coin
 * at most once. */
export function parseCopper(text: string): Parsed {
  const compact = text.replace(spaces, '')
  // Without the u flag, i folds ASCII letters only: no long s (ſ) passes for a silver.
  if (!wellFormed.test(compact)) return { error: coinFormatMessage }
  const seen = new Set<string>()
  let sum = 0n
  for (const [, count, letter] of compact.matchAll(/(\d+)(\D)/g)) {
    const coin = coins.find((c) => c.letter.toLowerCase() === letter?.toLowerCase())
    if (!coin || !count || seen.has(coin.letter)) return { error: coinFormatMessage }
    seen.add(coin.letter)
    sum += BigInt(count) * coin.worth
  }
  return sum > maxPrice ? { error: maxPriceMessage } : { copper: sum }
}

/** Splits an amount into coins, largest first, without coins of count 0. Zero is 0 of the smallest. */
export function coinsOf(amount: Copper): (Coin & { count: Copper })[] {
  let rest = amount
  const counted = coins.map((coin) => {
    const count = rest / coin.worth
    rest %= coin.worth
    return { ...coin, count }
  })
  const some = counted.filter(({ count }) => count > 0n)
  return some.length > 0 ? some : counted.slice(-1)
}

/** Prints an amount the way it is typed: "1p 500g 250s 100c". */
export function printCopper(amount: Copper): string {
  return coinsOf(amount)
    .map(({ letter, count }) => `${count}${letter}`)
    .join(' ')
}

/** Writes an amount as text to read: "1,240p 500g". */
export function formatCopper(amount: Copper): string {
  return coinsOf(amount)
    .map(({ letter, count }) => `${formatNumber(count)}${letter}`)
    .join(' ')
}

/** Spells out an amount in words: "1 platinum 500 gold". */
export function copperInWords(amount: Copper): string {
  return coinsOf(amount)
    .map(({ name, count }) => `${formatNumber(count)} ${name}`)
    .join(' ')
}
