import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openPage } from '@/test/page'
import { notice, order, Server, scrollTo } from '@/test/server'

test('the board shows the total, and each chip its count', async () => {
  const server = new Server().shows([order()], 56)
  server.on('GET /api/orders/counts', () => ({ json: { all: 56, categories: { Miner: 4, Chef: 0 } } }))
  const reader = openPage()
  expect(await screen.findByRole('heading', { name: 'All Requests' })).toBeVisible()
  expect(await screen.findByText('Showing 56 active requests')).toBeVisible()
  await reader.click(await screen.findByRole('button', { name: /^Miner\W*4/ }))
  await waitFor(() => expect(server.calls('GET /api/orders').at(-1)?.query.get('category')).toBe('Miner'))
  expect(location.search).toContain('Miner')
})

test('a search says how far it was counted, and its chips have no counts', async () => {
  const server = new Server()
  server.on('GET /api/orders', () => ({
    json: { orders: [order()], total: 1000, totalIsExact: false, nextCursor: null },
  }))
  server.on('GET /api/orders/counts', () => ({ json: { all: 5600, categories: { Miner: 4 } } }))
  const reader = openPage('/?q=ore')
  expect(await screen.findByText('Showing 1,000+ active requests')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Miner' })).toBeVisible()
  expect(server.calls('GET /api/orders/counts')).toHaveLength(0)
  await reader.clear(screen.getByRole('searchbox'))
  expect(await screen.findByRole('button', { name: /^Miner\W*4/ })).toBeVisible()
})

test('several chips can be chosen, and are one tab stop with arrow keys', async () => {
  const server = new Server().signedIn().shows([order()])
  const reader = openPage('/?category=Miner')
  const chip = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) })
  await reader.click(await chip('Chef'))
  expect(await screen.findByRole('heading', { name: 'Chef and Miner Requests' })).toBeVisible()
  await waitFor(() =>
    expect(server.calls('GET /api/orders').at(-1)?.query.getAll('category')).toEqual(['Chef', 'Miner']),
  )
  expect(new URLSearchParams(location.search).getAll('category')).toEqual(['Chef', 'Miner'])
  expect(await chip('Miner')).toHaveAttribute('aria-pressed', 'true')

  const chips = [...(await screen.findByRole('group', { name: 'Category' })).querySelectorAll('button')]
  expect(chips.filter((one) => one.tabIndex === 0)).toEqual([await chip('Chef')])
  await reader.keyboard('{ArrowRight}{ArrowLeft}{Home}')
  expect(screen.getByRole('switch', { name: 'For me' })).toHaveFocus()
  await reader.keyboard('{ArrowLeft}')
  expect(chips.at(-1)).toHaveFocus()
  await reader.keyboard('{Home}{ArrowRight}{Enter}')
  expect(await screen.findByRole('heading', { name: 'All Requests' })).toBeVisible()
  expect(location.search).toBe('')
})

test('a forgiven typo is said', async () => {
  const server = new Server()
  server.on('GET /api/orders', () => ({
    json: { orders: [order()], total: 1, nextCursor: null, alsoFor: 'iron ore' },
  }))
  openPage('/?q=irn-ore')
  expect(await screen.findByText('iron ore')).toBeVisible()
  expect(screen.getByText(/^Showing results for/)).toHaveTextContent('Showing results for iron ore too.')
})

test('the address restores search, filters and sort', async () => {
  const server = new Server()
  openPage('/?q=ore&category=Miner&sort=price')
  await waitFor(() => expect(server.calls('GET /api/orders').length).toBeGreaterThan(0))
  const { query } = server.calls('GET /api/orders')[0] as { query: URLSearchParams }
  expect(Object.fromEntries(query)).toMatchObject({ q: 'ore', category: 'Miner', sort: 'price' })
  expect(screen.getByRole('searchbox')).toHaveValue('ore')
})

test.each([
  ['/', 'No requests yet'],
  ['/mine', 'No requests posted yet'],
  ['/completed', 'No completed requests yet'],
])('at %s an empty list says so', async (address, sentence) => {
  new Server().signedIn()
  openPage(address)
  expect(await screen.findByText(sentence)).toBeVisible()
  if (address === '/mine') expect(screen.getByRole('button', { name: 'Post Your First Request' })).toBeVisible()
})

