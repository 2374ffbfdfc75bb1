import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Order } from '@/api/types'
import { openPage } from '@/test/page'
import { order, Server } from '@/test/server'

const ore = order({ id: 1, itemName: 'Iron Ore' })
const coal = order({ id: 2, itemName: 'Coal' })

/** The board with two requests on it, open and listening. */
async function openBoard() {
  const server = new Server().shows([ore, coal])
  const reader = openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  await waitFor(() => expect(server.streamsOpened).toBe(1))
  return { server, reader }
}

const names = () => screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent)

test('a change rerenders only its own card', async () => {
  const { server } = await openBoard()
  const other = screen.getByRole('article', { name: 'Coal' })
  const before = other.innerHTML
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, sold: 400, progress: 80 } }))
  act(() => server.sendEvent('change', { orders: [1], mine: false }))
  expect(await screen.findByText('400 fulfilled')).toBeVisible()
  expect(screen.getByRole('article', { name: 'Coal' })).toBe(other)
  expect(other.innerHTML).toBe(before)
})

test('a list fetched before a change does not overwrite it', async () => {
  const { server } = await openBoard()
  const held: (() => void)[] = []
  const past = { orders: [ore, coal], total: 12, nextCursor: null }
  const asked = server.calls('GET /api/orders').length
  server.on('GET /api/orders', () => new Promise((resolve) => held.push(() => resolve({ json: past }))))
  act(() => server.sendEvent('resync'))
  await waitFor(() => expect(server.calls('GET /api/orders').length).toBeGreaterThan(asked))
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, sold: 400, progress: 80 } }))
  server.on('GET /api/orders/2', () => ({ json: { ...coal, version: 9, status: 'fulfilled', progress: 100 } }))
  act(() => server.sendEvent('change', { orders: [1, 2], mine: false }))
  expect(await screen.findByText('400 fulfilled')).toBeVisible()
  for (const answer of held) answer()
  expect(await screen.findByText('Showing 11 active requests')).toBeVisible()
  expect(names()).toEqual(['Iron Ore'])
  expect(screen.getByText('400 fulfilled')).toBeVisible()
})

test('an outdated response changes nothing', async () => {
  const { server } = await openBoard()
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, sold: 400, progress: 80 } }))
  act(() => server.sendEvent('change', { orders: [1], mine: false }))
  await screen.findByText('400 fulfilled')
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 8, sold: 300, progress: 60 } }))
  server.on('GET /api/orders/2', () => ({ json: { ...coal, version: 9, sold: 450, progress: 90 } }))
  act(() => server.sendEvent('change', { orders: [1, 2], mine: false }))
  expect(await screen.findByText('450 fulfilled')).toBeVisible()
  expect(screen.getByText('400 fulfilled')).toBeVisible()
})

test('counts are asked for again only when a request joins or leaves', async () => {
  const { server } = await openBoard()
  const counted = () => server.calls('GET /api/orders/counts').length
  const before = counted()
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, sold: 400, progress: 80 } }))
  act(() => server.sendEvent('change', { orders: [1], mine: false }))
  await screen.findByText('400 fulfilled')
  expect(counted()).toBe(before)
  server.on('GET /api/orders/2', () => ({ json: { ...coal, version: 9, status: 'fulfilled', progress: 100 } }))
  act(() => server.sendEvent('change', { orders: [2], mine: false }))
  await waitFor(() => expect(counted()).toBe(before + 1))
})

test('a request that closes leaves the board and its count', async () => {
  const { server } = await openBoard()
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, status: 'fulfilled', progress: 100 } }))
  act(() => server.sendEvent('change', { orders: [1], mine: false }))
  expect(await screen.findByText('Showing 1 active request')).toBeVisible()
  expect(names()).toEqual(['Coal'])
})

test('a request that is deleted leaves the board and its count', async () => {
  const { server } = await openBoard()
  server.fails('GET /api/orders/1', 404, 'That is no longer here')
  act(() => server.sendEvent('change', { orders: [1], mine: false }))
  expect(await screen.findByText('Showing 1 active request')).toBeVisible()
  expect(names()).toEqual(['Coal'])
})

