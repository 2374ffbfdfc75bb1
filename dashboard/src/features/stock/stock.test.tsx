import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { dialog, openPage, withFeatures } from '@/test/page'
import { notice, offer, order, Server } from '@/test/server'

const inTen = () => new Date(Date.now() + 600_000).toISOString()

const log = {
  id: 9,
  itemId: 12,
  itemName: 'Sturdy Hickory Log',
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

function open(stock: object[] = [log], path = '/selling/stock') {
  onTestFinished(withFeatures('stock'))
  const server = new Server().signedIn()
  server.on('GET /api/me/stock', () => ({ json: { stock } }))
  server.on('GET /api/me/fill', () => ({
    json: { fillable: [{ order: order({ itemName: 'Iron Ore' }), fromStock: true, can: 60, earns: '240000' }] },
  }))
  return { server, reader: openPage(path) }
}

test('lines are shown as they are understood before they are saved', async () => {
  const { server, reader } = open([])
  const understood = [
    {
      number: 1,
      text: 'Sturdy Hickory Log 600 4s',
      why: null,
      itemId: 12,
      itemName: 'Sturdy Hickory Log',
      quantity: 600,
      price: 4000,
    },
    {
      number: 2,
      text: 'Irn Ore 5 4s',
      why: 'No item is called Irn Ore. Did you mean Iron Ore?',
      itemId: null,
      itemName: 'Irn Ore',
      quantity: 5,
      price: 4000,
    },
  ]
  const before = [
    { ...log, id: 10, itemName: 'Coal' },
    { ...log, id: 11, itemName: 'Tin', quantity: 0 },
  ]
  server.on('POST /api/me/stock', () => ({ json: { stock: [...before, log] } }))
  const box = await screen.findByRole('textbox', { name: 'Add or change items' })
  await reader.click(box)
  await reader.paste('Sturdy Hickory Log 600 4s\nIrn Ore 5 4s')
  server.on('POST /api/me/stock/read', () => ({ status: 500, json: {} }))
  await reader.click(screen.getByRole('button', { name: 'Check the lines' }))
  expect(await screen.findByText('Failed to check the lines. Please try again.')).toBeVisible()
  server.on('POST /api/me/stock/read', () => ({ json: { lines: understood } }))
  await reader.click(screen.getByRole('button', { name: 'Check the lines' }))
  const lines = within(await screen.findByRole('list', { name: 'Preview' }))
  expect(lines.getByText(/Did you mean Iron Ore/)).toBeVisible()
  await reader.click(screen.getByRole('switch', { name: 'Show buyers that you have it' }))
  await reader.click(screen.getByRole('button', { name: 'Save 1 item' }))
  await waitFor(() =>
    expect(within(screen.getByRole('list', { name: 'Your stock' })).getByText('Sturdy Hickory Log')).toBeVisible(),
  )
  expect(server.calls('POST /api/me/stock')[0]?.body).toEqual({
    stock: [{ itemName: 'Sturdy Hickory Log', quantity: 600, price: 4000, public: false }],
  })
  expect(await screen.findByText('Saved. 2 items are in your stock.')).toBeVisible()
  // What was not understood stays.
  expect(box).toHaveValue('Irn Ore 5 4s')
  expect(box).toHaveFocus()
})

test('an item in stock alerts to nothing once that is turned off', async () => {
  const { server, reader } = open()
  server.on('PUT /api/me/stock/9/alerts', ({ body }) => ({ json: { ...log, alerts: (body as { on: boolean }).on } }))
  const bell = await screen.findByRole('button', { name: 'Alert me to requests for Sturdy Hickory Log', pressed: true })
  await reader.click(bell)
  expect(await screen.findByText(/no alerts/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: /^Alert me to requests/, pressed: false }))
  await waitFor(() => expect(screen.queryByText(/no alerts/)).toBeNull())
  expect(server.calls('PUT /api/me/stock/9/alerts').map(({ body }) => body)).toEqual([{ on: false }, { on: true }])
})

