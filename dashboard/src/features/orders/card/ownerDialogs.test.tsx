import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

const own = order({ userId: 1 })

test.each([
  ['close', 'Close Order', 'POST /api/orders/7/close', 'Failed to close order. Please try again.'],
  ['delete', 'Delete Order', 'DELETE /api/orders/7', 'Failed to delete order. Please try again.'],
])('%s asks for confirmation, and a failure keeps the dialog open', async (name, title, call, sentence) => {
  const server = new Server().signedIn([own]).shows([own])
  server.on(call, () => 'unreachable')
  const reader = openPage(`/?dialog=${name}&request=7`)
  const ask = await dialog(title, 'alertdialog')
  expect(server.calls(call)).toHaveLength(0)
  await reader.click(ask.getByRole('button', { name: title }))
  expect(await ask.findByText(sentence)).toBeVisible()
  expect(ask.getByRole('button', { name: title })).toBeEnabled()
})

test('deleting warns that offers are lost, and removes the card', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.on('DELETE /api/orders/7', () => {
    server.shows([])
    return { status: 204 }
  })
  const reader = openPage('/?dialog=delete&request=7')
  const ask = await dialog('Delete Order', 'alertdialog')
  expect(screen.getByRole('alertdialog')).toHaveAccessibleDescription(/offers .*lost/)
  expect(screen.getByRole('alertdialog')).toHaveAccessibleDescription(
    /Sales stay in the other trader's history, without your texts/,
  )
  await reader.click(ask.getByRole('button', { name: 'Delete Order' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
})

test("an edit conflict shows the current values, and saving again keeps the user's", async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.fails('PATCH /api/orders/7', 409, 'This request has changed since you opened it.', {
    current: { ...own, version: 4, quantity: 450 },
  })
  const reader = openPage('/?dialog=edit&request=7')
  const form = await dialog('Edit Request')
  const quantity = form.getByLabelText('Quantity')
  await reader.clear(quantity)
  await reader.type(quantity, '600')
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await form.findByText('This request has changed since you opened it.')).toBeVisible()
  expect(quantity).toHaveValue(600)
  expect(quantity).toHaveAccessibleDescription(expect.stringContaining('450'))
  server.on('PATCH /api/orders/7', () => ({ json: { ...own, version: 5, quantity: 600 } }))
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(server.calls('PATCH /api/orders/7')).toHaveLength(2))
  expect(server.calls('PATCH /api/orders/7').map(({ body }) => (body as { version: number }).version)).toEqual([3, 4])
})

test('a failed edit shows an error', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.on('PATCH /api/orders/7', () => ({ status: 503, json: {} }))
  const reader = openPage('/?dialog=edit&request=7')
  const form = await dialog('Edit Request')
  await reader.type(form.getByLabelText(/Description/), ' More.')
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await form.findByText('Failed to update order. Please try again.')).toBeVisible()
})

/** Its code is loaded when the first expired request is on the page. */
async function renewButton() {
  await waitFor(() => expect(screen.getByRole('button', { name: /^Renew / })).toBeEnabled())
  return screen.getByRole('button', { name: /^Renew / })
}

test('Renew puts an expired request back on the board', async () => {
  const expired = order({ userId: 1, expired: true, expiresAt: new Date(Date.now() - 86_400_000).toISOString() })
  const list = (...orders: (typeof expired)[]) => ({ json: { orders, total: orders.length, nextCursor: null } })
  const server = new Server().signedIn([], { expired: 1 })
  server.on('GET /api/me/orders', ({ query }) => (query.get('status') === 'expired' ? list(expired) : list()))
  const renewed = { ...own, version: 4, expiresAt: '2031-07-31T12:00:00Z' }
  server.on('POST /api/orders/7/renew', () => {
    server.on('GET /api/me/orders', ({ query }) => (query.get('status') === 'active' ? list(renewed) : list()))
    return { json: renewed }
  })
  const reader = openPage('/mine?show=expired')
  const chosen = await screen.findByRole('link', { name: /^Expired/, current: 'page' })
  expect(within(chosen.parentElement as HTMLElement).getAllByRole('link', { current: 'page' })).toHaveLength(1)
  await reader.click(await renewButton())
  expect(await screen.findByText(/^Iron Ore is back on the board until .*2031/)).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
  expect(server.calls('POST /api/orders/7/renew')).toHaveLength(1)
  await reader.click(screen.getByRole('link', { name: /^Active/ }))
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
})

test('a failed renewal shows an error and can be retried', async () => {
  const expired = order({ userId: 1, expired: true })
  const server = new Server().signedIn([], { expired: 1 })
  server.on('GET /api/me/orders', () => ({ json: { orders: [expired], total: 1, nextCursor: null } }))
  server.on('POST /api/orders/7/renew', () => 'unreachable')
  const reader = openPage('/mine?show=expired')
  await reader.click(await renewButton())
  expect(await screen.findByText('Failed to update order. Please try again.')).toBeVisible()
  expect(await screen.findByRole('button', { name: /^Renew / })).toBeEnabled()
})

test('a request with a category of another game is saved once a valid one is chosen', async () => {
  const old = { ...own, category: 'Weaver' as typeof own.category }
  const server = new Server().signedIn([old]).shows([old])
  server.on('PATCH /api/orders/7', () => ({ json: { ...old, version: 4, category: 'Miner' } }))
  const reader = openPage('/?dialog=edit&request=7')
  const form = await dialog('Edit Request')
  const category = form.getByLabelText('Category')
  expect(category).toHaveTextContent('Weaver')
  await reader.type(form.getByLabelText('In-game name', { exact: false }), '!')
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await form.findByText('Choose one of the 15 categories')).toBeVisible()
  expect(server.calls('PATCH /api/orders/7')).toHaveLength(0)
  await choose(reader, category, 'Miner')
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(server.calls('PATCH /api/orders/7')).toHaveLength(1))
  expect(server.calls('PATCH /api/orders/7')[0]?.body).toMatchObject({ category: 'Miner' })
})

