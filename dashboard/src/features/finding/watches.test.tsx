import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Watch } from '@/api/types'
import { dialog, openPage } from '@/test/page'
import { notice, order, Server } from '@/test/server'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  const features = document.createElement('meta')
  features.name = 'features'
  features.content = 'items watches'
  document.head.append(features)
  return () => features.remove()
})

const watch = (change: Partial<Watch> = {}): Watch => ({
  id: 4,
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
  way: 'direct',
  pause: 0,
  paused: false,
  snoozedUntil: null,
  createdAt: '2026-05-01T12:00:00Z',
  updatedAt: '2026-05-01T12:00:00Z',
  ...change,
})

function withWatches(server: Server, watches: Watch[]) {
  server.on('GET /api/me/watches', () => ({ json: { watches, mutedBuyers: [{ id: 9, username: 'maple' }] } }))
  server.on('POST /api/me/watches/try', () => ({ json: { fired: 14, days: 30 } }))
  server.on('POST /api/me/watches', () => {
    watches.push(watch())
    return { status: 201, json: watch() }
  })
  return server
}

test('a search is watched from beside it, after it says how often it would have fired', async () => {
  const watches: Watch[] = []
  const server = withWatches(new Server().signedIn().shows([order()]), watches)
  const reader = openPage('/?q=iron')
  await reader.click(await screen.findByRole('button', { name: 'Watch this' }))
  const open = await dialog('My Watches')
  expect(await open.findByText('In the last 30 days, 14 requests would have matched.')).toBeVisible()
  await reader.type(open.getByRole('textbox', { name: 'Quantity at least' }), '50')
  await reader.type(open.getByRole('textbox', { name: 'Price at least' }), '2s')
  await reader.click(open.getByRole('button', { name: 'Watch' }))
  expect(await open.findByRole('button', { name: 'Pause iron' })).toBeVisible()
  expect(server.calls('POST /api/me/watches').map(({ body }) => body)).toMatchObject([
    { q: 'iron', minQuantity: 50, minPrice: 2000, way: 'direct', pause: 0 },
  ])
})

test('where a search names an item, the item or all of its kind can be watched', async () => {
  const server = withWatches(new Server().signedIn().shows([order()]), [])
  const named = { id: 12, name: 'Iron Ore', kind: 'Ore', madeBy: [], usedBy: [], gone: false, provisional: false }
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [], named } }))
  const reader = openPage('/?q=iron%20ore&category=Miner')
  await reader.click(await screen.findByRole('button', { name: 'Watch this' }))
  const open = await dialog('My Watches')
  await reader.click(await open.findByRole('radio', { name: 'All kinds of Ore' }))
  await reader.click(open.getByRole('button', { name: 'Watch' }))
  await waitFor(() =>
    expect(server.calls('POST /api/me/watches').map(({ body }) => body)).toMatchObject([
      { q: '', kind: 'Ore', category: ['Miner'] },
    ]),
  )
})

test('an item is watched from its page, from a lowest price on', async () => {
  const server = withWatches(new Server().signedIn().shows([]), [watch({ minPrice: 9000 })])
  const ore = { id: 12, name: 'Iron Ore', kind: '', region: '', madeBy: [], madeAtLevel: null, usedBy: [], link: '' }
  server.on('GET /api/catalogue/12', () => ({
    json: { ...ore, usedAtLevel: null, tradeable: null, provisional: false, gone: false, proposes: {} },
  }))
  const reader = openPage('/items/12/iron-ore')
  await reader.click(await screen.findByRole('button', { name: 'Watch This' }))
  const open = await dialog('My Watches')
  expect(open.getByText('Watch this item')).toBeVisible()
  expect(await open.findByText('Direct message · from 9s')).toBeVisible()
  const price = open.getByRole('textbox', { name: 'Price at least' })
  await reader.type(price, '4x')
  expect(price).toBeValid() // while one types
  await reader.click(open.getByRole('button', { name: 'Watch' }))
  expect(price).toBeInvalid()
  expect(server.calls('POST /api/me/watches')).toHaveLength(0)
  await reader.clear(price)
  await reader.type(price, '4s')
  await reader.click(open.getByRole('button', { name: 'Watch' }))
  await waitFor(() =>
    expect(server.calls('POST /api/me/watches').map(({ body }) => body)).toMatchObject([
      { items: [12], minPrice: 4000 },
    ]),
  )
})

