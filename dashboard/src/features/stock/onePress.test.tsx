import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { dialog, openPage, withFeatures } from '@/test/page'
import { offer, order, Server } from '@/test/server'

const message = 'At the harbour, every evening'
const inTen = () => new Date(Date.now() + 600_000).toISOString()

/** A signed-in seller has 80 of the Iron Ore that request 7 asks for. */
function seller(why: string | null = null) {
  const server = new Server().signedIn().shows([order({ quantity: 500, sold: 0, maxPricePerUnit: 54_500 })])
  let open: object[] = []
  const ready = () => (open.length > 0 ? [] : [{ orderId: 7, quantity: 80, why }])
  server.on('GET /api/me/offers/ready', () => ({ json: { ready: ready(), message, remembered: true } }))
  server.on('GET /api/me/offers/open', () => ({ json: { offers: open } }))
  server.on('POST /api/orders/7/offers', ({ body }) => {
    const { quantityOffered } = body as { quantityOffered: number }
    open = [{ id: 70, orderId: 7, quantityOffered, quantityAccepted: 0, price: 54_500, undoUntil: inTen() }]
    return { status: 201, json: { offer: offer({ quantityOffered, pricePerUnit: 54_500 }), replaced: false } }
  })
  server.on('DELETE /api/offers/70', () => {
    open = []
    return { status: 204 }
  })
  return server
}

test('one press on a card offers what one has, and undoes it in its place', async () => {
  const server = seller()
  const reader = openPage()
  const press = await screen.findByRole('button', { name: 'Offer 80 Iron Ore for 4 gold 360 silver' })
  expect(press).toHaveTextContent('Offer 80 for')
  expect(screen.getByRole('button', { name: /^Offer to Fulfill/ })).toBeVisible()
  await reader.click(press)
  const undo = await screen.findByRole('button', { name: /^Undo: withdraw the offer on Iron Ore, 10 minutes left/ })
  expect(undo).toHaveFocus()
  expect(undo).toHaveTextContent('Undo · 10 min')
  expect(undo).toHaveTextContent('4 gold 360 silver')
  expect(within(screen.getByRole('article')).getByText('You offered 80')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Change my offer on Iron Ore' })).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers').map(({ body }) => body)).toEqual([
    { sellerName: 'Maple', sellerContact: 'maple', message, quantityOffered: 80, replaces: 0, price: 54_500 },
  ])
  await reader.click(undo)
  expect(await screen.findByText('Undone: your offer is withdrawn.')).toBeVisible()
  expect(screen.getByRole('button', { name: /^Offer 80 Iron Ore/ })).toHaveFocus()
  expect(within(screen.getByRole('article')).queryByText('You offered 80')).toBeNull()
  expect(server.calls('DELETE /api/offers/70')).toHaveLength(1)
})

test('the calculator holds what one has, and another number changes the button', async () => {
  const server = seller()
  const reader = openPage()
  const many = await screen.findByRole('spinbutton', { name: /Iron Ore/ })
  await waitFor(() => expect(many).toHaveValue(80))
  await reader.clear(many)
  expect(screen.queryByRole('button', { name: /^Offer \d/ })).toBeNull()
  await reader.type(many, '20')
  await reader.click(await screen.findByRole('button', { name: /^Offer 20 Iron Ore/ }))
  await waitFor(() => expect(server.calls('POST /api/orders/7/offers')).toHaveLength(1))
  expect(server.calls('POST /api/orders/7/offers')[0]?.body).toMatchObject({ quantityOffered: 20 })
})

test('a press that would be refused says why and sends nothing', async () => {
  const server = seller('You can offer up to 10. Once you have met this buyer, you can offer more.')
  const reader = openPage()
  const press = await screen.findByRole('button', { name: /^Offer 80/ })
  expect(press).toHaveAccessibleDescription(/^You can offer up to 10/)
  expect(press).toHaveAttribute('aria-disabled', 'true')
  await reader.click(press)
  expect(await screen.findByText(/^You can offer up to 10/)).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers')).toHaveLength(0)
})

test('a refused offer says why, and shows the request as it is now', async () => {
  const server = seller()
  server.on('POST /api/orders/7/offers', () => ({
    status: 409,
    json: {
      title: 'Conflict',
      status: 409,
      detail: 'The price has changed since.',
      current: order({ quantity: 500, sold: 0, maxPricePerUnit: 60_000, version: 9 }),
    },
  }))
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: /^Offer 80/ }))
  expect(await screen.findByText('The price has changed since.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Offer 80 Iron Ore for 4 gold 800 silver' })).toHaveFocus()
})

test('the form starts with what one has and the message of earlier offers', async () => {
  seller()
  openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  expect(await form.findByLabelText('Message')).toHaveValue(message)
  expect(form.getByLabelText('Quantity')).toHaveValue(80)
})

test('a row of the list has the press beside its offer', async () => {
  seller()
  const reader = openPage('/?view=list')
  const press = await screen.findByRole('button', { name: /^Offer 80 Iron Ore/ })
  expect(screen.getByRole('button', { name: 'Offer on Iron Ore' })).toBeVisible()
  await reader.click(press)
  expect(await screen.findByRole('button', { name: /^Undo: withdraw/ })).toHaveFocus()
  expect(screen.getByRole('button', { name: 'Change my offer on Iron Ore' })).toBeVisible()
})

test('what one can fill keeps its row after the press', async () => {
  onTestFinished(withFeatures('stock'))
  const server = seller()
  server.on('GET /api/me/stock', () => ({ json: { stock: [] } }))
  server.on('GET /api/me/fill', () => ({
    json: { fillable: [{ order: order({ maxPricePerUnit: 54_500 }), fromStock: true, can: 80, earns: '4360000' }] },
  }))
  const reader = openPage('/selling')
  const list = within(await screen.findByRole('list', { name: 'Requests you can fill' }))
  await reader.click(await list.findByRole('button', { name: /^Offer 80/ }))
  expect(await list.findByRole('button', { name: /^Undo: withdraw/ })).toHaveFocus()
  expect(list.getByRole('listitem')).toHaveTextContent('You offered 80')
  expect(list.getByRole('button', { name: 'Change my offer on Iron Ore' })).toBeVisible()
})
