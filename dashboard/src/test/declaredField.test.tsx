// A text that core declares, here a landmark, is on the page by its declaration alone.
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { loadView } from '@/features/orders/board/Board'
import { withFeatures } from '@/test/page'
import { dialog, openPage } from './page'
import { order, Server } from './server'

vi.mock('@/lib/rules.gen', async (original) => {
  const { rules } = await original<typeof import('@/lib/rules.gen')>()
  const landmark = {
    ...rules.fields.find(({ name }) => name === 'ign'),
    ...{ name: 'landmark', option: 'landmark', label: 'Landmark', short: 'Landmark', copied: '', limit: 10 },
    ...{ onCard: true, inRow: true, shared: true, onBoard: true },
  }
  return { rules: { ...rules, fields: [...rules.fields, landmark] } }
})

const atAshfall = { ...order(), landmark: 'Ashfall' }

beforeEach(() => {
  return withFeatures('lists watches')
})

/** Opens the board as a wide screen or a phone shows it, and returns what is found there. */
async function onBoard(address: string, selector: string, phone = false) {
  new Server().shows([atAshfall])
  const media = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...media(query),
    matches: query.includes('min-width') ? !phone : phone,
  }))
  openPage(address)
  await waitFor(() => expect(document.querySelector(selector)).toHaveTextContent('Iron Ore'))
  return document.querySelector(selector)
}

test('it is a detail of the card', async () => {
  expect(await onBoard('/', 'article')).toHaveTextContent('LandmarkAshfall')
})

test('it is in the row of the table', async () => {
  await loadView('list')
  expect(await onBoard('/?view=list', 'tr[data-row]')).toHaveTextContent('Landmark: Ashfall')
})

test('it is in the row of a phone', async () => {
  await loadView('list')
  expect(await onBoard('/?view=list', 'li[data-row]', true)).toHaveTextContent('Landmark: Ashfall')
})

test('it is shown to a seller who offers', async () => {
  expect(await onBoard('/?dialog=offer&request=7', '[aria-label="The request"]')).toHaveTextContent('LandmarkAshfall')
})

test('the form of a request asks for it and checks its limit', async () => {
  const server = new Server().signedIn()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), 'Tin Ore')
  await reader.type(form.getByLabelText('Quantity'), '200')
  await reader.type(form.getByLabelText('Max price per unit'), '15s')
  await reader.type(form.getByLabelText(/^Landmark/), 'Ashfall and beyond')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await waitFor(() => expect(form.getByText('Landmark must be 10 characters or fewer')).toBeVisible())
  await reader.clear(form.getByLabelText(/^Landmark/))
  await reader.type(form.getByLabelText(/^Landmark/), 'Ashfall')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await waitFor(() => expect(server.calls('POST /api/orders').at(-1)?.body).toMatchObject({ landmark: 'Ashfall' }))
})

test('the form of a list asks for it', async () => {
  const server = new Server().signedIn()
  const reader = openPage('/lists/new')
  await reader.type(await screen.findByLabelText('Name of the list'), 'Guild hall')
  await reader.type(screen.getByRole('textbox', { name: 'Requests' }), '50x Iron Ore 10s')
  await reader.type(within(screen.getByRole('main')).getByLabelText(/^Landmark/), 'Ashfall')
  await reader.click(screen.getByRole('button', { name: 'Post Requests' }))
  await waitFor(() => expect(server.calls('POST /api/lists').at(-1)?.body).toMatchObject({ landmark: 'Ashfall' }))
})

test('the board is filtered by it, and says so', async () => {
  const server = new Server().shows([atAshfall])
  const reader = openPage('/?q=iron')
  await reader.click(await screen.findByRole('button', { name: 'Filters' }))
  await reader.type(await screen.findByLabelText('Landmark'), 'Ashfall')
  await waitFor(() => expect(server.calls('GET /api/orders').at(-1)?.query.get('landmark')).toBe('Ashfall'))
  expect(new URLSearchParams(location.search).get('landmark')).toBe('Ashfall')
  await reader.click(await screen.findByRole('button', { name: 'Remove filter: Landmark Ashfall' }))
  await waitFor(() => expect(location.search).toBe('?q=iron'))
})

test('a saved search keeps it', async () => {
  const server = new Server().signedIn().shows([atAshfall])
  const stored = { id: 4, name: 'Ores', q: 'ore', category: [], importance: [], level: 0, minPrice: 0, maxPrice: 0 }
  const bell = { watch: true, bell: true, items: [], kind: '', minQuantity: 0, way: 'direct', pause: 0 }
  server.on('GET /api/me/saved', () => ({
    json: { saved: [{ ...stored, ...bell, forMe: false, sort: 'newest', view: 'cards', landmark: 'Ashfall' }] },
  }))
  server.on('POST /api/me/watches', () => ({ status: 201, json: { id: 5, name: 'iron' } }))
  const reader = openPage('/?q=iron&landmark=Harbour')
  await reader.click(await screen.findByRole('button', { name: 'Save search' }))
  await waitFor(() => expect(server.calls('POST /api/me/watches')[0]?.body).toMatchObject({ landmark: 'Harbour' }))
  await reader.click(await screen.findByRole('button', { name: 'Saved searches' }))
  const ores = await screen.findByRole('menuitem', { name: /^Ores/ })
  expect(ores).toHaveTextContent('“ore” · Ashfall')
  await reader.click(ores)
  await waitFor(() => expect(new URLSearchParams(location.search).get('landmark')).toBe('Ashfall'))
})