test('the settings of notices lead to the watches, and list the buyers who do not alert', async () => {
  const server = withWatches(new Server().signedIn(), [watch()])
  server.on('GET /api/me/notices/settings', () => ({
    json: { kinds: { request_watched: true }, quietFrom: null, quietTo: null, timeZone: 'UTC', unreachable: null },
  }))
  server.on('GET /api/me/blocked-sellers', () => ({ json: { sellers: [] } }))
  server.on('DELETE /api/me/muted-buyers/9', () => {
    server.on('GET /api/me/watches', () => ({ json: { watches: [watch()], mutedBuyers: [] } }))
    return { status: 204 }
  })
  const reader = openPage('/?dialog=notices')
  const settings = await dialog('Notice Settings')
  await reader.click(await settings.findByRole('button', { name: 'Unmute maple' }))
  await waitFor(() => expect(settings.queryByText('maple')).toBeNull())
  await reader.click(settings.getByRole('button', { name: 'My Watches' }))
  expect(await (await dialog('My Watches')).findByRole('button', { name: 'Pause iron' })).toBeVisible()
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

test('a watch is paused and removed, and a muted buyer is heard of again', async () => {
  const watches = [watch()]
  const server = withWatches(new Server().signedIn().shows([order()]), watches)
  server.on('POST /api/me/watches/4/pause', () => {
    watches[0] = watch({ paused: true })
    return { json: watches[0] }
  })
  server.on('DELETE /api/me/watches/4', () => {
    watches.length = 0
    return { status: 204 }
  })
  server.on('DELETE /api/me/muted-buyers/9', () => ({ status: 204 }))
  const reader = openPage('/?dialog=watches')
  const open = await dialog('My Watches')
  await reader.click(await open.findByRole('button', { name: 'Pause iron' }))
  expect(await open.findByText('Paused')).toBeVisible()
  await reader.click(open.getByRole('button', { name: 'Unmute maple' }))
  await reader.click(open.getByRole('button', { name: 'Remove iron' }))
  const undo = await open.findByRole('button', { name: 'Undo' })
  expect(undo).toHaveFocus()
  expect(open.queryByRole('list', { name: 'Watches' })).toBeNull()
  expect(server.calls('DELETE /api/me/muted-buyers/9')).toHaveLength(1)
  expect(open.getByText(/search the board or choose a profession/)).toBeVisible()
  await reader.click(undo)
  expect(await open.findByRole('button', { name: 'Pause iron' })).toBeVisible()
  expect(server.calls('POST /api/me/watches').map(({ body }) => body)).toMatchObject([{ name: 'iron', q: 'iron' }])
})

test('with 25 watches no more can be added', async () => {
  const watches = Array.from({ length: 25 }, (_, i) => watch({ id: i + 1, name: `word ${i}`, q: `word ${i}` }))
  withWatches(new Server().signedIn().shows([order()]), watches)
  openPage('/?q=iron&dialog=watches')
  const open = await dialog('My Watches')
  expect(await open.findByText('You have 25 watches. Remove one to add another.')).toBeVisible()
  expect(open.getByRole('button', { name: 'Watch' })).toBeDisabled()
})

test('watching the same item twice keeps one watch', async () => {
  withWatches(new Server().signedIn().shows([order()]), [watch()])
  openPage('/?q=iron&dialog=watches')
  const open = await dialog('My Watches')
  expect(await open.findByText("You're already watching this. See the list below.")).toBeVisible()
  expect(open.queryByRole('button', { name: 'Watch' })).toBeNull()
})

test('the alert of a request that was deleted says so', async () => {
  const server = withWatches(new Server().signedIn(), [watch()])
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
  const watches = [watch()]
  const server = withWatches(new Server().signedIn().shows([order()]), watches)
  server.on('GET /api/me/notices', () => ({
    json: { notices: [notice({ kind: 'request_watched', watchId: 4 })], unread: 0, nextCursor: null },
  }))
  const becomes = (change: Partial<Watch>) => () => {
    watches[0] = watch(change)
    return { json: watches[0] }
  }
  server.on('POST /api/me/watches/4/snooze', becomes({ snoozedUntil: '2099-01-01T08:00:00Z' }))
  server.on('POST /api/me/watches/4/pause', ({ body }) => becomes({ paused: (body as { paused: boolean }).paused })())
  const reader = openPage('/inbox')
  expect(await screen.findByText(/^Wanted:/)).toBeVisible()
  expect(await screen.findByText('Your watch: iron')).toBeVisible()
  for (const name of ['Offer', 'Until tomorrow', 'Mute this buyer', 'Stop']) {
    expect(screen.getByRole('button', { name })).toBeVisible()
  }
  await reader.click(screen.getByRole('button', { name: 'Snooze 1 hour' }))
  expect(await screen.findByText(/^Quiet until .*come in one message/)).toBeVisible()
  expect(await screen.findByText(/^· quiet until/)).toBeVisible()
  expect(server.calls('POST /api/me/watches/4/snooze').map(({ body }) => body)).toEqual([{ for: 'hour' }])
  await reader.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('“iron” is paused. You get no alerts until you resume it.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull())
  await reader.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByText('“iron” sends you alerts again.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeVisible()
  server.on('POST /api/me/notices/90/mute-buyer', () => ({ status: 204 }))
  await reader.click(screen.getByRole('button', { name: 'Mute this buyer' }))
  expect(await screen.findByText("You won't get alerts about this buyer's requests any more.")).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Offer' }))
  expect((await dialog('Offer to Fulfill')).getByLabelText('Quantity')).toHaveValue(400)
})
