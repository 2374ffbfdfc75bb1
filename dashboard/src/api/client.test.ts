import { expect, test, vi } from 'vitest'
import { client } from './client'

test('for a moment after a write, what is read is read anew', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(`${request.method} ${request.headers.get('Cache-Control') ?? 'as it is kept'}`)
    return new Response('{}', { headers: { 'Content-Type': 'application/json' } })
  })
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  await client.GET('/api/orders/counts')
  await client.POST('/auth/sign-out')
  await client.GET('/api/orders/counts')
  vi.setSystemTime(Date.now() + 2_500)
  await client.GET('/api/orders/counts')
  expect(asked).toEqual(['GET as it is kept', 'POST as it is kept', 'GET no-cache', 'GET as it is kept'])
})
