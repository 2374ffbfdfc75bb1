import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Saved } from '@/api/types'
import { dialog, openPage } from '@/test/page'
import { notice, order, Server, scrollTo } from '@/test/server'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  const features = document.createElement('meta')
  features.name = 'features'
  features.content = 'items watches stock'
  document.head.append(features)
  return () => features.remove()
})

const saved = (change: Partial<Saved> = {}): Saved => ({
  id: 4,
  watch: true,
  bell: true,
  name: 'iron',
  items: [],
  kind: '',
  q: 'iron',
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

/** An account whose saved searches are kept by the scripted server. */
function withSaved(server: Server, list: Saved[]) {
  const plain = (one: Saved) => one.id + (one.watch ? 0 : 1000)
  const find = (id: number, watch: boolean) => list.findIndex((one) => one.id === id && one.watch === watch)
  server.on('GET /api/me/saved', () => ({ json: { saved: [...list].sort((a, b) => plain(a) - plain(b)) } }))
  server.on('GET /api/me/watches', () => ({ json: { watches: [], mutedBuyers: [{ id: 9, username: 'maple' }] } }))
  server.on('GET /api/me/stock', () => ({ json: { stock: [{ id: 1 }, { id: 2 }] } }))
  server.on('GET /api/me/offers', () => ({
    json: { offers: [], counts: { open: 3, accepted: 1, past: 0 }, nextCursor: null },
  }))
  server.on('POST /api/me/watches/try', () => ({ json: { fired: 14, days: 30 } }))
  for (const watch of [true, false]) {
    const path = watch ? '/api/me/watches' : '/api/me/searches'
    server.on(`POST ${path}`, ({ body }) => {
      const { name, ...draft } = body as Saved
      const added = saved({ ...draft, name: name || draft.q || 'Iron Ore', id: 7, watch, bell: watch })
      list.push(added)
      return { status: 201, json: added }
    })
    server.on(`DELETE ${path}/4`, () => {
      list.splice(find(4, watch), 1)
      return { status: 204 }
    })
    server.on(`DELETE ${path}/7`, () => {
      list.splice(find(7, watch), 1)
      return { status: 204 }
    })
  }
  return server
}

const ore = { id: 12, name: 'Iron Ore', kind: 'Ore', region: '', madeBy: [], madeAtLevel: null, usedBy: [], link: '' }
const item = { ...ore, usedAtLevel: null, tradeable: null, provisional: false, gone: false, proposes: {} }

const bodies = (server: Server, call: string) => server.calls(call).map(({ body }) => body)

test('one press saves the search of the board with a bell, another removes it, and both are undone', async () => {
  const list: Saved[] = []
  const server = withSaved(new Server().signedIn().shows([order()]), list)
  const reader = openPage('/?q=iron&category=Miner&min=2s&view=list')
  await reader.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(await screen.findByText("Saved. We'll message you about new requests that fit.")).toBeVisible()
  expect(bodies(server, 'POST /api/me/watches')).toMatchObject([
    { q: 'iron', category: ['Miner'], minPrice: 2000, sort: 'newest', view: 'list', way: 'direct' },
  ])
  const button = await screen.findByRole('button', { name: 'Saved. Remove iron' })
  expect(button).toHaveFocus()
  await reader.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Save search' })).toBeVisible()
  expect(list).toEqual([])

  await reader.click(await screen.findByRole('button', { name: 'Save search' }))
  await reader.click(await screen.findByRole('button', { name: 'Saved. Remove iron' }))
  expect(await screen.findByText('“iron” is removed.')).toBeVisible()
  await reader.click(within(toastOf('“iron” is removed.')).getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Saved. Remove iron' })).toBeVisible()
})

const toastOf = (text: string) => screen.getByText(text).closest('li') as HTMLElement

test('a search that nearly everything fits is saved without a bell, under a free name', async () => {
  const list = [saved({ id: 4, watch: false, bell: false, name: 'Urgent', q: 'other' })]
  const server = withSaved(new Server().signedIn().shows([order()]), list)
  const reader = openPage('/?importance=urgent')
  await reader.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(await screen.findByText(/^Saved without a bell/)).toBeVisible()
  expect(bodies(server, 'POST /api/me/searches')).toMatchObject([{ name: 'urgent 2', importance: ['urgent'] }])
  expect(server.calls('POST /api/me/watches')).toHaveLength(0)
})

test('the board itself is not saved, and a full list says so', async () => {
  const server = withSaved(new Server().signedIn().shows([order()]), [])
  server.fails('POST /api/me/watches', 409, 'There is room for 25 saved searches with a bell')
  const reader = openPage('/')
  await screen.findByRole('article', { name: 'Iron Ore' })
  expect(screen.queryByRole('button', { name: 'Save search' })).toBeNull()
  await reader.click(screen.getByRole('button', { name: /^Miner/ })) // a profession alone is a search, too
  await reader.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(await screen.findByText('There is room for 25 saved searches with a bell')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Save search' })).toBeEnabled()
})

test('one press saves an item from its page; a visitor keeps it on the device, without a bell', async () => {
  const server = withSaved(new Server().signedIn().shows([]), [])
  server.on('GET /api/catalogue/12', () => ({ json: item }))
  const reader = openPage('/items/12/iron-ore')
  await reader.click(await screen.findByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Saved. Remove Iron Ore' })).toBeVisible()
  expect(bodies(server, 'POST /api/me/watches')).toMatchObject([{ items: [12], q: '' }])
})

test('a visitor saves an item on the device, without a bell', async () => {
  const server = new Server().shows([])
  server.on('GET /api/catalogue/12', () => ({ json: item }))
  const reader = openPage('/items/12/iron-ore')
  await reader.click(await screen.findByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved on this device.')).toBeVisible()
  expect(JSON.parse(localStorage.getItem('tradepost.searches') ?? '')).toMatchObject([
    { name: 'Iron Ore', q: 'Iron Ore' },
  ])
})

test('the page lists searches with and without a bell, in Selling with its counts', async () => {
  const list = [
    saved({ minPrice: 9000, minQuantity: 50, way: 'digest' }),
    saved({
      id: 4,
      watch: false,
      bell: false,
      name: 'Evening',
      q: '',
      category: ['Miner'],
      sort: 'price',
      view: 'list',
    }),
    saved({ id: 5, name: 'Pots', q: '', items: [12] }),
  ]
  const server = withSaved(new Server().signedIn().shows([order()], 3), list)
  openPage('/selling/saved')
  const rows = within(await screen.findByRole('list', { name: 'Saved searches' })).getAllByRole('listitem')
  expect(rows.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual([
    '/?q=iron&min=9s',
    '/items/12',
    '/?category=Miner&sort=price&view=list',
  ])
  expect(rows[0]).toHaveTextContent('“iron” · from 9s · at least 50 · One message a day')
  expect(rows.map((row) => within(row).getByRole('switch').getAttribute('aria-checked'))).toEqual([
    'true',
    'true',
    'false',
  ])
  for (const row of rows) scrollTo(row.querySelector('.tabular') as Element)
  await waitFor(() => expect(rows[2]).toHaveTextContent('3 open'))
  expect(server.calls('GET /api/orders').map(({ query }) => `${query}`)).toEqual(
    expect.arrayContaining(['category=Miner&limit=1', 'limit=1&itemId=12']),
  )
  const tabs = within(screen.getByRole('navigation', { name: 'Selling' }))
  expect(tabs.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'For me',
    'My Offers3',
    'Stock2',
    'Saved3',
  ])
  expect(tabs.getByRole('link', { name: /^Saved/ })).toHaveAttribute('aria-current', 'page')
})

test('a bell is turned off and on, and one without gets one', async () => {
  const list = [saved(), saved({ id: 4, watch: false, bell: false, name: 'Evening', q: 'coal' })]
  const server = withSaved(new Server().signedIn(), list)
  server.on('POST /api/me/watches/4/pause', ({ body }) => {
    list[0] = saved({ bell: !(body as { paused: boolean }).paused })
    return { json: {} }
  })
  server.on('POST /api/me/searches/4/bell', () => {
    list[1] = saved({ id: 8, name: 'Evening', q: 'coal' })
    return { json: {} }
  })
  const reader = openPage('/selling/saved')
  const bell = (name: string) => screen.findByRole('switch', { name: `Message me about ${name}` })
  await reader.click(await bell('iron'))
  await waitFor(async () => expect(await bell('iron')).toHaveAttribute('aria-checked', 'false'))
  await reader.click(await bell('iron'))
  await waitFor(async () => expect(await bell('iron')).toHaveAttribute('aria-checked', 'true'))
  expect(bodies(server, 'POST /api/me/watches/4/pause')).toEqual([{ paused: true }, { paused: false }])
  await reader.click(await bell('Evening'))
  await waitFor(async () => expect(await bell('Evening')).toHaveAttribute('aria-checked', 'true'))
  server.fails('POST /api/me/watches/8/pause', 409, 'That saved search is no longer here')
  await reader.click(await bell('Evening'))
  expect(await screen.findByText('That saved search is no longer here')).toBeVisible()
  expect(await bell('Evening')).toHaveAttribute('aria-checked', 'true')
})

test('a saved search is changed in its place: what rings it, how, and for which items', async () => {
  const list = [saved({ id: 5, name: 'Iron Ore', q: '', items: [12] })]
  const server = withSaved(new Server().signedIn(), list)
  server.on('GET /api/catalogue/12', () => ({ json: item }))
  server.on('PUT /api/me/watches/5', () => ({ json: {} }))
  const reader = openPage('/selling/saved')
  await reader.click(await screen.findByRole('button', { name: 'More for Iron Ore' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const form = within(await screen.findByRole('form', { name: 'Change Iron Ore' }))
  expect(await form.findByText('In the last 30 days, 14 requests would have matched.')).toBeVisible()
  await reader.clear(form.getByRole('textbox', { name: 'Name' }))
  await reader.click(await form.findByRole('radio', { name: 'All kinds of Ore' }))
  await reader.type(form.getByRole('textbox', { name: 'Quantity at least' }), '50')
  const price = form.getByRole('textbox', { name: 'Price at least' })
  await reader.type(price, '4x')
  expect(price).toBeValid() // while one types
  await reader.click(form.getByRole('button', { name: 'Save' }))
  expect(price).toBeInvalid()
  await reader.clear(price)
  await reader.type(price, '4s')
  await reader.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Change Iron Ore' })).toBeNull())
  expect(bodies(server, 'PUT /api/me/watches/5')).toMatchObject([
    { name: '', items: [], kind: 'Ore', minQuantity: 50, minPrice: 4000, way: 'direct', pause: 0 },
  ])
  expect(screen.getByRole('button', { name: 'More for Iron Ore' })).toHaveFocus()
})

test('where a search names an item, it can be for the item or all of its kind', async () => {
  const server = withSaved(new Server().signedIn(), [saved({ name: 'Mine', q: 'iron ore' })])
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [], named: item } }))
  server.on('PUT /api/me/watches/4', () => ({ json: {} }))
  const reader = openPage('/selling/saved')
  await reader.click(await screen.findByRole('button', { name: 'More for Mine' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Change' }))
  await reader.click(await screen.findByRole('radio', { name: 'This item: Iron Ore' }))
  await reader.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(bodies(server, 'PUT /api/me/watches/4')).toMatchObject([{ q: '', items: [12], kind: '' }]))
})

test('a saved search is removed with Undo, and a muted buyer is heard of again', async () => {
  const list = [saved()]
  const server = withSaved(new Server().signedIn(), list)
  server.on('DELETE /api/me/muted-buyers/9', () => ({ status: 204 }))
  const reader = openPage('/selling/saved')
  await reader.click(await screen.findByRole('button', { name: 'Unmute maple' }))
  await reader.click(await screen.findByRole('button', { name: 'More for iron' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  expect(await screen.findByText('No saved searches yet')).toBeVisible()
  expect(document.activeElement).not.toBe(document.body)
  expect(server.calls('DELETE /api/me/muted-buyers/9')).toHaveLength(1)
  await reader.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('switch', { name: 'Message me about iron' })).toBeVisible()
  expect(bodies(server, 'POST /api/me/watches')).toMatchObject([{ name: 'iron', q: 'iron' }])
})

test('an item is saved from the list itself, as soon as it is chosen', async () => {
  const server = withSaved(new Server().signedIn(), [])
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [item], named: item } }))
  const reader = openPage('/selling/saved')
  await reader.type(await screen.findByRole('combobox', { name: 'Save an item' }), 'iron')
  await reader.click(await screen.findByRole('option', { name: /^Iron Ore/ }))
  await waitFor(() => expect(bodies(server, 'POST /api/me/watches')).toMatchObject([{ items: [12] }]))
  expect(await screen.findByRole('switch', { name: 'Message me about Iron Ore' })).toBeVisible()
})

test('addresses of older programs lead to the list, which says when it fails', async () => {
  const server = new Server().signedIn().fails('GET /api/me/saved', 500, 'Boom')
  for (const old of ['/watches', '/searches', '/saved', '/?q=iron&dialog=watches', '/items?dialog=searches']) {
    openPage(old)
    await waitFor(() => expect(location.pathname).toBe('/selling/saved'))
    cleanup()
  }
  openPage('/selling/saved')
  expect(await screen.findByText('Failed to load your saved searches. Please try again.')).toBeVisible()
  expect(server.calls('GET /api/me/saved').length).toBeGreaterThan(0)
})

test('the settings of notices lead to the saved searches, and list the buyers who do not alert', async () => {
  const server = withSaved(new Server().signedIn(), [saved()])
  server.on('GET /api/me/notices/settings', () => ({
    json: { kinds: { request_watched: true }, quietFrom: null, quietTo: null, timeZone: 'UTC', unreachable: null },
  }))
  server.on('GET /api/me/blocked-sellers', () => ({ json: { sellers: [] } }))
  server.on('DELETE /api/me/muted-buyers/9', () => {
    server.on('GET /api/me/watches', () => ({ json: { watches: [], mutedBuyers: [] } }))
    return { status: 204 }
  })
  const reader = openPage('/?dialog=notices')
  const settings = await dialog('Notice Settings')
  await reader.click(await settings.findByRole('button', { name: 'Unmute maple' }))
  await waitFor(() => expect(settings.queryByText('maple')).toBeNull())
  await reader.click(settings.getByRole('button', { name: 'Saved Searches' }))
  expect(await screen.findByRole('switch', { name: 'Message me about iron' })).toBeVisible()
})

test('the post form shows how many people will be alerted', async () => {
  const server = new Server().signedIn()
  server.on('POST /api/orders/audience', () => ({ json: { people: 10 } }))
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), 'Tin Ore')
  await reader.type(form.getByLabelText('Quantity'), '200')
  expect(server.calls('POST /api/orders/audience')).toHaveLength(0) // before it can be posted
  await reader.type(form.getByLabelText('Max price per unit'), '15s')
  expect(await form.findByText('10+ people will get a message')).toBeVisible()
})

test('the alert of a request that was deleted says so', async () => {
  const server = withSaved(new Server().signedIn(), [saved()])
  server.on('GET /api/me/notices', () => ({
    json: {
      notices: [notice({ kind: 'request_watched', watchId: 4, orderId: null })],
      unread: 0,
      nextCursor: null,
    },
  }))
  openPage('/inbox')
  expect(await screen.findByText('The request was deleted.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Stop' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Offer' })).toBeNull()
})

test('an alert in the inbox has the actions of the direct message, says what caused it, and can be taken back', async () => {
  const list = [saved()]
  const server = withSaved(new Server().signedIn().shows([order()]), list)
  server.on('GET /api/me/notices', () => ({
    json: { notices: [notice({ kind: 'request_watched', watchId: 4 })], unread: 0, nextCursor: null },
  }))
  const becomes = (change: Partial<Saved>) => () => {
    list[0] = saved(change)
    return { json: list[0] }
  }
  server.on('POST /api/me/watches/4/snooze', becomes({ snoozedUntil: '2099-01-01T08:00:00Z' }))
  server.on('POST /api/me/watches/4/pause', ({ body }) => becomes({ bell: !(body as { paused: boolean }).paused })())
  const reader = openPage('/inbox')
  expect(await screen.findByText(/^Wanted:/)).toBeVisible()
  expect(await screen.findByText('Saved search: iron')).toBeVisible()
  for (const name of ['Offer', 'Until tomorrow', 'Mute this buyer', 'Stop']) {
    expect(screen.getByRole('button', { name })).toBeVisible()
  }
  await reader.click(screen.getByRole('button', { name: 'Snooze 1 hour' }))
  expect(await screen.findByText(/^Quiet until .*come in one message/)).toBeVisible()
  expect(await screen.findByText(/^· quiet until/)).toBeVisible()
  expect(server.calls('POST /api/me/watches/4/snooze').map(({ body }) => body)).toEqual([{ for: 'hour' }])
  await reader.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('The bell of “iron” is off. You get no more messages about it.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull())
  await reader.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByText('The bell of “iron” is on again.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeVisible()
  server.on('POST /api/me/notices/90/mute-buyer', () => ({ status: 204 }))
  await reader.click(screen.getByRole('button', { name: 'Mute this buyer' }))
  expect(await screen.findByText("You won't get alerts about this buyer's requests any more.")).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Offer' }))
  expect((await dialog('Offer to Fulfill')).getByLabelText('Quantity')).toHaveValue(400)
})
