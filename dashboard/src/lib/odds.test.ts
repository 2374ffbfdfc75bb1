import { expect, test } from 'vitest'
import { describeOdds, type Odds, type OddsStep, oddsAt } from './odds'

const step = (price: number, of: OddsStep['of'], ...percents: number[]): OddsStep => ({
  ...{ price, of, buyers: 9 },
  within: percents.map((percent, i) => ({ days: [2, 7][i] ?? 0, percent })),
})
const odds: Odds = {
  lowest: 90,
  near: [],
  steps: [step(90, 'item', 20, 30), step(100, 'item', 25, 38), step(120, 'kind', 30, 41), step(200, 'none')],
}

test('odds are those from a price up to the next', () => {
  expect(oddsAt(odds, 99n)).toEqual({ here: odds.steps[0], better: odds.steps[2] })
  expect(oddsAt(odds, 100n)).toEqual({ here: odds.steps[1], better: undefined })
  expect(oddsAt(odds, 199n).here).toEqual(odds.steps[2])
  expect(oddsAt(odds, 200n)).toEqual({})
})

test('below the lowest price that was paid there are none', () => {
  expect(oddsAt(odds, 89n)).toEqual({ lowest: 90 })
  expect(oddsAt({ ...odds, lowest: null }, 89n)).toEqual({})
})

test('odds name the requests that they come from', () => {
  expect(describeOdds(step(1, 'item', 20, 30))).toBe(
    'about 20% of requests are filled within 2 days, 30% within 7 (9 buyers)',
  )
  expect(describeOdds(step(1, 'kind', 20, 30))).toMatch(/9 buyers of its kind/)
  expect(describeOdds(step(1, 'market', 20, 30))).toMatch(/based on all items/)
})
