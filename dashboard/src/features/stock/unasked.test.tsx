import { screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

const ore = {
  id: 9,
  itemId: 12,
  itemName: 'Iron Ore',
  quantity: 600,
  price: 4000,
  note: '',
  public: true,
  touchedAt: '2026-11-20T12:00:00Z',
  endsAt: '2026-12-18T12:00:00Z',
  asked: false,
  alerts: true,
  snoozedUntil: null,
}

function open(features: string, stock = ore) {
  onTestFinished(withFeatures(features))
  const server = new Server().signedIn()
  server.on('GET /api/me/stock', () => ({ json: { stock: [stock] } }))
  server.on('GET /api/me/fill', () => ({ json: { fillable: [] } }))
  server.on('GET /api/me/listings', () => ({ json: { listings: [] } }))
  return { server, reader: openPage('/selling/stock') }
}

test('a listing sells without asking up to a number in 24 hours, and no more once that is off', async () => {
  const { server, reader } = open('items stock handover records listings crossing')
  server.on('POST /api/me/stock', () => ({ json: { stock: [{ ...ore, sellsDaily: 200 }] } }))
  await reader.click(await screen.findByRole('button', { name: 'Change Iron Ore' }))
  expect(screen.queryByLabelText('At most in any 24 hours')).toBeNull()
  await reader.click(screen.getByRole('switch', { name: 'Sell without asking me' }))
  await reader.type(screen.getByLabelText('At most in any 24 hours'), '200')
  await reader.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/sells without asking you, at most 200 in 24 hours/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Change Iron Ore' }))
  await reader.click(screen.getByRole('switch', { name: 'Sell without asking me' }))
  await reader.click(screen.getByRole('button', { name: 'Save' }))
  const sent = server.calls('POST /api/me/stock').map(({ body }) => (body as { stock: object[] }).stock[0])
  expect(sent.map((entry) => (entry as { sellsDaily?: number }).sellsDaily)).toEqual([200, undefined])
})

test('nothing sells without asking where crossing is off', async () => {
  const { reader } = open('items stock handover records listings')
  await reader.click(await screen.findByRole('button', { name: 'Change Iron Ore' }))
  expect(screen.queryByRole('switch', { name: 'Sell without asking me' })).toBeNull()
})

test('stock is listed for sale with one press, and kept for matching again by Undo', async () => {
  const { server, reader } = open('items stock listings', { ...ore, public: false })
  server.on('POST /api/me/stock', ({ body }) => {
    const stock = [{ ...ore, ...(body as { stock: object[] }).stock[0] }]
    server.on('GET /api/me/stock', () => ({ json: { stock } }))
    return { json: { stock } }
  })
  await reader.click(await screen.findByRole('button', { name: 'List Iron Ore for sale' }))
  expect(await screen.findByText('For sale: 600 × Iron Ore')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'List Iron Ore for sale' })).toBeNull()
  expect(document.body).not.toHaveFocus()
  await reader.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'List Iron Ore for sale' })).toBeVisible()
  const sent = server.calls('POST /api/me/stock').map(({ body }) => (body as { stock: object[] }).stock[0])
  expect(sent).toMatchObject([
    { quantity: 600, price: 4000, public: true },
    { quantity: 600, price: 4000, public: false },
  ])
})