test('a new request comes in at the top', async () => {
  const { server } = await openBoard()
  server.shows([order({ id: 3, itemName: 'Pearl' }), ore, coal])
  act(() => server.sendEvent('change', { orders: [3], mine: false }))
  expect(await screen.findByRole('article', { name: 'Pearl' })).toBeVisible()
  expect(names()).toEqual(['Pearl', 'Iron Ore', 'Coal'])
  expect(screen.getByText('Showing 3 active requests')).toBeVisible()
})

test('a new request that the server could not list comes in without another event', async () => {
  const { server } = await openBoard()
  const asked = server.calls('GET /api/orders').length
  server.on('GET /api/orders', () => ({ status: 503, json: {} }))
  act(() => server.sendEvent('change', { orders: [3], mine: false }))
  await waitFor(() => expect(server.calls('GET /api/orders').length).toBeGreaterThan(asked))
  server.shows([order({ id: 3, itemName: 'Pearl' }), ore, coal])
  await waitFor(() => expect(names()).toEqual(['Pearl', 'Iron Ore', 'Coal']), { timeout: 15_000 })
})

test('a new request waits behind a button when the reader has scrolled', async () => {
  const { server, reader } = await openBoard()
  Object.defineProperty(window, 'scrollY', { value: 1500, configurable: true })
  server.shows([order({ id: 3, itemName: 'Pearl' }), ore, coal])
  act(() => server.sendEvent('change', { orders: [3], mine: false }))
  const pill = await screen.findByRole('button', { name: '1 new' })
  expect(names()).toEqual(['Iron Ore', 'Coal'])
  await reader.click(pill)
  expect(names()).toEqual(['Pearl', 'Iron Ore', 'Coal'])
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true })
})

test('after a gap everything shown is refetched', async () => {
  const { server } = await openBoard()
  server.shows([{ ...ore, version: 9, sold: 490, progress: 98 }, coal])
  act(() => server.sendEvent('resync'))
  expect(await screen.findByText('490 fulfilled')).toBeVisible()
})

/** What the server says with a change: the requests that are open, and the numbers of the others. */
const described = (changed: Order[], gone: number[] = [], counts?: object) => ({
  orders: [...changed.map((o) => o.id), ...gone],
  mine: false,
  changed,
  gone,
  counts,
})

test('an event updates the page without a request', async () => {
  const { server, reader } = await openBoard()
  for (const asked of ['GET /api/orders', 'GET /api/orders/counts'])
    await waitFor(() => expect(server.calls(asked).length).toBeGreaterThan(1)) // caught up
  const asked = server.received.length
  act(() => server.sendEvent('change', described([{ ...ore, version: 9, sold: 400, progress: 80 }])))
  expect(await screen.findByText('400 fulfilled')).toBeVisible()
  const pearl = order({ id: 3, itemName: 'Pearl', createdAt: new Date().toISOString() })
  act(() => server.sendEvent('change', described([pearl], [2], { all: 41, categories: { Miner: 41 } })))
  expect(await screen.findByRole('article', { name: 'Pearl' })).toBeVisible()
  await waitFor(() => expect(names()).toEqual(['Pearl', 'Iron Ore']))
  expect(await screen.findByText('Showing 41 active requests')).toBeVisible()

  Object.defineProperty(window, 'scrollY', { value: 1500, configurable: true })
  const [opal, gem] = [4, 5].map((id) => order({ id, itemName: `Opal ${id}`, createdAt: new Date().toISOString() }))
  act(() => server.sendEvent('change', described([opal as Order, gem as Order])))
  await screen.findByRole('button', { name: '2 new' })
  act(() => server.sendEvent('change', described([], [5])))
  await reader.click(await screen.findByRole('button', { name: '1 new' }))
  expect(names()).toEqual(['Opal 4', 'Pearl', 'Iron Ore'])
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true })
  expect(server.received.slice(asked).map((call) => `${call.method} ${call.path}`)).toEqual([])
})

test('a request that is described after one that is not is asked for', async () => {
  const { server } = await openBoard()
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, sold: 400, progress: 80 } }))
  server.on('GET /api/orders/2', () => ({ json: { ...coal, version: 9, sold: 450, progress: 90 } }))
  act(() => {
    server.sendEvent('change', described([{ ...ore, version: 8, sold: 300, progress: 60 }]))
    server.sendEvent('change', { orders: [1, 2], mine: false })
  })
  expect(await screen.findByText('400 fulfilled')).toBeVisible()
  expect(await screen.findByText('450 fulfilled')).toBeVisible()
})