test('an item in stock is changed with its note, and what is removed comes back', async () => {
  const { server, reader } = open([{ ...log, asked: true, alerts: false }])
  expect(await screen.findByText(/1 item hasn't changed for two weeks/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Change Sturdy Hickory Log' }))
  const many = screen.getByRole('textbox', { name: 'How many' })
  expect(many).toHaveFocus()
  await reader.clear(many)
  await reader.type(many, '450')
  await reader.type(screen.getByRole('textbox', { name: /Note/ }), 'In Ravenia')
  server.on('POST /api/me/stock', () => ({
    json: { stock: [{ ...log, quantity: 450, note: 'In Ravenia', alerts: false }] },
  }))
  await reader.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('In Ravenia')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Change Sturdy Hickory Log' })).toHaveFocus()
  expect(server.calls('POST /api/me/stock')[0]?.body).toEqual({
    stock: [{ itemName: 'Sturdy Hickory Log', quantity: 450, price: 4000, note: 'In Ravenia', public: true }],
  })
  server.on('DELETE /api/me/stock/9', () => ({ status: 204 }))
  await reader.click(screen.getByRole('button', { name: 'Remove Sturdy Hickory Log' }))
  server.on('POST /api/undo/stock/9', () => ({ json: { order: null } }))
  await reader.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.calls('POST /api/undo/stock/9')).toHaveLength(1))
  expect(server.calls('POST /api/me/stock')).toHaveLength(1) // nothing is written from what the page remembers
})

test('the alert of stock offers with one press, and leads to fewer', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () => ({
    json: { notices: [notice({ id: 31, kind: 'request_watched' })], unread: 0, nextCursor: null },
  }))
  server.on('POST /api/me/notices/31/snooze-stock', () => ({
    json: { ...log, snoozedUntil: '2099-01-01T08:00:00Z' },
  }))
  server.on('POST /api/me/notices/31/stop-stock', () => ({ json: { ...log, alerts: false } }))
  server.on('PUT /api/me/stock/9/alerts', () => ({ json: log }))
  server.on('GET /api/me/offers/ready', () => ({
    json: { ready: [{ orderId: 7, quantity: 40, why: null }], message: 'I have these ready.', remembered: false },
  }))
  server.on('POST /api/orders/7/offers', () => {
    const open = { id: 70, orderId: 7, quantityOffered: 40, quantityAccepted: 0, price: 2_500_000, undoUntil: inTen() }
    server.on('GET /api/me/offers/open', () => ({ json: { offers: [open] } }))
    return { status: 201, json: { offer: offer({ quantityOffered: 40 }), replaced: false } }
  })
  const reader = openPage('/inbox')
  expect(await screen.findByText(/^Wanted, and you have it:/)).toBeVisible()
  await reader.click(await screen.findByRole('button', { name: /^Offer 40 Iron Ore for/ }))
  expect(await screen.findByText(/You offered 40\. We'll message you/)).toBeVisible()
  expect(await screen.findByRole('button', { name: /^Undo: withdraw the offer on Iron Ore/ })).toHaveFocus()
  expect(screen.getByRole('button', { name: 'Change my offer' })).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers').map(({ body }) => body)).toMatchObject([
    { quantityOffered: 40, sellerContact: 'maple', message: 'I have these ready.', replaces: 0 },
  ])
  await reader.click(screen.getByRole('button', { name: 'Until tomorrow' }))
  expect(await screen.findByText(/^Quiet until .*come in one message/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText("You won't get alerts about requests for Iron Ore any more.")).toBeVisible()
  await reader.click(screen.getAllByRole('button', { name: 'Undo' }).at(-1) as HTMLElement)
  await waitFor(() =>
    expect(server.calls('PUT /api/me/stock/9/alerts').map(({ body }) => body)).toEqual([{ on: true }]),
  )
  expect(server.calls('POST /api/me/notices/31/snooze-stock').map(({ body }) => body)).toEqual([{ for: 'tomorrow' }])
})

