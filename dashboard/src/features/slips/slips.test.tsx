import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Slip } from '@/api/slips'
import type { Handover } from '@/api/types'
import { openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'
import { lineForGame } from './lineForGame'

function turnOn() {
  onTestFinished(withFeatures('handover'))
}

const handover = (change: Partial<Handover> = {}): Handover => ({
  id: 12,
  orderId: 7,
  offerId: 70,
  itemName: 'Iron Ore',
  quantity: 50,
  total: '12500',
  side: 'buyer',
  partnerId: 4,
  with: { name: 'Fern', contact: 'fern' },
  acceptedAt: '2026-05-01T12:00:00Z',
  agreedBy: '2026-05-04T12:00:00Z',
  state: 'agreed',
  settledAt: null,
  canSay: true,
  canTakeBack: false,
  lookedAt: null,
  canPutOff: true,
  canAgree: false,
  missing: 0,
  ...change,
})

const slip = (change: Partial<Slip> = {}): Slip => ({
  with: { id: 4, name: 'Fern', contact: 'fern', inGameNames: ['Fern#77'], lookAlike: false },
  you: { id: 1, name: 'Maple', contact: 'maple', inGameNames: [], lookAlike: false },
  lines: [
    { handover: handover(), pricePerUnit: 250, description: 'Any grade', message: 'Tonight?' },
    {
      handover: handover({ id: 13, itemName: 'Oak Log', quantity: 8, total: '2000', side: 'seller' }),
      pricePerUnit: 250,
      description: '',
      message: '',
    },
  ],
  more: false,
  bring: [{ itemName: 'Oak Log', quantity: 8 }],
  get: [{ itemName: 'Iron Ore', quantity: 50 }],
  pay: '12500',
  earn: '2000',
  net: '10500',
  place: null,
  canSayPlace: true,
  ...change,
})

function opened(server: Server, now: () => Slip = slip) {
  turnOn()
  server.on('GET /api/me/slips/4', () => ({ json: now() }))
  return openPage('/trades/with/4')
}

test('a slip says who brings what, and is answered as a whole', async () => {
  const server = new Server().signedIn()
  let now = slip()
  server.on('POST /api/handovers/say', () => {
    now = slip({
      lines: now.lines.map((l) => ({ ...l, handover: { ...l.handover, canSay: false, yourWord: 'met' } })),
      bring: [],
      get: [],
      pay: '0',
      earn: '0',
      net: '0',
    })
    return { json: { handovers: [], nextCursor: null } }
  })
  const reader = opened(server, () => now)
  expect(await screen.findByRole('heading', { name: /Open trades with Fern/ })).toBeVisible()
  const totals = within(screen.getByRole('region', { name: 'Who brings what' }))
  expect(totals.getByText('12 silver 500 copper')).toBeInTheDocument()
  expect(totals.getByText('10 silver 500 copper')).toBeInTheDocument()
  expect(
    screen.getByText(/Hi Fern#77, Maple here. I bring 8 Oak Log and 10s 500c. You bring 50 Iron Ore/),
  ).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'We met for all 2' }))
  expect(await screen.findByText(/You have answered for all of it/)).toBeVisible()
  expect(server.calls('POST /api/handovers/say')[0]?.body).toEqual({ sales: [12, 13], word: 'met' })
  expect(screen.getByRole('heading', { name: /Open trades with Fern/ })).toHaveFocus()
})

test('a line that cannot be answered shows why, and the others can be answered', async () => {
  const server = new Server().signedIn()
  server.fails('POST /api/handovers/say', 409, 'This was settled already.', {
    errors: { 'sales[2]': 'This was settled already.' },
  })
  const reader = opened(server)
  await reader.click(await screen.findByRole('button', { name: 'We met for all 2' }))
  expect(await screen.findByText(/Nothing was saved/)).toBeVisible()
  const lines = within(screen.getByRole('list', { name: 'Open trades' })).getAllByRole('listitem')
  expect(within(lines[1] as HTMLElement).getByText('This was settled already.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'We met for all 2' })).toBeEnabled())
})

test('either says where they meet, and how they are called in the game', async () => {
  const server = new Server().signedIn()
  let now = slip()
  server.on('PUT /api/me/slips/4/place', ({ body }) => {
    now = slip({ place: { text: (body as { place: string }).place, saidByYou: true, saidAt: '2026-05-01T12:00:00Z' } })
    return { json: now }
  })
  server.fails('PUT /api/me/in-game-name', 422, 'Too long', { errors: { inGameName: 'Too long' } })
  const reader = opened(server, () => now)
  await reader.click(await screen.findByRole('button', { name: 'Set a place: Where you meet' }))
  expect(screen.getByLabelText('Where you meet')).toHaveFocus()
  await reader.keyboard('By the fountain{Enter}')
  expect(await screen.findByText(/We meet: By the fountain/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Change: Where you meet' })).toHaveFocus()
  await reader.click(screen.getByRole('button', { name: 'Add your name: Your in-game name' }))
  await reader.keyboard('Maple#1{Enter}')
  expect(await screen.findByText('Too long')).toBeVisible()
})

test('with nothing open the page says so', async () => {
  turnOn()
  const server = new Server().signedIn()
  server.fails('GET /api/me/slips/4', 404, 'You have no open trades with this trader')
  openPage('/trades/with/4')
  expect(await screen.findByRole('heading', { name: 'No open trades' })).toBeVisible()
})

test('a failure can be tried again, and without the feature there is no such page', async () => {
  const server = new Server().signedIn()
  turnOn()
  let calls = 0
  server.on('GET /api/me/slips/4', () => (++calls < 3 ? { status: 500, json: {} } : { json: slip() }))
  const reader = openPage('/trades/with/4')
  await reader.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: /Open trades with Fern/ })).toBeVisible()
})

test('the line for the game names a few items only', () => {
  const many = Array.from({ length: 6 }, (_, i) => ({ itemName: `Item ${i}`, quantity: 1000 * (i + 1) }))
  expect(lineForGame(slip({ bring: many, get: [], pay: '0', earn: '500', net: '-500' }))).toBe(
    'Hi Fern#77, Maple here. I bring 1,000 Item 0, 2,000 Item 1, 3,000 Item 2, 4,000 Item 3 and 2 more items. ' +
      'You bring 500c. Where shall we meet?',
  )
})
