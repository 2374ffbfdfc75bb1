import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dialog, openPage, withFeatures } from '@/test/page'
import { maple, notice, order, Server } from '@/test/server'
import { merged } from './ForSale'

const seller = { id: 9, username: 'rowan', displayName: 'Rowan' }
const listing = (changes: object = {}) => ({
  id: 5,
  seller,
  itemName: 'Oak Log',
  itemId: null,
  category: 'Woodcutter' as const,
  quantity: 300,
  left: 200,
  price: 40,
  totalValue: '8000',
  note: 'Docks',
  since: '2026-11-20T12:00:00Z',
  until: '2026-12-18T12:00:00Z',
  ...changes,
})
const ask = {
  id: 70,
  listingId: 5,
  itemName: 'Oak Log',
  quantity: 200,
  price: 40,
  buyer: { id: 3, username: 'maple', displayName: 'Maple' },
  ign: null,
  seller,
  createdAt: '2026-11-20T12:00:00Z',
  endsAt: '2026-11-22T12:00:00Z',
}

function open(path: string, server = new Server().signedIn(), listings = [listing()]) {
  onTestFinished(withFeatures('items stock listings'))
  server.on('GET /api/listings', () => ({
    json: { listings, total: listings.length, totalIsExact: true, nextCursor: null },
  }))
  server.on('GET /api/me/stock', () => ({ json: { stock: [] } }))
  return { server, reader: openPage(path) }
}

test('the board switches to what is for sale, and one press asks for it', async () => {
  const { server, reader } = open('/')
  let asked: object[] = []
  server.on('GET /api/me/asks', () => ({ json: { asks: asked } }))
  server.on('POST /api/listings/5/asks', () => {
    asked = [{ ...ask, quantity: 50 }]
    return { status: 201, json: order({ id: 70 }) }
  })
  await reader.click(await screen.findByRole('button', { name: 'For sale' }))
  expect(window.location.search).toBe('?side=sale')
  const card = within(await screen.findByRole('article', { name: 'Oak Log' }))
  card.getByText('Sells')
  const box = card.getByRole('spinbutton', { name: 'How many Oak Log you ask for' })
  expect(box).toHaveValue(200)
  await reader.clear(box)
  await reader.type(box, '50')
  await reader.click(card.getByRole('button', { name: /^Ask for 50 Oak Log for/ }))
  await card.findByText('You asked for 50')
  expect(server.calls('POST /api/listings/5/asks').map(({ body }) => body)).toEqual([{ quantity: 50, price: 40 }])
})

test('what sells without asking says so, and what was agreed at once is told', async () => {
  onTestFinished(withFeatures('items stock listings lists crossing'))
  const server = new Server().signedIn()
  server.on('POST /api/listings/5/asks', () => ({ status: 201, json: order({ id: 70, status: 'fulfilled' }) }))
  const { reader } = open('/?side=sale', server, [listing({ sellsDaily: 40 })])
  const card = within(await screen.findByRole('article', { name: 'Oak Log' }))
  card.getByText('At once, up to 40 a day')
  await reader.click(card.getByRole('button', { name: /^Ask for 200 Oak Log/ }))
  await screen.findByText(/^Agreed with .*: 200 Oak Log/)
})

test('a visitor who asks is led to the sign-in', async () => {
  const { server, reader } = open('/?side=sale', new Server())
  await reader.click(await screen.findByRole('button', { name: /^Ask for 200 Oak Log/ }))
  await screen.findByRole('dialog')
  expect(server.calls('POST /api/listings/5/asks').map(({ body }) => body)).toEqual([])
})