test('the report of unmet demand names what is wanted', async () => {
  const server = new Server()
  server.on('GET /api/wanted', () => ({
    json: {
      from: '2026-11-15T12:00:00Z',
      to: '2026-11-22T12:00:00Z',
      unmet: [
        {
          category: 'Miner',
          fromLevel: 101,
          toLevel: 150,
          requests: 12,
          value: '2400000',
          items: [{ name: 'Iron Ore', quantity: 600, value: '2400000' }],
        },
      ],
      fastest: [{ name: 'Coal', itemId: 12, requests: 4, medianSeconds: 5400 }],
      moved: [{ name: 'Tin', before: 4000, now: 5000, percent: 25 }],
    },
  }))
  openPage('/items/wanted')
  expect(await screen.findByRole('link', { name: 'Miner 101–150' })).toHaveAttribute(
    'href',
    '/?category=Miner&level=150',
  )
  expect(screen.getByRole('link', { name: '600 × Iron Ore' })).toHaveAttribute('href', '/?q=Iron+Ore')
  expect(screen.getByRole('link', { name: 'Coal' })).toHaveAttribute('href', '/items/12/coal')
  expect(screen.getByText('4 requests, half of them within 90 minutes')).toBeVisible()
  expect(screen.getByText('+25%')).toBeVisible()
})

test('the page of an item says who has it, and asks one of them', async () => {
  onTestFinished(withFeatures('items stock'))
  const server = new Server().signedIn()
  server.on('GET /api/catalogue/12', () => ({
    json: {
      id: 12,
      name: 'Sturdy Hickory Log',
      kind: '',
      region: '',
      madeBy: [],
      madeAtLevel: null,
      usedBy: [],
      usedAtLevel: null,
      tradeable: null,
      link: '',
      provisional: false,
      gone: false,
      proposes: { category: null, level: null },
    },
  }))
  server.on('GET /api/catalogue/12/stock', () => ({
    json: {
      sellers: 4,
      quantity: 1200,
      upTo: 5000,
      public: [
        {
          id: 9,
          seller: { id: 3, username: 'rowan', displayName: 'Rowan' },
          quantity: 600,
          price: 4000,
          note: '',
          since: log.touchedAt,
        },
      ],
    },
  }))
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [] } }))
  server.on('GET /api/items', () => ({ json: { items: [] } }))
  server.on('GET /api/stock', () => ({ json: { sellers: 4, quantity: 1200, upTo: 5000 } }))
  server.on('POST /api/orders', () => ({ status: 201, json: order({ itemName: 'Sturdy Hickory Log' }) }))
  const reader = openPage('/items/12/sturdy-hickory-log')
  expect(await screen.findByText(/4 sellers have 1,200 at up to/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Ask Rowan for it' }))
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Item name')).toHaveValue('Sturdy Hickory Log')
  expect(await form.findByText(/4 sellers have 1,200 at up to/)).toBeVisible()
  await reader.type(form.getByLabelText('Quantity'), '5')
  await reader.click(form.getByRole('button', { name: /^Post/ }))
  await waitFor(() => expect(server.calls('POST /api/orders')[0]?.query.get('askStock')).toBe('9'))
})

test('requests that can be filled are ranked', async () => {
  open([log], '/selling')
  const fill = within(await screen.findByRole('list', { name: 'Requests you can fill' }))
  expect(fill.getByRole('link')).toHaveTextContent('60 × Iron Ore')
  expect(fill.getByText(/you have it/)).toBeVisible()
})

test('an item is removed, and all are confirmed', async () => {
  const { server, reader } = open()
  server.on('DELETE /api/me/stock/9', () => ({ status: 204 }))
  server.on('POST /api/me/stock/confirm', () => ({ json: { stock: [log] } }))
  await reader.click(await screen.findByRole('button', { name: 'All still there' }))
  expect(await screen.findByText('Thank you. Your stock stays listed.')).toBeVisible()
  server.on('GET /api/me/stock', () => ({ json: { stock: [] } }))
  await reader.click(screen.getByRole('button', { name: 'Remove Sturdy Hickory Log' }))
  expect(await screen.findByText(/Your stock is empty/)).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Your stock' })).toHaveFocus()
})

