import { expect, test, vi } from 'vitest'
import { client } from './client'

test('reads bypass the cache for a moment after a write', async () => {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(`${request.method} ${request.headers.get('Cache-Control') ?? 'cached'}`)
    return new Response('{}', { headers: { 'Content-Type': 'application/json' } })
  })
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  await client.GET('/api/orders/counts')
  await client.POST('/auth/sign-out')
  await client.GET('/api/orders/counts')
  vi.setSystemTime(Date.now() + 2_500)
  await client.GET('/api/orders/counts')
  expect(requests).toEqual(['GET cached', 'POST cached', 'GET no-cache', 'GET cached'])
})
