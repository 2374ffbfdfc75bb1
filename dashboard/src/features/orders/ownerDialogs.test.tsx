import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

const own = order({ userId: 1 })

test.each([
  ['close', 'Close Order', 'POST /api/orders/7/close', 'Failed to close order. Please try again.'],
  ['delete', 'Delete Order', 'DELETE /api/orders/7', 'Failed to delete order. Please try again.'],
])('to %s asks first, and a failure leaves the dialog open and ready', async (name, title, call, sentence) => {
  const server = new Server().signedIn([own]).shows([own])
  server.on(call, () => 'unreachable')
  const reader = openPage(`/?dialog=${name}&request=7`)
  const ask = await dialog(title, 'alertdialog')
  expect(server.calls(call)).toHaveLength(0)
  await reader.click(ask.getByRole('button', { name: title }))
  expect(await ask.findByText(sentence)).toBeVisible()
  expect(ask.getByRole('button', { name: title })).toBeEnabled()
})

test('deleting says that associated offers are lost, and takes the card away', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.on('DELETE /api/orders/7', () => {
    server.shows([])
    return { status: 204 }
  })
  const reader = openPage('/?dialog=delete&request=7')
  const ask = await dialog('Delete Order', 'alertdialog')
  expect(screen.getByRole('alertdialog')).toHaveAccessibleDescription(/offers .*lost/)
  await reader.click(ask.getByRole('button', { name: 'Delete Order' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
})

test('an edit that was overtaken shows the present values, and saving again keeps mine', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.refuses('PATCH /api/orders/7', 409, 'This request has changed since you opened it.', {
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

test('an edit that fails says so', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.on('PATCH /api/orders/7', () => ({ status: 503, json: {} }))
  const reader = openPage('/?dialog=edit&request=7')
  const form = await dialog('Edit Request')
  await reader.type(form.getByLabelText(/Description/), ' More.')
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await form.findByText('Failed to update order. Please try again.')).toBeVisible()
})
