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
  expect(await open.findByText('In the last 30 days, 14 requests would have fit.')).toBeVisible()
  await reader.type(open.getByRole('textbox', { name: 'At least' }), '50')
  await reader.click(open.getByRole('button', { name: 'Watch' }))
  expect(await open.findByRole('button', { name: 'Pause iron' })).toBeVisible()
  expect(server.calls('POST /api/me/watches').map(({ body }) => body)).toMatchObject([
    { q: 'iron', minQuantity: 50, way: 'direct', pause: 0 },
  ])
})

test('where a search names an item, the item or all of its kind can be watched', async () => {
  const server = withWatches(new Server().signedIn().shows([order()]), [])
  const named = { id: 12, name: 'Iron Ore', kind: 'Ore', madeBy: [], usedBy: [], gone: false, provisional: false }
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [], named } }))
  const reader = openPage('/?q=iron%20ore&category=Miner')
  await reader.click(await screen.findByRole('button', { name: 'Watch this' }))
  const open = await dialog('My Watches')
  await reader.click(await open.findByRole('radio', { name: 'All of its kind: Ore' }))
  await reader.click(open.getByRole('button', { name: 'Watch' }))
  await waitFor(() =>
    expect(server.calls('POST /api/me/watches').map(({ body }) => body)).toMatchObject([
      { q: '', kind: 'Ore', category: ['Miner'] },
    ]),
  )
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
  await reader.click(open.getByRole('button', { name: 'Hear of maple again' }))
  await reader.click(open.getByRole('button', { name: 'Remove iron' }))
  await waitFor(() => expect(open.queryByText('iron')).toBeNull())
  expect(server.calls('DELETE /api/me/muted-buyers/9')).toHaveLength(1)
  expect(open.getByText(/search the board for it/)).toBeVisible()
})

test('an alert in the inbox has the actions of the direct message', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () => ({
    json: { notices: [notice({ kind: 'request_watched', watchId: 4 })], unread: 0, nextCursor: null },
  }))
  server.on('POST /api/me/watches/4/snooze', () => ({ json: watch() }))
  const reader = openPage('/inbox')
  expect(await screen.findByText(/^Wanted:/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Snooze 1 hour' }))
  expect(await screen.findByText('Quiet for an hour.')).toBeVisible()
  expect(server.calls('POST /api/me/watches/4/snooze').map(({ body }) => body)).toEqual([{ for: 'hour' }])
  for (const name of ['Offer', 'Until tomorrow', 'Not this buyer', 'Stop']) {
    expect(screen.getByRole('button', { name })).toBeVisible()
  }
})
