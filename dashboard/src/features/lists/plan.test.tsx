import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Plan, PlanLine } from '@/api/lists'
import { openPage, withFeatures } from '@/test/page'
import { order, Server } from '@/test/server'

const fern = { id: 7, username: 'fern', displayName: 'Fern' }
const rowan = { id: 8, username: 'rowan', displayName: 'Rowan' }
const listing = (id: number, seller: typeof fern, price: number, take: number, atOnce = false) => ({
  id,
  seller,
  price,
  take,
  atOnce,
  left: 40,
  note: '',
})
const line = (part: Partial<PlanLine>): PlanLine => ({
  number: 1,
  text: '30x Iron Ore 5s',
  why: null,
  itemName: 'Iron Ore',
  itemId: 1,
  quantity: 30,
  price: 5000,
  typed: true,
  listings: [listing(3, fern, 3000, 20, true), listing(4, rowan, 4200, 10)],
  request: 0,
  odds: null,
  ...part,
})
const logs = line({
  number: 2,
  itemName: 'Oak Log',
  itemId: 2,
  quantity: 10,
  price: 2000,
  listings: [listing(5, rowan, 1500, 8)],
  request: 2,
  odds: { days: 7, percent: 78 },
})
const plan: Plan = { weight: 3000, lines: [line({}), logs] }

type Asked = { text: string; prefer: string; without: number[]; edits: object[] }

/** Opens the form with a plan for two lines. */
async function planned(server: Server) {
  server.on('GET /api/me/lists', () => ({ json: { lists: [] } }))
  server.on('POST /api/lists/plan', () => ({ json: plan }))
  const reader = openPage('/lists/new')
  await reader.click(await screen.findByRole('textbox', { name: 'Requests' }))
  await reader.paste('30x Iron Ore 5s\n10x Oak Log 2s')
  await reader.click(screen.getByRole('button', { name: 'Find the Cheapest Way' }))
  await screen.findByRole('heading', { name: 'The cheapest way' })
  return reader
}

