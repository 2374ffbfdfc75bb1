import { expect, test } from 'vitest'
import { versionText } from './version'

test('the foot says a version that a person can read', () => {
  expect(versionText('0.9.0', '2026-11-28')).toMatch(/^Tradepost 0\.9\.0 · (28 November|November 28,) 2026$/)
  expect(versionText('', '2026-11-28')).toMatch(/^Tradepost · /)
  expect(versionText('0.9.0', '')).toBe('Tradepost 0.9.0')
  expect(versionText('', '')).toBe('')
})
