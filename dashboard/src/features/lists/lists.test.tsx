import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, withFeatures } from '@/test/page'
import { offer, order, Server } from '@/test/server'

const ore = order({ itemName: 'Iron Ore', listId: 5, quantity: 50, sold: 10 })
const log = order({ id: 8, itemName: 'Oak Log', listId: 5, quantity: 20, sold: 0 })
const list = {
  id: 5,
  userId: 2,
  name: 'Guild hall',
  createdAt: new Date().toISOString(),
  progress: { orders: 2, done: 0, wanted: 70, sold: 10, percent: 14 },
  orders: [ore, log],
}

beforeEach(() => {
  return withFeatures('lists')
})

test('errors in a list are shown by line, and the text stays', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/lists', () => ({ json: { lists: [] } }))
  server.fails('POST /api/lists', 422, 'Write how many you need, such as 50x', {
    errors: { 'lines[2]': 'Write how many you need, such as 50x' },
  })
  const reader = openPage('/lists/new')
  await reader.type(await screen.findByLabelText('Name of the list'), 'Guild hall')
  const text = screen.getByRole('textbox', { name: 'Requests' })
  await reader.type(text, '50x Iron Ore 10s{enter}Oak Log 5s')
  await reader.click(screen.getByRole('button', { name: 'Post Requests' }))
  await reader.click(await screen.findByRole('button', { name: 'Line 2' }))
  expect(screen.getByText(/Nothing was posted. Change 1 line/)).toBeVisible()
  expect(text).toHaveFocus()
  expect((text as HTMLTextAreaElement).selectionStart).toBe('50x Iron Ore 10s\n'.length)
  server.on('POST /api/lists', () => ({ status: 201, json: { ...list, userId: 1 } }))
  server.on('GET /api/lists/5', () => ({ json: { ...list, userId: 1 } }))
  await reader.click(screen.getByRole('button', { name: 'Post Requests' }))
  expect(await screen.findByRole('heading', { name: 'Guild hall' })).toBeVisible()
  expect(location.pathname).toBe('/lists/5')
  expect(server.calls('POST /api/lists').at(-1)?.body).toMatchObject({
    name: 'Guild hall',
    text: '50x Iron Ore 10s\nOak Log 5s',
    buyerContact: 'maple',
  })
})

test('a seller offers on several lines of a list in one form', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/lists/5', () => ({ json: list }))
  server.on('POST /api/lists/5/offers', () => ({ status: 201, json: { offers: [offer(), offer({ id: 71 })] } }))
  const reader = openPage('/lists/5')
  expect(await screen.findByRole('progressbar', { name: 'Progress of Guild hall' })).toHaveAttribute(
    'aria-valuenow',
    '14',
  )
  await reader.type(screen.getByLabelText('I offer: Iron Ore'), '99')
  expect(screen.getByLabelText('I offer: Iron Ore')).toHaveValue(40)
  await reader.type(screen.getByLabelText('I offer: Oak Log'), '5')
  await reader.type(screen.getByLabelText('Message'), 'Tonight')
  await reader.click(screen.getByRole('button', { name: 'Send 2 Offers' }))
  await waitFor(() => expect(server.calls('POST /api/lists/5/offers')).toHaveLength(1))
  expect(server.calls('POST /api/lists/5/offers')[0]?.body).toEqual({
    sellerName: 'Maple',
    message: 'Tonight',
    lines: [
      { orderId: 7, quantity: 40 },
      { orderId: 8, quantity: 5 },
    ],
  })
  expect(await screen.findByText(/2 offers sent/)).toBeVisible()
})

test('a visitor reads a list and is asked to sign in, and a list that is gone says so', async () => {
  const server = new Server()
  server.on('GET /api/lists/5', () => ({ json: list }))
  openPage('/lists/5')
  const rows = within(await screen.findByRole('list')).getAllByRole('listitem')
  expect(rows).toHaveLength(2)
  expect(await screen.findByText(/sign in to offer on several at once/)).toBeVisible()
  expect(screen.queryByLabelText('Message')).toBeNull()
})

test('a list that is gone says so', async () => {
  new Server().fails('GET /api/lists/9', 404, 'That list is no longer here')
  openPage('/lists/9')
  expect(await screen.findByRole('heading', { name: 'List not found' })).toBeVisible()
})
