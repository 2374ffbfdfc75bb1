import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openPage } from '@/test/page'
import { order, Server, scrollTo } from '@/test/server'

test('the board says how many there are, and the chips how many of each', async () => {
  const server = new Server().shows([order()], 56)
  server.on('GET /api/orders/counts', () => ({ json: { all: 56, categories: { Miner: 4, Chef: 0 } } }))
  const reader = openPage()
  expect(await screen.findByRole('heading', { name: 'All Requests' })).toBeVisible()
  expect(await screen.findByText('Showing 56 active requests')).toBeVisible()
  await reader.click(await screen.findByRole('button', { name: /^Miner\W*4/ }))
  await waitFor(() => expect(server.calls('GET /api/orders').at(-1)?.query.get('category')).toBe('Miner'))
  expect(location.search).toContain('Miner')
})

test('an address brings back its search, filters and sort', async () => {
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

test('a board that does not load can be asked for again', async () => {
  const server = new Server().refuses('GET /api/orders', 400, 'no')
  const reader = openPage()
  expect(await screen.findByText('Failed to load orders. Please try again.')).toBeVisible()
  server.shows([order()])
  await reader.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
})

test('the board loads on as the reader scrolls', async () => {
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

test('what changed before the stream of news was open is not missed', async () => {
  const server = new Server().shows([order()])
  server.holdsStreams()
  openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  server.shows([order({ version: 4, sold: 160, progress: 32 })]) // nobody is told
  act(() => server.opensStreams())
  expect(await screen.findByText('160 fulfilled')).toBeVisible()
})

test('news of a change shows on the card without a reload', async () => {
  const server = new Server().shows([order()])
  openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  server.shows([order({ version: 4, sold: 160, progress: 32 })])
  act(() => server.news('change', { orders: [7], mine: false }))
  expect(await screen.findByText('160 fulfilled')).toBeVisible()
})

test('the theme is the one chosen in this browser, and the system preference where none was', async () => {
  new Server()
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: 'Switch to the dark theme' }))
  expect(document.documentElement).toHaveClass('dark')
  expect(localStorage.getItem('tradepost.theme')).toBe('dark')
  await reader.click(screen.getByRole('button', { name: 'Switch to the light theme' }))
  expect(document.documentElement).not.toHaveClass('dark')
})

test('before the page is painted the stored theme decides, else the system', async () => {
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

test('an address that is none says so', async () => {
  new Server()
  openPage('/nowhere')
  expect(await screen.findByText('There is nothing at this address')).toBeVisible()
})
