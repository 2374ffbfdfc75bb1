import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Item } from '@/api/types'
import { card, choose, dialog, openPage, withFeatures } from '@/test/page'
import { order, Server } from '@/test/server'

const ore: Item = {
  id: 12,
  name: 'Caric Adathril Ore',
  kind: 'Adathril Ore',
  region: 'Mine of Mantuban',
  madeBy: ['Miner'],
  madeAtLevel: 180,
  usedBy: ['Blacksmith'],
  usedAtLevel: 178,
  tradeable: true,
  link: '',
  provisional: false,
  gone: false,
  proposes: { category: 'Miner', level: 180 },
}
const other: Item = { ...ore, id: 13, name: 'Masic Adathril Ore', madeAtLevel: 294 }

/** A server with a catalogue, as the head of the page says. */
function withItems(...on: string[]) {
  onTestFinished(withFeatures(['items', ...on].join(' ')))
  const server = new Server().signedIn()
  server.on('GET /api/items', () => ({ json: { items: [] } }))
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [ore], named: ore } }))
  server.on('GET /api/catalogue', () => ({ json: { items: [ore, other], nextCursor: null } }))
  server.on('GET /api/catalogue/12', () => ({ json: ore }))
  server.on('GET /api/catalogue/12/prices', () => ({
    json: {
      itemId: 12,
      young: false,
      onTheirWay: 0,
      windows: [{ days: 90, price: null }],
      usual: null,
      asked: null,
      days: [],
    },
  }))
  return server
}

test('the page of an item has its facts, its kin and its open requests, and begins a request', async () => {
  const server = withItems('prices').shows([order({ itemName: 'caric adathril ORE', itemId: 12 })])
  const reader = openPage('/items/12')
  expect(await screen.findByRole('heading', { level: 1, name: ore.name })).toBeVisible()
  await waitFor(() => expect(location.pathname).toBe('/items/12/caric-adathril-ore'))
  const makers = within(screen.getByRole('region', { name: 'Made and used by' }))
  expect(makers.getByText('from level 180')).toBeVisible()
  expect(makers.getByRole('link', { name: 'Blacksmith' })).toHaveAttribute('href', '/items?profession=Blacksmith')
  const kin = within(await screen.findByRole('region', { name: 'All kinds of Adathril Ore' }))
  expect(kin.getByRole('link', { name: other.name })).toHaveAttribute('href', '/items/13/masic-adathril-ore')
  expect(await screen.findByText(/^Prices appear after five trades .* within 90 days/)).toBeVisible()
  const requests = within(await screen.findByRole('list', { name: 'Open requests for this item' }))
  expect(requests.getByRole('link', { name: 'rowan.ashdown' })).toHaveAttribute('href', '/requests/7')
  expect(server.calls('GET /api/orders').at(-1)?.query.toString()).toBe('itemId=12&sort=price')
  await reader.click(screen.getByRole('button', { name: 'Request This' }))
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Item name')).toHaveValue(ore.name)
})

test('an offer on a request for the item takes one press, and a long list unfolds', async () => {
  const many = Array.from({ length: 9 }, (_, i) =>
    order({ id: 20 + i, itemId: 12, itemName: ore.name, buyerContact: `buyer${i}`, quantity: 10, sold: 0 }),
  )
  withItems().shows(many)
  const reader = openPage('/items/12/caric-adathril-ore')
  const requests = within(await screen.findByRole('region', { name: 'Open requests' }))
  expect(await requests.findByRole('link', { name: 'buyer7' })).toBeVisible()
  expect(requests.queryByRole('link', { name: 'buyer8' })).toBeNull()
  expect(requests.getByText('Showing 9 active requests')).toBeInTheDocument()
  expect(requests.getByText('90')).toHaveTextContent('90') // wanted of all
  await reader.click(requests.getByRole('button', { name: 'Show all requests' }))
  await reader.click(requests.getByRole('button', { name: 'Offer to buyer8' }))
  await dialog(/^Offer to Fulfill/)
})

test('a dialog that was opened before the address has the name of the item stays open', async () => {
  withItems('prices').shows([order({ itemName: 'caric adathril ORE', itemId: 12 })])
  openPage('/items/12?dialog=post')
  await dialog('Post New Request')
  await waitFor(() => expect(location.pathname).toBe('/items/12/caric-adathril-ore'))
  expect(location.search).toBe('?dialog=post')
  await dialog('Post New Request')
})

