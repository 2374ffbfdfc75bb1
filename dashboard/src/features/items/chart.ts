import type { ItemPrices } from '@/api/types'

export type PriceDay = NonNullable<ItemPrices['days']>[number]
export type Price = NonNullable<PriceDay['price']>
type PricedDay = { at: number; day: string; price: Price; fills: number }

/** The width and height that a chart is drawn in. It is stretched to its room. */
export const size = { width: 900, height: 200 }

export const pricedDays = (days: readonly PriceDay[]): PricedDay[] =>
  days.flatMap(({ day, price, fills }, at) => (price ? [{ at, day, price, fills }] : []))

/** A day without a price, and what its single trades paid for one. */
type SingleDay = { at: number; day: string; paid: readonly number[] }

export const singleDays = (days: readonly PriceDay[]): SingleDay[] =>
  days.flatMap(({ day, price, singles }, at) => (!price && singles?.length ? [{ at, day, paid: singles }] : []))

/** The height of the bars at the foot of a chart. The prices are drawn above them. */
export const barsHeight = 36

/**
 * A chart as paths: the median, the range around it, single trades as points, the trades of each day and the most of one, and the prices
 * that it has room for.
 */
type Chart = {
  lines: string[]
  bands: string[]
  points: string
  bars: string
  busiest: number
  low: number
  high: number
}

/** Draws the days that have a price. Where a day has none there are its single trades, or a gap. */
export function chartOf(days: readonly PriceDay[]): Chart | null {
  const priced = pricedDays(days)
  const single = singleDays(days)
  if (priced.length + single.length === 0) return null
  const paid = single.flatMap((day) => day.paid)
  const least = Math.min(...priced.map(({ price }) => price.low), ...paid)
  const most = Math.max(...priced.map(({ price }) => price.high), ...paid)
  const room = Math.max((most - least) / 10, 1)
  const [low, high] = [Math.max(least - room, 0), most + room]
  const step = size.width / Math.max(days.length - 1, 1)
  const point = (at: number, price: number) =>
    `${round(at * step)},${round((size.height - barsHeight) * (1 - (price - low) / (high - low)))}`

  const lines: string[] = []
  const bands: string[] = []
  for (const part of unbroken(priced)) {
    const places = part.map(({ at, price }) => ({ at, price }))
    const [only] = places
    if (only && places.length === 1) places.push({ at: only.at + 0.6, price: only.price }) // one day is as wide as a day
    const along = (of: (price: Price) => number) => places.map(({ at, price }) => point(at, of(price)))
    lines.push(`M${along(({ median }) => median).join('L')}`)
    bands.push(`M${[...along((p) => p.high), ...along((p) => p.low).reverse()].join('L')}Z`)
  }
  const points = single.flatMap(({ at, paid }) => paid.map((price) => `M${point(at, price)}h0`)).join('')
  const busiest = Math.max(0, ...priced.map(({ fills }) => fills))
  const width = size.width / days.length
  const bars = priced
    .filter(({ fills }) => fills > 0)
    .map(({ at, fills }) => {
      const height = Math.max(((barsHeight - 4) * fills) / busiest, 1)
      return `M${round(at * width + width * 0.15)},${size.height}v${round(-height)}h${round(width * 0.7)}V${size.height}Z`
    })
    .join('')
  return { lines, bands, points, bars, busiest, low, high }
}

const round = (n: number) => Math.round(n * 10) / 10

/** Splits days where one is missing. */
function unbroken(days: PricedDay[]): PricedDay[][] {
  const parts: PricedDay[][] = []
  for (const day of days) {
    const last = parts.at(-1)
    if (last?.at(-1)?.at === day.at - 1) last?.push(day)
    else parts.push([day])
  }
  return parts
}