test('a line is added with one press beside For me, and one that is not understood says why', async () => {
  const { server, reader } = open([], '/selling')
  const line = {
    number: 1,
    text: 'Iron Ore 60 4s',
    why: null,
    itemId: 3,
    itemName: 'Iron Ore',
    quantity: 60,
    price: 4000,
  }
  const wrong = { ...line, text: 'Irn Ore 60 4s', why: 'No item is called Irn Ore.', itemId: null }
  server.on('POST /api/me/stock/read', ({ body }) => ({
    json: { lines: [(body as { lines: string }).lines.startsWith('Irn') ? wrong : line] },
  }))
  server.on('POST /api/me/stock', () => ({ json: { stock: [{ ...log, itemName: 'Iron Ore', quantity: 60 }] } }))
  const field = await screen.findByRole('textbox', { name: 'Add what you have' })
  await reader.type(field, 'Irn Ore 60 4s{Enter}')
  expect(await screen.findByText('No item is called Irn Ore.')).toBeVisible()
  expect(server.calls('POST /api/me/stock')).toHaveLength(0)
  await reader.clear(field)
  await reader.type(field, 'Iron Ore 60 4s{Enter}')
  expect(await screen.findByText('Added to your stock: 60 × Iron Ore')).toBeVisible()
  expect(server.calls('POST /api/me/stock').at(-1)?.body).toEqual({
    stock: [{ itemName: 'Iron Ore', quantity: 60, price: 4000, public: true, note: '' }],
  })
  expect(field).toHaveValue('')
})

test('For me lists what new skills are enough for as soon as they are saved', async () => {
  const { server, reader } = open([], '/selling')
  let fillable: object[] = []
  server.on('GET /api/me/fill', () => ({ json: { fillable } }))
  server.on('PUT /api/me/skills', ({ body }) => {
    fillable = [{ order: order({ itemName: 'Iron Ore' }), fromStock: false, can: 60, earns: '240000' }]
    return { json: body as object }
  })
  expect(await screen.findByText(/There are no open requests for items you have/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'My Skills' }))
  const skills = await dialog('My Skills')
  await reader.type(await skills.findByRole('spinbutton', { name: 'Miner' }), '60{Enter}')
  expect(await screen.findByRole('link', { name: /60 × Iron Ore/ })).toBeVisible()
  expect(screen.getByText('Miner 60')).toBeVisible()
})

test('rows of several professions are narrowed to one by chips, which one profession alone does not need', async () => {
  const { server, reader } = open([
    { ...log, category: 'Woodcutter' },
    { ...log, id: 10, itemName: 'Oak Log', category: 'Woodcutter' },
    { ...log, id: 11, itemName: 'Tin Ore', category: 'Miner' },
    { ...log, id: 12, itemName: 'Keepsake' },
  ])
  const rows = async () => {
    const list = within(await screen.findByRole('list', { name: 'Your stock' }))
    return list.getAllByRole('listitem').length
  }
  expect(await rows()).toBe(4)
  const chips = within(screen.getByRole('toolbar', { name: 'Category' }))
  expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['All4', 'Woodcutter2', 'Miner1'])
  await reader.click(chips.getByRole('button', { name: /^Miner/ }))
  expect(await rows()).toBe(1)
  expect(chips.getByRole('button', { name: /^Miner/ })).toHaveAttribute('aria-pressed', 'true')
  // The last of a profession goes, and what remains is shown.
  server.on('GET /api/me/stock', () => ({ json: { stock: [{ ...log, category: 'Woodcutter' }] } }))
  server.on('DELETE /api/me/stock/11', () => ({ status: 204 }))
  await reader.click(screen.getByRole('button', { name: 'Remove Tin Ore' }))
  await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Category' })).toBeNull())
  expect(await rows()).toBe(1)
  screen.getByText('Sturdy Hickory Log')
})