test('the seller says yes to fewer, and no', async () => {
  const { server, reader } = open('/selling/stock')
  let asks = [ask, { ...ask, id: 71 }]
  server.on('GET /api/me/listings', () => ({
    json: {
      listings: [
        { id: 5, itemName: 'Oak Log', quantity: 300, price: 40, listed: true, until: '2026-12-18T12:00:00Z', asks },
      ],
    },
  }))
  server.on('POST /api/me/asks/70/answer', () => {
    asks = asks.slice(1)
    return { json: { accepted: 150, saleId: 8 } }
  })
  server.on('POST /api/me/asks/71/answer', () => {
    asks = []
    return { json: { accepted: 0, saleId: null } }
  })
  const boxes = await screen.findAllByRole('spinbutton', { name: 'How many you sell' })
  await reader.clear(boxes[0] as HTMLElement)
  await reader.type(boxes[0] as HTMLElement, '150')
  await reader.click(screen.getByRole('button', { name: 'Yes, 150' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'No' })).toHaveLength(1))
  await reader.click(screen.getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'No' })).toBeNull())
  expect(server.calls('POST /api/me/asks/70/answer').map(({ body }) => body)).toEqual([
    { accept: 150, message: 'I have these ready.' },
  ])
  expect(server.calls('POST /api/me/asks/71/answer').map(({ body }) => body)).toEqual([{ accept: 0 }])
})

test('both sides come in one order, and nothing is put before what is shown', () => {
  const at = (hour: number) => `2026-11-20T${hour}:00:00Z`
  const sold = [listing({ id: 1, since: at(20) }), listing({ id: 2, since: at(14) })]
  const wanted = [order({ id: 3, createdAt: at(18) }), order({ id: 4, createdAt: at(12) })]
  const ids = (goesOn: object) =>
    merged(sold, wanted, { listings: false, orders: false, byTime: true, ...goesOn }).map((entry) =>
      'listing' in entry ? entry.listing.id : entry.order.id,
    )
  expect(ids({})).toEqual([1, 3, 2, 4])
  expect(ids({ listings: true })).toEqual([1, 3, 2])
  expect(ids({ byTime: false })).toEqual([3, 1, 4, 2])
})

test('a request that asks a seller can only be withdrawn on its page', async () => {
  const server = new Server().signedIn()
  const own = order({ id: 70, userId: 1, listingId: 5, itemName: 'Oak Log' })
  server.on('GET /api/orders/70', () => ({ json: own }))
  const { reader } = open('/requests/70', server)
  await screen.findByText('Only you and the seller see this request. It waits for their answer.')
  for (const name of [/Update sales/i, /View Offers/i, /Edit/i, /Renew/i]) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
  await reader.click(screen.getByRole('button', { name: 'Withdraw your request for Oak Log' }))
  await screen.findByRole('alertdialog')
})

test('without the feature the board has no sides', async () => {
  new Server().signedIn()
  openPage('/?side=sale')
  await screen.findByRole('button', { name: 'Filters' })
  expect(screen.queryByRole('button', { name: 'For sale' })).toBeNull()
})

