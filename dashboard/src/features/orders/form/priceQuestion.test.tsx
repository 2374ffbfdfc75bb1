import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

const asked = {
  code: 'price_unusual',
  errors: { maxPricePerUnit: 'That is 1,000 times what it was traded for. Did you mean 4s?' },
  prices: [
    { field: 'maxPricePerUnit', itemName: 'Tin Ore', typed: 4_000_000, suggested: 4_000, known: 3_900, from: 'traded' },
  ],
}

async function askedAbout() {
  const server = new Server().signedIn()
  server.fails('POST /api/orders', 409, 'That is 1,000 times what it was traded for. Did you mean 4s?', asked)
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), 'Tin Ore')
  await reader.type(form.getByLabelText('Quantity'), '200')
  await reader.type(form.getByLabelText(/Max price/), '4g')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await form.findByText(/That is 1,000 times what it was traded for/)).toBeVisible()
  server.on('POST /api/orders', () => ({ status: 201, json: order({ id: 9, userId: 1, itemName: 'Tin Ore' }) }))
  return { server, reader, form }
}

test('a slip of a coin is asked about, and the price that was meant is taken with a press', async () => {
  const { server, reader, form } = await askedAbout()
  await reader.click(form.getByRole('button', { name: 'Use 4s' }))
  expect(form.getByLabelText(/Max price/)).toHaveValue('4s')
  expect(screen.queryByText(/Did you mean/)).toBeNull()
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await waitFor(() => expect(server.calls('POST /api/orders')).toHaveLength(2))
  const sent = server.calls('POST /api/orders')[1]?.body
  expect(sent).toMatchObject({ maxPricePerUnit: 4_000 })
  expect(sent).not.toHaveProperty('confirmPrice')
})

test('an unusual price is kept with a press', async () => {
  const { server, reader, form } = await askedAbout()
  await reader.click(form.getByRole('button', { name: 'Keep 4g' }))
  await waitFor(() => expect(server.calls('POST /api/orders')).toHaveLength(2))
  expect(server.calls('POST /api/orders')[1]?.body).toMatchObject({ maxPricePerUnit: 4_000_000, confirmPrice: true })
})

test('an unusual price of an edit is asked about, and kept with a press', async () => {
  const own = order({ userId: 1, maxPricePerUnit: 4_000 })
  const server = new Server().signedIn([own]).shows([own])
  server.fails('PATCH /api/orders/7', 409, 'That is 1,000 times what it was traded for. Did you mean 4s?', asked)
  const reader = openPage('/?dialog=edit&request=7')
  const form = await dialog('Edit Request')
  const price = form.getByLabelText(/Max price/)
  await reader.clear(price)
  await reader.type(price, '4g')
  await reader.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await form.findByText(/That is 1,000 times what it was traded for/)).toBeVisible()
  server.on('PATCH /api/orders/7', () => ({ json: { ...own, version: 4, maxPricePerUnit: 4_000_000 } }))
  await reader.click(form.getByRole('button', { name: 'Keep 4g' }))
  await waitFor(() => expect(server.calls('PATCH /api/orders/7')).toHaveLength(2))
  expect(server.calls('PATCH /api/orders/7')[0]?.body).not.toHaveProperty('confirmPrice')
  expect(server.calls('PATCH /api/orders/7')[1]?.body).toMatchObject({
    maxPricePerUnit: 4_000_000,
    confirmPrice: true,
  })
})
