import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Order } from '@/api/types'
import { card, dialog, openPage } from '@/test/page'
import { offer, order, receipt, Server, sale, sentOffer, undoOf } from '@/test/server'

const now = () => new Date().toISOString()
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const own = order({ userId: 1 })
const closed = (change: Partial<Order> = {}) =>
  order({
    ...undoOf('close', change.id ?? 7, change.closedAt ?? now()),
    userId: 1,
    version: 4,
    status: 'fulfilled',
    closeReason: 'closed_early',
    closedAt: now(),
    progress: 100,
    ...change,
  })
const filled = (change: Partial<Order> = {}) =>
  closed({ closeReason: 'filled', sold: 500, ...undoOf('sale', 6, now()), ...change })

const list = (...orders: Order[]) => ({ json: { orders, total: orders.length, nextCursor: null } })

/** The user's requests: active ones and completed ones. */
function has(server: Server, active: Order[], completed: Order[]) {
  server.on('GET /api/me/orders', ({ query }) => {
    if (query.get('status') === 'active') return list(...active)
    return query.get('status') === 'fulfilled' ? list(...completed) : list()
  })
  for (const o of [...active, ...completed]) server.on(`GET /api/orders/${o.id}`, () => ({ json: o }))
}

test('a request that was closed is open again by Undo', async () => {
  const server = new Server().signedIn([own])
  server.on('POST /api/orders/7/close', () => {
    has(server, [], [closed()])
    return { json: closed() }
  })
  server.on('POST /api/undo/close/7', () => {
    has(server, [{ ...own, version: 5 }], [])
    return { json: { order: { ...own, version: 5 } } }
  })
  const reader = openPage('/mine?dialog=close&request=7')
  const ask = await dialog('Close Order', 'alertdialog')
  expect(screen.getByRole('alertdialog')).toHaveAccessibleDescription(/You can undo it for ten minutes/)
  await reader.click(ask.getByRole('button', { name: 'Close Order' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
  await reader.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: the request is open again.')).toBeVisible()
  expect(await card('Iron Ore')).toHaveTextContent('400 of 500 left')
  expect(server.calls('POST /api/undo/close/7')[0]?.key).toBeTruthy()
})

test('a list that was still being loaded when something was undone shows it undone', async () => {
  const server = new Server().signedIn([own])
  const before = list()
  let answer = () => {}
  server.on('GET /api/me/orders', ({ query }) =>
    query.get('status') === 'active' ? new Promise((resolve) => (answer = () => resolve(before))) : list(),
  )
  server.on('POST /api/orders/7/close', () => ({ json: closed() }))
  server.on('POST /api/undo/close/7', () => ({ json: { order: { ...own, version: 5 } } }))
  const reader = openPage('/mine?dialog=close&request=7')
  const ask = await dialog('Close Order', 'alertdialog')
  await reader.click(ask.getByRole('button', { name: 'Close Order' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(server.calls('GET /api/me/orders').length).toBeGreaterThan(0))
  const early = answer
  has(server, [{ ...own, version: 5 }], [])
  await reader.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: the request is open again.')).toBeVisible()
  early() // what was true before
  expect(await card('Iron Ore')).toHaveTextContent('400 of 500 left')
})

test('the card of a closed request has Undo for ten minutes', async () => {
  const server = new Server().signedIn([])
  has(server, [], [closed(), closed({ id: 8, itemName: 'Coal', closedAt: minutesAgo(10) })])
  server.on('POST /api/undo/close/7', () => {
    has(server, [own], [])
    return { json: { order: { ...own, version: 5 } } }
  })
  const reader = openPage('/completed')
  const undo = await within(await card('Iron Ore')).findByRole('button', { name: 'Undo closing Iron Ore' })
  expect(within(await card('Coal')).queryByRole('button', { name: /Undo/ })).toBeNull()
  await reader.click(undo)
  expect(await screen.findByText('Undone: the request is open again.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
})

test('an undo that comes too late shows why, and the card stays', async () => {
  const server = new Server().signedIn([])
  has(server, [], [closed()])
  server.fails('POST /api/undo/close/7', 409, "This can't be undone any more")
  const reader = openPage('/completed')
  await reader.click(await screen.findByRole('button', { name: 'Undo closing Iron Ore' }))
  expect(await screen.findByText("This can't be undone any more")).toBeVisible()
  expect(await card('Iron Ore')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Undo closing Iron Ore' })).toHaveFocus())
})

test('the sale that completed a request is undone on its card', async () => {
  const server = new Server().signedIn([])
  has(server, [], [filled()])
  server.on('POST /api/undo/sale/6', () => {
    has(server, [own], [])
    return { json: { order: { ...own, version: 5 } } }
  })
  const reader = openPage('/completed')
  await reader.click(await screen.findByRole('button', { name: 'Undo the sale that completed Iron Ore' }))
  expect(await screen.findByText('Undone.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
})

test.each([
  ['of an open request', own],
  ['that completed its request', filled()],
])('an accept %s is undone on its receipt', async (_name, request) => {
  const server = new Server().signedIn([request])
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [], total: 0 } }))
  server.on('GET /api/me/receipts', () => ({ json: { receipts: [receipt()], nextCursor: null } }))
  server.on('POST /api/undo/sale/12', () => {
    server.on('GET /api/me/receipts', () => ({ json: { receipts: [], nextCursor: null } }))
    server.on('GET /api/orders/7/offers', () => ({ json: { offers: [offer()], total: 1 } }))
    return { json: { order: { ...own, version: 5 } } }
  })
  const reader = openPage('/?dialog=offers&request=7')
  const offers = await dialog('Offers for "Iron Ore"')
  await reader.click(await offers.findByRole('button', { name: "Undo accepting Fern's offer" }))
  expect(await screen.findByText('Undone.')).toBeVisible()
  expect(await offers.findByRole('button', { name: 'Accept Offer of Fern' })).toBeEnabled()
  expect(offers.queryByRole('article', { name: /^Receipt/ })).toBeNull()
})

test('a logged sale is undone in the dialog, and is marked as undone', async () => {
  const server = new Server().signedIn([own])
  const recent = (reversed: boolean) =>
    server.on('GET /api/orders/7/sales', () => ({
      json: { sales: [sale({ id: 9, reversed }), sale({ id: 8, createdAt: minutesAgo(11) })], total: 2 },
    }))
  recent(false)
  server.on('POST /api/undo/sale/9', () => {
    recent(true)
    return { json: { order: { ...own, version: 5, sold: 90 } } }
  })
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  await reader.click(await form.findByRole('button', { name: 'Undo the sale of 10' })) // only of the new one
  expect(await screen.findByText('Undone.')).toBeVisible()
  expect(await form.findByText('Undone')).toBeVisible()
  expect(form.queryByRole('button', { name: /Undo/ })).toBeNull()
})

test('the sale that completes a request offers Undo when its dialog closes', async () => {
  const server = new Server().signedIn([own])
  server.on('GET /api/orders/7/sales', () => ({ json: { sales: [], total: 0 } }))
  server.on('POST /api/orders/7/sales', () => ({ json: { order: filled(), sale: sale({ id: 9, quantitySold: 400 }) } }))
  server.on('POST /api/undo/sale/9', () => ({ json: { order: { ...own, version: 5 } } }))
  const reader = openPage('/?dialog=sales&request=7')
  const form = await dialog('Update Request Sales')
  await reader.type(form.getByLabelText('Quantity sold'), '400')
  await reader.click(form.getByRole('button', { name: 'Update Sales' }))
  expect(await screen.findByText('Iron Ore is completed.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone.')).toBeVisible()
})

test('a declined offer is open again by Undo', async () => {
  const server = new Server().signedIn([own])
  const offers = (...some: ReturnType<typeof offer>[]) =>
    server.on('GET /api/orders/7/offers', () => ({ json: { offers: some, total: some.length } }))
  offers(offer())
  server.on('DELETE /api/offers/70', () => {
    offers()
    return { status: 204 }
  })
  server.on('POST /api/undo/offer/70', () => {
    offers(offer())
    return { json: { order: null } }
  })
  const reader = openPage('/?dialog=offers&request=7')
  const shown = await dialog('Offers for "Iron Ore"')
  await reader.click(await shown.findByRole('button', { name: /^Delete/ }))
  await reader.click(await shown.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(shown.queryByText('Fern')).toBeNull())
  // Above the open dialog: jsdom has no styles that let it be pressed.
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: the offer is open again.')).toBeVisible()
  expect(await shown.findByText('Fern')).toBeVisible()
})

test('a withdrawn offer is open again by Undo', async () => {
  const server = new Server().signedIn([])
  const sent = (...some: ReturnType<typeof sentOffer>[]) =>
    server.on('GET /api/me/offers', () => ({
      json: { offers: some, nextCursor: null, counts: { open: some.length, accepted: 0, past: 0 } },
    }))
  sent(sentOffer())
  server.on('DELETE /api/offers/70', () => {
    sent()
    return { status: 204 }
  })
  server.on('POST /api/undo/offer/70', () => {
    sent(sentOffer())
    return { json: { order: null } }
  })
  const reader = openPage('/selling/offers')
  await reader.click(await screen.findByRole('button', { name: 'Withdraw your offer on Iron Ore' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull())
  await reader.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: the offer is open again.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Withdraw your offer on Iron Ore' })).toBeEnabled()
})

test('an offer that was withdrawn within ten minutes has an Undo under Past', async () => {
  const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toISOString()
  const withdrawn = (itemName: string, id: number, updatedAt: string) =>
    sentOffer({ id, itemName, state: 'withdrawn', quantityLeft: 0, updatedAt })
  const server = new Server().signedIn([])
  server.on('GET /api/me/offers', () => ({
    json: {
      offers: [withdrawn('Iron Ore', 70, minutesAgo(2)), withdrawn('Tin Ore', 71, minutesAgo(11))],
      nextCursor: null,
      counts: { open: 0, accepted: 0, past: 2 },
    },
  }))
  server.on('POST /api/undo/offer/70', () => ({ json: { order: null } }))
  const reader = openPage('/selling/offers?show=past')
  await reader.click(await screen.findByRole('button', { name: 'Undo withdrawing your offer on Iron Ore' }))
  expect(await screen.findByText('Undone: the offer is open again.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /your offer on Tin Ore/ })).toBeNull()
})

test('each of several answers can be undone', async () => {
  const fern = offer({ id: 70, quantityOffered: 50 })
  const ash = offer({ id: 71, sellerName: 'Ash', sellerContact: 'ash' })
  const server = new Server().signedIn([own], { received: 2 })
  server.on('GET /api/me/offers/received', () => ({
    json: { requests: [{ order: own, offers: [fern, ash] }], nextCursor: null },
  }))
  server.on('POST /api/offers/answer', ({ body }) => ({
    json: {
      outcomes: (body as { answers: { id: number; accept: number }[] }).answers.map(({ id, accept }) => ({
        id,
        accepted: accept ? { order: own, offer: null, sale: sale({ id: 30 + id, quantitySold: accept }) } : null,
        problem: null,
        ...(accept ? {} : undoOf('offer', id, now())),
      })),
    },
  }))
  server.on('POST /api/undo/sale/100', () => ({ json: { order: { ...own, version: 5 } } }))
  server.on('POST /api/undo/offer/71', () => ({ json: { order: null } }))
  const reader = openPage('/mine/offers')
  const choose = (name: string) => screen.findByRole('checkbox', { name: `Choose the offer of ${name}` })
  await reader.click(await choose('Fern'))
  await reader.click(screen.getByRole('button', { name: /^Accept 1 offer$/ }))
  await reader.click(await screen.findByRole('button', { name: "Undo accepting Fern's offer" }))
  const outcomes = await screen.findByRole('list', { name: 'Outcomes' })
  await waitFor(() => expect(outcomes).toHaveTextContent('Accepted 50 × Iron Ore from Fern. Undone.'))

  await reader.click(await choose('Ash'))
  await reader.click(screen.getByRole('button', { name: 'Decline…' }))
  await reader.click(screen.getByRole('button', { name: 'Decline' }))
  await reader.click(await screen.findByRole('button', { name: 'Undo declining the offer of Ash' }))
  await waitFor(() =>
    expect(screen.getByRole('list', { name: 'Outcomes' })).toHaveTextContent(
      'Declined the offer of Ash on Iron Ore. Undone.',
    ),
  )
  expect(server.calls('POST /api/undo/offer/71')).toHaveLength(1)
})