test('a board that fails to load can be retried', async () => {
  const server = new Server().fails('GET /api/orders', 400, 'no')
  const reader = openPage()
  expect(await screen.findByText('Failed to load orders. Please try again.')).toBeVisible()
  server.shows([order()])
  await reader.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
})

test('the board loads more as the user scrolls', async () => {
  const server = new Server()
  const pages = [
    { orders: [order()], total: 2, nextCursor: 'after-7' },
    { orders: [order({ id: 6, itemName: 'Tin Ore' })], total: 2, nextCursor: null },
  ]
  server.on('GET /api/orders', ({ query }) => ({ json: pages[query.get('cursor') === 'after-7' ? 1 : 0] }))
  openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  expect(server.calls('GET /api/orders').map(({ query }) => query.get('cursor'))).not.toContain('after-7')
  act(() => scrollTo(screen.getByRole('button', { name: 'Load more' })))
  expect(await screen.findByRole('article', { name: 'Tin Ore' })).toBeVisible()
  expect(screen.getByRole('article', { name: 'Iron Ore' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Load/ })).toBeNull()
})

test('a change before the event stream opens is not missed', async () => {
  const server = new Server().shows([order()])
  server.holdStreams()
  openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  server.shows([order({ version: 4, sold: 160, progress: 32 })]) // without an event
  act(() => server.openStreams())
  expect(await screen.findByText('160 fulfilled')).toBeVisible()
})

test('a change shows on the card without a reload', async () => {
  const server = new Server().shows([order()])
  openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  server.shows([order({ version: 4, sold: 160, progress: 32 })])
  act(() => server.sendEvent('change', { orders: [7], mine: false }))
  expect(await screen.findByText('160 fulfilled')).toBeVisible()
})

test('the theme is stored in this browser', async () => {
  new Server()
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: 'Switch to the dark theme' }))
  expect(localStorage.getItem('tradepost.theme')).toBe('dark')
  await waitFor(() => expect(document.documentElement).toHaveClass('dark'))
  await reader.click(screen.getByRole('button', { name: 'Switch to the light theme' }))
  await waitFor(() => expect(document.documentElement).not.toHaveClass('dark'))
})

test('before the first paint the stored theme applies, or the system preference', async () => {
  const { readFileSync } = await import('node:fs')
  const script = readFileSync('public/theme.js', 'utf8')
  document.head.innerHTML = '<meta name="theme-color" content="">'
  for (const [stored, systemDark, dark] of [
    [null, true, true],
    [null, false, false],
    ['light', true, false],
    ['dark', false, true],
  ] as const) {
    localStorage.clear()
    if (stored) localStorage.setItem('tradepost.theme', stored)
    vi.stubGlobal('matchMedia', () => ({ matches: systemDark }))
    new Function(script)()
    expect(document.documentElement.classList.contains('dark')).toBe(dark)
  }
})

test('an unknown address shows Page not found', async () => {
  new Server()
  openPage('/nowhere')
  expect(await screen.findByText('Page not found')).toBeVisible()
})

test('an accepted offer shows on every page', async () => {
  const server = new Server().signedIn([], { unread: 1 })
  server.on('GET /api/me/notices', () => ({
    json: {
      notices: [
        notice({ id: 91, kind: 'offer_accepted', quantity: 5, read: false }),
        notice({ id: 90, kind: 'offer_accepted', itemName: 'Coal', read: false }),
      ],
      unread: 2,
      nextCursor: null,
    },
  }))
  openPage('/completed')
  await screen.findByText('No completed requests yet')
  expect(server.calls('GET /api/me/notices')).toHaveLength(0)
  server.signedIn([], { unread: 2 })
  act(() => server.sendEvent('change', { orders: [7], mine: true }))
  expect(await screen.findByText('Your offer was accepted: 5 × Iron Ore.')).toBeVisible()
  expect(screen.queryByText(/Coal/)).toBeNull() // it was accepted before
})
