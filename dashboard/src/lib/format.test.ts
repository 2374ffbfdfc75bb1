import { expect, test } from 'vitest'
import { relativeDay, relativeTime } from './format'

const now = new Date(2026, 10, 21, 9, 0)
const at = (...[day, hour, minute = 0]: [number, number, number?]) =>
  new Date(2026, 10, day, hour, minute).toISOString()

test.each([
  [at(21, 0, 1), 'today'],
  [at(20, 23, 59), 'yesterday'],
  [at(18, 12), '3 days ago'],
  [at(22, 1), 'tomorrow'],
  [at(28, 8), 'in 7 days'],
])('%s is %s', (iso, words) => {
  expect(relativeDay(iso, now)).toBe(words)
})

test.each([
  [at(21, 9), 'just now'],
  [at(21, 8, 55), '5 minutes ago'],
  [at(21, 6), '3 hours ago'],
  [at(20, 9), 'yesterday'],
])('%s was %s', (iso, words) => {
  expect(relativeTime(iso, now)).toBe(words)
})
