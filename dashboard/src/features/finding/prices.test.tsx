import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Saved } from '@/api/types'
import { choose, openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  return withFeatures('items watches stock listings')
})

const item = {
  id: 12,
  name: 'Iron Ore',
  kind: '',
  region: '',
  madeBy: ['Miner'],
  usedBy: [],
  provisional: false,
  gone: false,
  open: 0,
}

const saved = (change: Partial<Saved>): Saved => ({
  id: 4,
  watch: true,
  bell: true,
  name: 'Iron Ore',
  items: [12],
  kind: '',
  q: '',
  category: [],
  importance: [],
  level: 0,
  minPrice: 0,
  maxPrice: 0,
  forMe: false,
  minQuantity: 0,
  sort: 'newest',
  view: '',
  way: 'direct',
  pause: 0,
  snoozedUntil: null,
  createdAt: '2026-05-01T12:00:00Z',
  updatedAt: '2026-05-01T12:00:00Z',
  ...change,
})

function withAlerts(server: Server, list: Saved[]) {
  server.on('GET /api/me/saved', () => ({ json: { saved: list } }))
  server.on('GET /api/me/watches', () => ({ json: { watches: [], mutedBuyers: [] } }))
  server.on('GET /api/catalogue/12', () => ({ json: item }))
  server.on('GET /api/catalogue/12/stock', () => ({ json: { sellers: 0, quantity: 0, upTo: 0, public: [] } }))
  server.on('GET /api/listings', () => ({ json: { listings: [], total: 0, totalIsExact: true, nextCursor: null } }))
  server.on('POST /api/me/watches/try', () => ({ json: { fired: 3, days: 30 } }))
  return server
}

test('a price alert is set on the page of an item, for either side, and removed there', async () => {
  const list: Saved[] = []
  const server = withAlerts(new Server().signedIn().shows([]), list)
  server.on('POST /api/me/watches', ({ body }) => {
    const made = saved({ id: 7 + list.length, ...(body as Partial<Saved>) })
    list.push(made)
    return { status: 201, json: made }
  })
  server.on('DELETE /api/me/watches/7', () => {
    list.splice(0, 1)
    return { status: 204 }
  })
  const reader = openPage('/items/12/iron-ore')
  const section = within(await screen.findByRole('region', { name: 'Price alerts' }))
  await reader.click(section.getByRole('button', { name: 'Tell me' }))
  expect(await section.findByText('Enter a price')).toBeVisible()
  await reader.type(section.getByLabelText('Price per unit'), '4s')
  await reader.click(section.getByRole('button', { name: 'Tell me' }))
  const own = within(await section.findByRole('list', { name: 'Your price alerts for Iron Ore' }))
  expect(own.getByText('for sale · up to 4s')).toBeVisible()
  await choose(reader, section.getByLabelText('When'), 'Wanted for at least')
  await reader.type(section.getByLabelText('Price per unit'), '6s')
  await reader.click(section.getByRole('button', { name: 'Tell me' }))
  expect(await own.findByText('from 6s')).toBeVisible()
  expect(server.calls('POST /api/me/watches').map((call) => call.body)).toMatchObject([
    { name: 'Iron Ore for sale up to 4s', items: [12], side: 'sale', maxPrice: 4000, way: 'direct' },
    { name: 'Iron Ore wanted from 6s', items: [12], minPrice: 6000, way: 'direct' },
  ])
  await reader.click(own.getByRole('button', { name: 'Remove: Iron Ore for sale up to 4s' }))
  expect(await screen.findByText('“Iron Ore for sale up to 4s” is removed.')).toBeVisible()
  expect(own.queryByText('for sale · up to 4s')).toBeNull()
})

test('a visitor is asked to sign in', async () => {
  withAlerts(new Server().shows([]), [])
  const reader = openPage('/items/12/iron-ore')
  const section = within(await screen.findByRole('region', { name: 'Price alerts' }))
  await reader.type(section.getByLabelText('Price per unit'), '4s')
  await reader.click(section.getByRole('button', { name: 'Tell me' }))
  expect(await screen.findByRole('dialog')).toHaveTextContent('Discord')
})

test('without listings there are no price alerts', async () => {
  document.head.querySelector<HTMLMetaElement>('meta[name=features]')?.setAttribute('content', 'items watches stock')
  withAlerts(new Server().signedIn().shows([]), [])
  openPage('/items/12/iron-ore')
  expect(await screen.findByRole('button', { name: 'Save' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Price alerts' })).toBeNull()
})

test('the name of a price alert follows its price, and one of its own stays', async () => {
  const list = [
    saved({ name: 'Iron Ore for sale up to 4s', side: 'sale', maxPrice: 4000 }),
    saved({ id: 5, name: 'Cheap iron', side: 'sale', maxPrice: 3000 }),
  ]
  const server = withAlerts(new Server().signedIn(), list)
  for (const id of [4, 5]) server.on(`PUT /api/me/watches/${id}`, () => ({ json: saved({ id }) }))
  const reader = openPage('/selling/saved')
  for (const [name, price] of [
    ['Iron Ore for sale up to 4s', '5s'],
    ['Cheap iron', '2s'],
  ] as const) {
    await reader.click(await screen.findByRole('button', { name: `More for ${name}` }))
    await reader.click(await screen.findByRole('menuitem', { name: 'Change' }))
    const form = within(await screen.findByRole('form', { name: `Change ${name}` }))
    await reader.clear(form.getByLabelText('Price at most'))
    await reader.type(form.getByLabelText('Price at most'), price)
    await reader.click(form.getByRole('button', { name: 'Save' }))
  }
  expect(server.calls('PUT /api/me/watches/4')[0]?.body).toMatchObject({
    name: 'Iron Ore for sale up to 5s',
    maxPrice: 5000,
  })
  expect(server.calls('PUT /api/me/watches/5')[0]?.body).toMatchObject({ name: 'Cheap iron', maxPrice: 2000 })
})