test('an item with a price shows it for each window, as a chart and as a table, and what is asked apart', async () => {
  const price = (median: number) => ({
    ...{ median, low: median - 100, high: median + 150, fills: 5, trades: 100, circles: 3 },
    ...(median === 1200 ? { medianFrom: null, medianTo: null } : { medianFrom: median - 50, medianTo: median + 60 }),
  })
  const server = withItems('prices')
  server.on('GET /api/catalogue/12/prices', () => ({
    json: {
      itemId: 12,
      young: true,
      onTheirWay: 3,
      windows: [
        { days: 7, price: null },
        { days: 30, price: price(1200) },
        { days: 90, price: price(1100) },
      ],
      usual: 90,
      asked: { buyers: 3, low: 900, median: 1000, high: 1300 },
      days: [1, 2, 3].map((n) => ({
        day: `2026-11-0${n}`,
        price: n === 2 ? null : price(1000 + n),
        fills: n === 2 ? 0 : n,
      })),
    },
  }))
  const reader = openPage('/items/12/caric-adathril-ore')
  const worth = within(await screen.findByRole('region', { name: 'Price' }))
  expect(await worth.findByText('1 silver 100 copper')).toBeInTheDocument()
  expect(worth.getByText('of 100: at most one per pair, five per trader')).toBeVisible()
  expect(worth.getByText('90 % sure:')).toHaveTextContent(/1 silver 50 copper.* to 1 silver 160 copper/)
  expect(worth.getByText('Young market')).toBeVisible()
  expect(worth.getByText('3 trades are on their way and count once both sides have met.')).toBeVisible()
  expect(worth.getByText(/not traded yet/)).toBeVisible()
  expect(worth.getByRole('link', { name: 'How prices are computed' })).toHaveAttribute('href', '/prices/method')
  expect(worth.getByRole('link', { name: 'Prices by day (CSV)' }).getAttribute('href')).toMatch(
    /^.api.public.prices.history.csv.ids=\d+$/,
  )
  expect(worth.getByRole('img', { name: /Price of Caric Adathril Ore over/ })).toBeVisible()
  await reader.click(worth.getByRole('button', { name: 'Show as a table' }))
  const rows = within(worth.getByRole('table')).getAllByRole('row')
  expect(rows).toHaveLength(3) // the head, and two days with a price
  expect(
    within(rows[1] as HTMLElement)
      .getAllByRole('cell')
      .at(-1),
  ).toHaveTextContent('3') // trades of the latest day
  await reader.click(worth.getByRole('button', { name: '30 days' }))
  expect(worth.getByText('per unit; too few trades to be sure')).toBeVisible()
  await reader.click(worth.getByRole('button', { name: '7 days' }))
  expect(worth.getByText(/^Prices appear after five trades .* within 7 days/)).toBeVisible()
  expect(worth.queryByRole('img')).toBeNull()
})

test('few trades are drawn one by one, with the reason why there is no line', async () => {
  const price = {
    median: 1100,
    low: 1000,
    high: 1250,
    medianFrom: 1050,
    medianTo: 1160,
    fills: 17,
    trades: 17,
    circles: 5,
  }
  const server = withItems('prices')
  const json = { itemId: 12, young: false, onTheirWay: 0, windows: [{ days: 90, price }], usual: 90, asked: null }
  const days = [1, 2, 3].map((n) => ({
    day: `2026-11-0${n}`,
    price: null,
    fills: 0,
    ...(n > 1 && { singles: [1000 + n] }),
  }))
  server.on('GET /api/catalogue/12/prices', () => ({ json: { ...json, days } }))
  const reader = openPage('/items/12/caric-adathril-ore')
  const worth = within(await screen.findByRole('region', { name: 'Price' }))
  expect(await worth.findByRole('img', { name: /Prices of single trades for Caric Adathril Ore/ })).toBeVisible()
  expect(worth.getByText(/The line appears after five trades/)).toBeVisible()
  expect(worth.queryByText('Weekly median')).toBeNull()
  await reader.click(worth.getByRole('button', { name: 'Show as a table' }))
  expect(within(worth.getByRole('table')).getAllByRole('row')).toHaveLength(3) // the head, and two days with a trade
})

test('an item that was merged leads to the one that it means', async () => {
  const server = withItems()
  server.on('GET /api/catalogue/99', () => ({ json: ore }))
  openPage('/items/99/caric-oer')
  expect(await screen.findByRole('heading', { level: 1, name: ore.name })).toBeVisible()
  await waitFor(() => expect(location.pathname).toBe('/items/12/caric-adathril-ore'))
  expect(screen.queryByText(/^Prices appear/)).toBeNull() // prices are off
})

