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
  expect(chart?.lines[0]).toBe('M0,116.2L300,47.8')
  expect([chart?.low, chart?.high]).toEqual([86, 134])
})

test('one price, and always the same one, can be drawn too', () => {
  expect(chartOf(days(null, 100, null))?.lines[0]).toMatch(/^M450,82L720,82$/)
  expect(chartOf([{ day: '2026-11-01', price: { ...price(5), low: 5, high: 5 }, fills: 0 }])?.lines[0]).not.toContain(
    'NaN',
  )
})

test('the trades of each day are bars, the most of a day the highest', () => {
  const chart = chartOf(days(100, 120, null, 110))
  expect(chart?.busiest).toBe(3)
  expect(chart?.bars.split('Z').slice(0, -1)).toEqual(['M258.8,200v-10.7h157.5V200', 'M708.8,200v-32h157.5V200'])
})

test('without a price there is no chart', () => expect(chartOf(days(null, null))).toBeNull())

test('single trades of days without a price are points, in the room of the prices', () => {
  const few = days(null, null, null).map((day, i) => (i === 1 ? day : { ...day, singles: [100 + 10 * i, 120] }))
  const chart = chartOf(few)
  expect([chart?.lines, chart?.bands, chart?.bars]).toEqual([[], [], ''])
  expect(chart?.points.split('M').slice(1)).toEqual(['0,150.3h0', '0,13.7h0', '900,13.7h0', '900,13.7h0'])
})
