import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialog, openPage, stopClock } from '@/test/page'
import { order, Server, sale } from '@/test/server'

const own = order({ userId: 1 })

function withSales(...sales: ReturnType<typeof sale>[]) {
  const server = new Server().signedIn([own]).shows([own])
  server.on('GET /api/orders/7/sales', ({ query }) => ({
    json: { sales: sales.slice(0, Number(query.get('limit') ?? 60)), total: sales.length },
  }))
  return server
}

test('the dialog shows total, sold, left and progress, and the last three updates with their notes', async () => {
  withSales(
    sale({ id: 4, quantitySold: 44, notes: 'at the docks' }),
    sale({ id: 3, quantitySold: 33 }),
    sale({ id: 2, quantitySold: 22 }),
    sale({ id: 1, quantitySold: 11 }),
  )
  openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  for (const [name, figure] of [
    ['Total', '500'],
    ['Sold', '100'],
    ['Left', '400'],
  ] as const) {
    expect(form.getByText(name).parentElement).toHaveTextContent(figure)
  }
  expect(form.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '20')
  expect(await form.findByText('at the docks')).toBeVisible()
  const updates = form.getAllByRole('listitem')
  expect(updates).toHaveLength(3)
  expect(within(updates[0] as HTMLElement).getByText('+44')).toBeVisible()
  expect(form.queryByText('+11')).toBeNull()
})

test('an invalid quantity shows the specified message', async () => {
  withSales()
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  await reader.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  expect(await form.findByText('Quantity sold must be greater than 0')).toBeVisible()
  await reader.type(form.getByLabelText('Quantity sold'), '401')
  await reader.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  expect(await form.findByText('Cannot sell more than remaining quantity (400)')).toBeVisible()
})

test('a logged sale shows a success message before the dialog closes', async () => {
  const server = withSales()
  server.on('POST /api/orders/7/sales', () => ({ json: { order: { ...own, version: 4, sold: 130 }, sale: sale() } }))
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  await reader.type(form.getByLabelText('Quantity sold'), '30')
  await reader.type(form.getByLabelText(/Notes/), 'At the harbour')
  await reader.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  expect(await screen.findByText('Sales updated')).toBeVisible()
  expect(server.calls('POST /api/orders/7/sales')[0]?.body).toEqual({ quantitySold: 30, notes: 'At the harbour' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a failed sale shows an error', async () => {
  const server = withSales()
  server.fails('POST /api/orders/7/sales', 500, 'Failed to add order update')
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  await reader.type(form.getByLabelText('Quantity sold'), '30')
  await reader.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  expect(await form.findByText('Failed to update order. Please try again.')).toBeVisible()
})

test('while the outcome of a sale is unknown, submitting again resends it', async () => {
  const server = withSales()
  let lost = 0
  server.on('POST /api/orders/7/sales', () => {
    if (lost++ < 3) return { status: 503, json: { title: 'Service Unavailable', status: 503 } }
    return { json: { order: { ...own, version: 4, sold: 130 }, sale: sale() } }
  })
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  const quantity = form.getByLabelText('Quantity sold')
  await reader.type(quantity, '30')
  await reader.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  expect(await form.findByText(/We don't know yet whether this was saved/)).toBeVisible()
  await reader.clear(quantity)
  await reader.type(quantity, '40')
  await reader.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  expect(await screen.findByText('30 more sold')).toBeVisible()
  const calls = server.calls('POST /api/orders/7/sales')
  expect(calls.map(({ body }) => (body as { quantitySold: number }).quantitySold)).toEqual([30, 30, 30, 30])
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
})

test('the success message of a sale shows for two seconds, then the dialog closes', async () => {
  const server = withSales()
  server.on('POST /api/orders/7/sales', () => ({ json: { order: { ...own, version: 4, sold: 130 }, sale: sale() } }))
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  await reader.type(form.getByLabelText('Quantity sold'), '30')
  const clock = stopClock()
  const updated = () => screen.queryByText('Sales updated')
  fireEvent.click(form.getByRole('button', { name: /Update Sales|Log|Save/ }))
  await clock.until(() => updated() !== null)
  await clock.pass(1999)
  expect(updated()).toBeVisible()
  expect(location.search).toContain('dialog=sales')
  await clock.pass(1)
  expect(location.search).toBe('')
})