test('a request that expires within 30 days can be renewed on its card', async () => {
  const soon = order({ userId: 1, expiresAt: new Date(Date.now() + 4 * 86_400_000).toISOString() })
  const server = new Server().signedIn([soon]).shows([soon])
  const expiresAt = new Date(Date.now() + 365 * 86_400_000).toISOString()
  server.on('POST /api/orders/7/renew', () => ({ json: { ...soon, version: 4, expiresAt } }))
  const reader = openPage('/mine')
  const card = await screen.findByRole('article', { name: 'Iron Ore' })
  expect(card).toHaveTextContent('Expiresin 4 days')
  server.signedIn([{ ...soon, version: 4, expiresAt }])
  await reader.click(await screen.findByRole('button', { name: 'Renew your request Iron Ore' }))
  expect(await screen.findByText(/^Iron Ore stays on the board until/)).toBeVisible()
  await waitFor(() => expect(card).not.toHaveTextContent('Expires')) // in a year: no longer worth a line
})

test('a completed request is posted again with its values', async () => {
  const done = order({ userId: 1, status: 'fulfilled', closeReason: 'filled', sold: 500, progress: 100 })
  const server = new Server().signedIn([])
  server.on('GET /api/me/orders', () => ({ json: { orders: [done], total: 1, nextCursor: null } }))
  const reader = openPage('/completed')
  await reader.click(await screen.findByRole('button', { name: /^Post again/ }))
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Item name')).toHaveValue('Iron Ore')
  expect(form.getByLabelText('Quantity')).toHaveValue(500)
  expect(form.getByText(/^Filled in from your request for/)).toHaveTextContent('your request for Iron Ore.')
  expect(form.queryByText(/Your earlier input/)).toBeNull()

  // What the user changes in it is a draft of their own.
  await reader.type(form.getByLabelText('Quantity'), '0')
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(screen.getAllByRole('button', { name: 'Post Request' })[0] as HTMLElement)
  const again = await dialog('Post New Request')
  expect(again.getByText(/Your earlier input is still here\./)).toBeVisible()
  await reader.click(again.getByRole('button', { name: 'Start over' }))
  expect(again.getByLabelText('Item name')).toHaveValue('')
})

test('a completed request tells from whom it was bought, when, and what was paid in all', async () => {
  const purchases = {
    firstAt: '2026-03-02T12:00:00Z',
    lastAt: '2026-03-09T12:00:00Z',
    paid: '7500000000',
    sellers: ['Fern', 'Rowan', 'Juniper'],
    sellerCount: 5,
  }
  const done = order({ userId: 1, status: 'fulfilled', closeReason: 'closed_early', sold: 50, progress: 100 })
  const closed = { ...done, closedAt: '2026-03-12T12:00:00Z', purchases }
  const server = new Server().signedIn([])
  server.on('GET /api/me/orders', () => ({ json: { orders: [closed], total: 1, nextCursor: null } }))
  openPage('/completed')
  const card = within(await screen.findByRole('article', { name: 'Iron Ore' }))
  expect((await card.findByText('Paid in all')).parentElement).toHaveTextContent('7 platinum 500 gold')
  expect(card.getByText('Sellers').parentElement).toHaveTextContent('Fern, Rowan, Juniper and 2 more')
  const days = card.getByText('Bought').parentElement?.querySelectorAll('time') ?? []
  expect([...days].map((day) => day.dateTime)).toEqual([purchases.firstAt, purchases.lastAt])
  expect(card.getByText('Closed').parentElement?.querySelector('time')).toHaveAttribute('datetime', closed.closedAt)
})

test('Post again keeps a request that was typed and not sent, and leads back to it', async () => {
  const done = order({ userId: 1, status: 'fulfilled', closeReason: 'filled', sold: 500, progress: 100 })
  const server = new Server().signedIn()
  server.on('GET /api/me/orders', () => ({ json: { orders: [done], total: 1, nextCursor: null } }))
  server.on('POST /api/orders', () => ({ status: 201, json: order({ id: 9, userId: 1 }) }))
  const reader = openPage('/completed?dialog=post')
  await reader.type((await dialog('Post New Request')).getByLabelText('Item name'), 'Tin Ore')
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(await screen.findByRole('button', { name: /^Post again/ }))
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Item name')).toHaveValue('Iron Ore')
  expect(form.getByText(/You have an unsent request for/)).toHaveTextContent('You have an unsent request for Tin Ore.')
  await reader.click(form.getByRole('button', { name: 'Go back to it' }))
  expect(form.getByLabelText('Item name')).toHaveValue('Tin Ore')
  expect(form.queryByRole('button', { name: 'Go back to it' })).toBeNull()
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  // The one that was typed is still there after the other was sent.
  await reader.click(await screen.findByRole('button', { name: /^Post again/ }))
  await reader.click((await dialog('Post New Request')).getByRole('button', { name: 'Post Request' }))
  await screen.findByText('Your request is on the board')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(screen.getByRole('button', { name: 'Post Request' }))
  expect((await dialog('Post New Request')).getByLabelText('Item name')).toHaveValue('Tin Ore')
})