test('a plan says what it costs, from how many people, and what waits', async () => {
  const off = withFeatures('lists listings')
  await planned(new Server().signedIn())
  expect(screen.getByText(/^38 of 40 for/)).toHaveTextContent(/from 2 people$/)
  expect(screen.getByText('20 agreed at once')).toBeVisible()
  expect(screen.getByText(/^18 wait for the sellers' answers/)).toBeVisible()
  const rows = screen.getByRole('list', { name: 'Lines of the plan' })
  const [ore, log] = within(rows).getAllByRole('spinbutton')
  expect(ore).toHaveAccessibleName('How many: Iron Ore')
  expect(log).toHaveValue(10)
  expect(screen.getByText(/78% of such requests are filled within 7 days/)).toBeVisible()
  off()
})

test('a plan is edited: without a seller, with fewer, by request, without a line', async () => {
  const off = withFeatures('lists listings')
  const server = new Server().signedIn()
  const reader = await planned(server)
  const last = () => server.calls('POST /api/lists/plan').at(-1)?.body as Asked
  await reader.click(screen.getByRole('button', { name: 'Leave out Fern' }))
  await waitFor(() => expect(last().without).toEqual([7]))
  await reader.click(screen.getByRole('button', { name: 'Take Fern back in' }))
  await waitFor(() => expect(last().without).toEqual([]))
  for (const line of screen.getAllByText(/details and changes$/)) await reader.click(line)
  await reader.click(screen.getByRole('button', { name: 'Request Oak Log instead of buying it' }))
  await waitFor(() => expect(last().edits).toEqual([{ number: 2, request: true }]))
  await reader.click(screen.getByRole('button', { name: 'Leave out Iron Ore' }))
  await waitFor(() => expect(last().edits).toContainEqual({ number: 1, quantity: 0 }))
  await reader.click(screen.getByRole('button', { name: 'Fewest people' }))
  await waitFor(() => expect(last().prefer).toBe('people'))
  off()
})

test('a plan is posted with one press, and names what changed meanwhile', async () => {
  const off = withFeatures('lists listings')
  const server = new Server().signedIn()
  const reader = await planned(server)
  await reader.type(screen.getByLabelText('Name of the list'), 'Guild hall')
  server.fails('POST /api/lists/planned', 422, 'The price has changed', {
    errors: { 'lines[2]': 'The price has changed' },
  })
  await reader.click(screen.getByRole('button', { name: 'Post This Plan' }))
  expect(await screen.findByText('Iron Ore: The price has changed')).toBeVisible()
  await waitFor(() => expect(server.calls('POST /api/lists/plan')).toHaveLength(2))
  const list = {
    id: 5,
    userId: 1,
    name: 'Guild hall',
    createdAt: new Date().toISOString(),
    progress: { orders: 2, done: 1, wanted: 40, sold: 20, percent: 50 },
    orders: [
      order({ listId: 5, listingId: 4, userId: 1 }),
      order({ id: 8, listId: 5, listingId: 3, userId: 1, status: 'fulfilled', closeReason: 'filled' }),
    ],
  }
  server.on('POST /api/lists/planned', () => ({ status: 201, json: { listId: 5, agreed: 1, asked: 2, requested: 1 } }))
  server.on('GET /api/lists/5', () => ({ json: list }))
  server.on('GET /api/lists/5/for-sale', () => ({ json: { lines: [] } }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Post This Plan' })).toBeEnabled())
  await reader.click(screen.getByRole('button', { name: 'Post This Plan' }))
  expect(await screen.findByRole('heading', { name: 'Guild hall' })).toBeVisible()
  expect(server.calls('POST /api/lists/planned').at(-1)?.body).toMatchObject({
    name: 'Guild hall',
    buyerContact: 'maple',
    lines: [
      { itemName: 'Iron Ore', listingId: 3, quantity: 20, price: 3000 },
      { itemName: 'Iron Ore', listingId: 4, quantity: 10, price: 4200 },
      { itemName: 'Oak Log', listingId: 5, quantity: 8, price: 1500 },
      { itemName: 'Oak Log', quantity: 2, price: 2000 },
    ],
  })
  expect(await screen.findByText(/^Asked a seller, who can answer until/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Agreed. See your trade' })).toHaveAttribute('href', '/trades')
  off()
})

test('what is left of a posted list is planned, and its requests are replaced', async () => {
  const off = withFeatures('lists listings')
  const server = new Server().signedIn()
  const progress = { orders: 2, done: 0, wanted: 70, sold: 10, percent: 14 }
  const open = order({ itemName: 'Iron Ore', listId: 5, quantity: 50, sold: 10, maxPricePerUnit: 5000, userId: 1 })
  const asked = order({ id: 8, listId: 5, listingId: 4, userId: 1 })
  const list = { id: 5, userId: 1, name: 'Guild hall', createdAt: new Date().toISOString(), progress }
  server.on('GET /api/lists/5', () => ({ json: { ...list, orders: [open, asked] } }))
  server.on('GET /api/me/lists', () => ({ json: { lists: [] } }))
  server.on('POST /api/lists/plan', () => ({ json: plan }))
  server.on('POST /api/lists/planned', () => ({ status: 201, json: { listId: 5, agreed: 1, asked: 2, requested: 1 } }))
  const reader = openPage('/lists/new?from=5')
  expect(await screen.findByText(/closes the open requests of Guild hall/)).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Requests' })).toHaveValue('40x Iron Ore 5s')
  await reader.click(await screen.findByRole('button', { name: 'Post This Plan' }))
  await waitFor(() => expect(server.calls('POST /api/lists/planned')).toHaveLength(1))
  expect(server.calls('POST /api/lists/planned')[0]?.body).toMatchObject({ name: 'Guild hall', replaces: 5 })
  off()
})

test('without listings there is nothing to plan', async () => {
  const off = withFeatures('lists')
  const server = new Server().signedIn()
  server.on('GET /api/me/lists', () => ({ json: { lists: [] } }))
  openPage('/lists/new')
  expect(await screen.findByRole('button', { name: 'Preview' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Find the Cheapest Way' })).toBeNull()
  off()
})
