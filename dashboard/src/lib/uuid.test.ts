import { afterEach, expect, test, vi } from 'vitest'
import { uuid } from './uuid'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('without HTTPS it still generates valid UUIDs', () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  const made = new Set(Array.from({ length: 50 }, uuid))
  expect(made.size).toBe(50)
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
