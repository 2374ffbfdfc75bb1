import { expect, test } from 'vitest'
import { chartOf, type PriceDay } from './chart'

const price = (median: number) => ({
  ...{
    median,
    low: median - 10,
    high: median + 10,
    medianFrom: median,
    medianTo: median,
    fills: 5,
    trades: 9,
    circles: 3,
  },
})
const days = (...medians: (number | null)[]): PriceDay[] =>
  medians.map((median, i) => ({ day: `2026-11-0${i + 1}`, price: median === null ? null : price(median), fills: i }))

test('a chart has a line and a band for each part without a gap', () => {
  const chart = chartOf(days(100, 120, null, 110))
  expect(chart?.lines).toHaveLength(2)
  expect(chart?.bands).toHaveLength(2)
  expect(chart?.lines[0]).toBe('M0,141.7L300,58.3')
})

test('one price, and always the same one, can be drawn too', () => {
  expect(chartOf(days(null, 100, null))?.lines[0]).toMatch(/^M450,100L720,100$/)
  expect(chartOf([{ day: '2026-11-01', price: { ...price(5), low: 5, high: 5 }, fills: 0 }])?.lines[0]).not.toContain(
    'NaN',
  )
})

test('without a price there is no chart', () => expect(chartOf(days(null, null))).toBeNull())

test('single trades are points, in the room of the prices', () => {
  const few = days(null, null, null).map((day, i) => (i === 1 ? day : { ...day, singles: [100 + 10 * i, 120] }))
  const chart = chartOf(few)
  expect([chart?.lines, chart?.bands]).toEqual([[], []])
  expect(chart?.points.split('M').slice(1)).toEqual(['0,183.3h0', '0,16.7h0', '900,16.7h0', '900,16.7h0'])
})

test('beside a line, a trade far off is left out, so that it does not flatten the others', () => {
  const slip = days(100, 100, 100).map((day, i) => ({ ...day, singles: [100 + i, i === 1 ? 90_000 : 95] }))
  const chart = chartOf(slip)
  expect(chart?.points.split('M').slice(1)).toHaveLength(5)
  expect(chart?.ticks.at(-1)?.price).toBeLessThan(120)
})

test('the lines of a chart are at round prices', () => {
  expect(chartOf(days(57, 58, 62))?.ticks.map(({ price }) => price)).toEqual([50, 60, 70])
  expect(chartOf(days(100, 120, null, 110))?.ticks).toHaveLength(5)
})
