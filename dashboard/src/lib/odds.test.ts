import { expect, test } from 'vitest'
import { type OddsStep, oddsAt } from './odds'

const step = (price: number, ...percents: number[]): OddsStep => ({
  price,
  requests: 10,
  ended: 9,
  within: percents.map((percent, i) => ({ days: [2, 7][i] ?? 0, filled: 1, percent, low: 0, high: 100 })),
})

test('the odds are those of requests that pay as much or more, and a better price is clearly better', () => {
  const steps = [step(100, 40, 60), step(110, 45, 65), step(140, 40, 70), step(200, 90, 100)]
  expect(oddsAt(steps, 90n)).toEqual({ here: steps[0], better: steps[2] })
  expect(oddsAt(steps, 101n)).toEqual({ here: steps[1], better: steps[3] })
  expect(oddsAt(steps, 200n)).toEqual({ here: steps[3], better: undefined })
  expect(oddsAt(steps, 201n)).toEqual({ here: undefined, better: undefined })
})