test('items are found by word, profession and level, and the address keeps the filter', async () => {
  const server = withItems()
  const reader = openPage('/items?profession=Miner')
  const list = within(await screen.findByRole('table', { name: 'Items' }))
  expect(list.getByRole('link', { name: ore.name })).toHaveAttribute('href', '/items/12/caric-adathril-ore')
  await reader.type(screen.getByLabelText('Item'), 'adath')
  await waitFor(() => expect(location.search).toBe('?profession=Miner&q=adath'))
  await reader.type(screen.getByLabelText('My level'), '200')
  await waitFor(() => expect(location.search).toBe('?profession=Miner&q=adath&level=200'))
  await waitFor(() =>
    expect(server.calls('GET /api/catalogue').at(-1)?.query.toString()).toBe(
      'q=adath&profession=Miner&level=200&sort=open',
    ),
  )
  await choose(reader, screen.getByLabelText('Profession'), 'Any profession')
  await waitFor(() => expect(location.search).toBe('?q=adath&level=200'))
  server.on('GET /api/catalogue', () => ({ json: { items: [], nextCursor: null } }))
  await reader.type(screen.getByLabelText('Item'), 'xyz')
  expect(await screen.findByRole('heading', { name: 'No items match' })).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(location.search).toBe(''))
  expect(screen.getByLabelText('Item')).toHaveValue('')
})

test('items are sorted by their columns, and the address keeps the sort', async () => {
  const server = withItems('prices')
  server.on('GET /api/catalogue', () => ({
    json: { items: [{ ...ore, summary: { open: 3, traded: 1200 } }, other], nextCursor: null },
  }))
  const reader = openPage('/items?sort=nonsense')
  const list = within(await screen.findByRole('table', { name: 'Items' }))
  const sent = () => server.calls('GET /api/catalogue').at(-1)?.query.get('sort')
  expect(sent()).toBe('open')
  expect(list.getByRole('columnheader', { name: 'Open requests' })).toHaveAttribute('aria-sort', 'descending')
  const [, wanted, unknown] = list.getAllByRole('row')
  expect(wanted).toHaveTextContent(/3 open.*1 silver 200 copper.*Miner.*180/)
  expect(unknown).toHaveTextContent(/none open.*no price yet/)
  await reader.click(list.getByRole('button', { name: 'Profession' }))
  await waitFor(() => expect(sent()).toBe('profession'))
  expect(location.search).toBe('?sort=profession')
  await reader.click(list.getByRole('button', { name: 'Median price' }))
  await waitFor(() => expect(location.search).toBe('?sort=price'))
  await reader.click(list.getByRole('button', { name: 'Median price' })) // the usual sort again
  await waitFor(() => expect(location.search).toBe(''))
})

test('without prices the list has no column and no sort for them', async () => {
  const server = withItems()
  openPage('/items?sort=price')
  const list = within(await screen.findByRole('table', { name: 'Items' }))
  expect(list.queryByRole('columnheader', { name: 'Median price' })).toBeNull()
  expect(server.calls('GET /api/catalogue').at(-1)?.query.get('sort')).toBe('open')
})

test('on a phone the items are rows, which a list of sorts sorts', async () => {
  const server = withItems('prices')
  const media = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...media(query), matches: query.includes('max-width') }))
  const reader = openPage('/items')
  const list = within(await screen.findByRole('list', { name: 'Items' }))
  expect(list.getByRole('link', { name: ore.name })).toBeVisible()
  await choose(reader, screen.getByLabelText('Sort'), 'Highest price')
  await waitFor(() => expect(location.search).toBe('?sort=price'))
  expect(server.calls('GET /api/catalogue').at(-1)?.query.get('sort')).toBe('price')
})

test('items and an item that cannot be loaded say so, and can be tried again', async () => {
  const server = withItems().fails('GET /api/catalogue', 500, 'No')
  const reader = openPage('/items')
  expect(await screen.findByText('Failed to load items. Please try again.')).toBeVisible()
  server.on('GET /api/catalogue', () => ({ json: { items: [ore], nextCursor: null } }))
  await reader.click(screen.getByRole('button', { name: 'Try again' }))
  await reader.click(await screen.findByRole('link', { name: ore.name }))
  expect(await screen.findByRole('heading', { level: 1, name: ore.name })).toBeVisible()
})

test('an item that there is not, and items that are switched off', async () => {
  withItems().fails('GET /api/catalogue/77', 404, 'Item not found')
  openPage('/items/77')
  expect(await screen.findByRole('heading', { name: 'Item not found' })).toBeVisible()
})

test('without a catalogue there is no page of items', async () => {
  new Server()
  openPage('/items')
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the name on a card leads to its item, its age to the request; on the page of a request too', async () => {
  const known = order({ itemId: 12 })
  withItems().shows([known, order({ id: 8, itemName: 'Unknown Thing' })])
  openPage('/')
  const shown = within(await card('Iron Ore'))
  expect(shown.getByRole('link', { name: 'Iron Ore' })).toHaveAttribute('href', '/items/12')
  expect(shown.getByRole('link', { name: /today|ago|yesterday/ })).toHaveAttribute('href', '/requests/7')
  const unknown = within(await card('Unknown Thing'))
  expect(unknown.getByRole('link', { name: 'Unknown Thing' })).toHaveAttribute('href', '/requests/8')
})
