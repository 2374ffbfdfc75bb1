import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loaded } from './loaded'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const failing = (times: number) => {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= times) throw new Error('no connection')
    return 'code'
  })
  return load
}

test('without a connection, code is loaded as soon as there is one', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const load = failing(20)
  const answer = loaded(load)
  await vi.advanceTimersByTimeAsync(19 * 3000)
  expect(load).toHaveBeenCalledTimes(20)
  online.mockReturnValue(true)
  await vi.advanceTimersByTimeAsync(3000)
  expect(await answer).toBe('code')
})

test('with a connection, code that has gone is asked for three times', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  const load = failing(20)
  const answer = loaded(load).catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await answer).toBe('no connection')
  expect(load).toHaveBeenCalledTimes(3)
})
