import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  document.documentElement.lang = 'de'
})
afterEach(() => {
  document.documentElement.lang = ''
  document.querySelector('link[as=fetch]')?.remove()
})

/** A new client, and the language that each of its requests names. */
async function freshClient() {
  const requests: (string | null)[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request.headers.get('X-Tradepost-Language'))
    return new Response('{}', { headers: { 'Content-Type': 'application/json' } })
  })
  const { client } = await import('./client')
  return { client, requests }
}

test('requests name the language of the page, for the messages of errors', async () => {
  const { client, requests } = await freshClient()
  await client.GET('/api/orders/counts')
  await client.POST('/auth/sign-out')
  expect(requests).toEqual(['de', 'de'])
})

test('the first request for what the document names ahead has no header, because the browser would load it twice', async () => {
  const link = document.createElement('link')
  link.rel = 'preload'
  link.setAttribute('as', 'fetch')
  link.href = '/api/orders/counts'
  document.head.append(link)
  const { client, requests } = await freshClient()
  await client.GET('/api/me')
  await client.GET('/api/orders/counts')
  await client.GET('/api/orders/counts')
  expect(requests).toEqual(['de', null, 'de'])
})