test('a visitor reports a listing from its card, and must say why', async () => {
  const { server, reader } = open('/?side=sale', new Server())
  server.on('POST /api/listings/5/report', () => ({ status: 204 }))
  const card = within(await screen.findByRole('article', { name: 'Oak Log' }))
  await reader.click(card.getByRole('button', { name: 'Actions for the listing Oak Log' }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.queryByRole('menuitem', { name: /off sale|Block/ })).toBeNull()
  await reader.click(menu.getByRole('menuitem', { name: 'Report…' }))
  const form = await dialog('Report Listing')
  form.getByText(/^300 for sale, 40c each/)
  await reader.click(form.getByRole('button', { name: 'Send Report' }))
  expect(await form.findByText('Reason is required')).toBeVisible()
  await reader.type(form.getByLabelText('Reason'), 'There is no such log')
  await reader.click(form.getByRole('button', { name: 'Send Report' }))
  expect(await screen.findByText('Thank you. The moderators will look at it.')).toBeVisible()
  expect(server.calls('POST /api/listings/5/report')[0]?.body).toEqual({ reason: 'There is no such log' })
  expect(server.calls('POST /api/listings/5/report')[0]?.key).toBeTruthy()
})

test('a moderator takes a listing off sale from its menu, and it leaves the page', async () => {
  const moderator = { ...maple, moderator: true }
  const listings = [listing()]
  const { server, reader } = open('/?side=sale', new Server().signedIn([], {}, moderator), listings)
  server.on('POST /api/listings/5/remove', () => {
    listings.pop()
    return { status: 204 }
  })
  const card = within(await screen.findByRole('article', { name: 'Oak Log' }))
  await reader.click(card.getByRole('button', { name: 'Actions for the listing Oak Log' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Take off sale…' }))
  const form = await dialog('Take Off Sale')
  await reader.type(form.getByLabelText('Reason'), 'No such log')
  await reader.click(form.getByRole('button', { name: 'Take Off Sale' }))
  expect(await screen.findByText("Off sale. We've told the seller why.")).toBeVisible()
  expect(server.calls('POST /api/listings/5/remove')[0]?.body).toEqual({ reason: 'No such log' })
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Oak Log' })).toBeNull())
})

test('a seller has no menu on their own listing', async () => {
  open('/?side=sale', new Server().signedIn(), [listing({ seller: { ...seller, id: maple.id } })])
  const card = within(await screen.findByRole('article', { name: 'Oak Log' }))
  expect(card.queryByRole('button', { name: /Actions/ })).toBeNull()
})

test('on a phone the switch of the sides keeps its icon once it was opened', async () => {
  const server = new Server()
  const media = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...media(query), matches: query.includes('max-width') }))
  const { reader } = open('/', server)
  const name = { name: 'What the board shows' }
  const icon = () => screen.getByRole('combobox', name).querySelector('svg')?.getAttribute('class')
  await screen.findByRole('combobox', name)
  const before = icon()
  expect(before).toContain('arrow-left-right')
  await reader.click(screen.getByRole('combobox', name))
  await reader.click(await screen.findByRole('option', { name: 'For sale' }))
  expect(window.location.search).toBe('?side=sale')
  expect(icon()).toContain('arrow-left-right')
})

test('what is for sale is sorted beside the professions, and counted beside the heading', async () => {
  const { server, reader } = open('/?side=sale')
  await screen.findByRole('article', { name: 'Oak Log' })
  const count = screen.getByText('1 listing')
  expect(screen.getByRole('heading', { level: 1, name: 'For sale' }).nextSibling).toBe(count)
  const professions = within(screen.getByRole('toolbar', { name: 'Professions' }))
  await reader.click(professions.getByRole('combobox', { name: 'Sort what is for sale' }))
  await reader.click(await screen.findByRole('option', { name: 'Cheapest first' }))
  await waitFor(() => expect(server.calls('GET /api/listings').at(-1)?.query.get('sort')).toBe('cheapest'))
  expect(window.location.search).toBe('?side=sale&sort=price')
})

test('who says yes to an ask is told so once', async () => {
  const { server, reader } = open('/selling/stock', new Server().signedIn([], { unread: 1 }))
  server.on('GET /api/me/listings', () => ({
    json: {
      listings: [
        {
          id: 5,
          itemName: 'Oak Log',
          quantity: 300,
          price: 40,
          listed: true,
          until: '2026-12-18T12:00:00Z',
          asks: [ask],
        },
      ],
    },
  }))
  const accepted = { kind: 'offer_accepted' as const, itemName: 'Oak Log', quantity: 200, read: false }
  server.on('GET /api/me/notices', () => ({
    json: {
      notices: [
        notice({ ...accepted, id: 92, orderId: 8, itemName: 'Coal' }),
        notice({ ...accepted, id: 91, orderId: ask.id }),
      ],
      unread: 3,
      nextCursor: null,
    },
  }))
  server.on('POST /api/me/asks/70/answer', () => {
    server.signedIn([], { unread: 3 })
    act(() => server.sendEvent('change', { orders: [70], mine: true }))
    return { json: { accepted: 200, saleId: 8 } }
  })
  await reader.click(await screen.findByRole('button', { name: 'Yes, 200' }))
  await screen.findByText('Sold: 200 Oak Log. We messaged the buyer.')
  await screen.findByText('Your offer was accepted: 200 × Coal.')
  expect(screen.queryByText('Your offer was accepted: 200 × Oak Log.')).toBeNull()
})
