import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Saved } from '@/api/types'
import { choose, openPage, withFeatures } from '@/test/page'
import { notice, Server } from '@/test/server'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  return withFeatures('items watches stock listings')
})

const search: Saved = {
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
  side: 'sale',
  minQuantity: 0,
  sort: 'newest',
  view: '',
  way: 'direct',
  pause: 0,
  snoozedUntil: null,
  createdAt: '2026-05-01T12:00:00Z',
  updatedAt: '2026-05-01T12:00:00Z',
}

function withSearch(change: Partial<Saved> = {}) {
  const server = new Server().signedIn()
  server.on('GET /api/me/saved', () => ({ json: { saved: [{ ...search, ...change }] } }))
  server.on('GET /api/me/watches', () => ({ json: { watches: [], mutedBuyers: [] } }))
  server.on('GET /api/listings', () => ({ json: { listings: [], total: 3, totalIsExact: true, nextCursor: null } }))
  server.on('POST /api/me/watches/try', () => ({ json: { fired: 14, days: 30 } }))
  return server
}

test('the search of what is for sale is saved with its side', async () => {
  const server = withSearch({ id: 9, q: 'other' })
  server.on('POST /api/me/watches', () => ({ status: 201, json: search }))
  const reader = openPage('/?side=sale&q=iron')
  await reader.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(server.calls('POST /api/me/watches')[0]?.body).toMatchObject({ q: 'iron', side: 'sale' })
})

test('the menu of saved searches saves it with its side, too', async () => {
  const server = withSearch({ id: 9, q: 'other' })
  server.on('POST /api/me/watches', () => ({ status: 201, json: search }))
  const reader = openPage('/?side=sale&q=iron')
  await reader.click(await screen.findByRole('button', { name: 'Saved searches' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Save search' }))
  await waitFor(() => expect(server.calls('POST /api/me/watches')).toHaveLength(1))
  expect(server.calls('POST /api/me/watches')[0]?.body).toMatchObject({ q: 'iron', side: 'sale' })
})

test('a saved search says its side, opens on it, counts on it, and can be changed to another', async () => {
  const server = withSearch()
  server.on('PUT /api/me/watches/4', () => ({ json: search }))
  const reader = openPage('/selling/saved')
  const link = await screen.findByRole('link', { name: 'iron' })
  expect(link).toHaveAttribute('href', expect.stringContaining('side=sale'))
  expect(screen.getByText(/^for sale · /)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: /More/ }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const form = within(await screen.findByRole('form', { name: 'Change iron' }))
  await reader.type(form.getByLabelText('Price at most'), '5s')
  await choose(reader, form.getByLabelText('What it is for'), 'Both')
  expect(form.getByLabelText('Price at least')).toBeVisible()
  await choose(reader, form.getByLabelText('What it is for'), 'For sale')
  await reader.click(form.getByRole('button', { name: 'Save' }))
  expect(server.calls('PUT /api/me/watches/4')[0]?.body).toMatchObject({ side: 'sale', maxPrice: 5000, minPrice: 0 })
})

test('an alert to a listing leads to what is for sale', async () => {
  const server = withSearch()
  const alert = { ...notice({ kind: 'request_watched', watchId: 4, orderId: null }), listingId: 9 }
  server.on('GET /api/me/notices', () => ({ json: { notices: [alert], unread: 0, nextCursor: null } }))
  openPage('/inbox')
  expect(await screen.findByText(/^For sale:/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Show what is for sale' })).toHaveAttribute(
    'href',
    expect.stringContaining('side=sale&q='),
  )
  expect(screen.getByRole('button', { name: 'Mute this seller' })).toBeVisible()
  expect(screen.queryByText('The request was deleted.')).toBeNull()
})
