import type { ItemPrices } from '@/api/types'

export type PriceDay = NonNullable<ItemPrices['days']>[number]
export type Price = NonNullable<PriceDay['price']>
type PricedDay = { at: number; day: string; price: Price; fills: number }

/** The width and height that a chart is drawn in. It is stretched to its room. */
export const size = { width: 900, height: 200 }

export const pricedDays = (days: readonly PriceDay[]): PricedDay[] =>
  days.flatMap(({ day, price, fills }, at) => (price ? [{ at, day, price, fills }] : []))

/** A day with trades, and what each paid for one. */
type SingleDay = { at: number; day: string; paid: readonly number[] }

export const singleDays = (days: readonly PriceDay[]): SingleDay[] =>
  days.flatMap(({ day, singles }, at) => (singles?.length ? [{ at, day, paid: singles }] : []))

/** A price that a chart draws a line at, and how far it is from the top, in percent. */
type Tick = { price: number; top: number }

/** A chart as paths: the median, the range around it, and single trades as points. */
type Chart = { lines: string[]; bands: string[]; points: string; ticks: Tick[] }

/** Draws prices and single trades, as web/pages/chart_draw.go does. Where a day has no price there is a gap in the line. */
export function chartOf(days: readonly PriceDay[]): Chart | null {
  const priced = pricedDays(days)
  const single = singleDays(days)
  if (priced.length + single.length === 0) return null
  const { low, high, paid } = rangeOf(priced, single)
  const step = size.width / Math.max(days.length - 1, 1)
  const point = (at: number, price: number) =>
    `${round(at * step)},${round(size.height * (1 - (price - low) / (high - low)))}`

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
  const points = paid.map(({ at, price }) => `M${point(at, price)}h0`).join('')
  return { lines, bands, points, ticks: ticksOf(low, high) }
}

/**
 * The prices that a chart has room for, and the trades within them. Beside a line, trades that are further off than the band is wide are
 * left out: one mistyped coin would flatten it.
 */
function rangeOf(priced: PricedDay[], single: SingleDay[]) {
  const line = priced.length > 0
  const [low, high] = [
    Math.min(...priced.map(({ price }) => price.low)),
    Math.max(...priced.map(({ price }) => price.high)),
  ]
  const off = Math.max(high - low, high / 10)
  const paid = single
    .flatMap(({ at, paid }) => paid.map((price) => ({ at, price })))
    .filter(({ price }) => !line || (price >= low - off && price <= high + off))
  const least = Math.min(low, ...paid.map(({ price }) => price))
  const most = Math.max(high, ...paid.map(({ price }) => price))
  const room = Math.max((most - least) / 10, 1)
  return { low: Math.max(least - room, 0), high: most + room, paid }
}

const tickCount = 5

/** Round prices within a range, three to six of them where there is room. */
function ticksOf(low: number, high: number): Tick[] {
  const rough = (high - low) / tickCount
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max([1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough, 1)
  const ticks: Tick[] = []
  for (let price = Math.ceil(low / step) * step; price <= high; price += step) {
    ticks.push({ price, top: round((100 * (high - price)) / (high - low)) })
  }
  return ticks
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
