import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Handover } from '@/api/types'
import { timeOf } from '@/lib/byWhen'
import { choose, dialog, openPage, withFeatures } from '@/test/page'
import { notice, offer, order, Server } from '@/test/server'

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

/** The inbox with a prompt about a handover. */
function asked(server: Server, now: () => Handover) {
  turnOn()
  server.on('GET /api/me/notices', () => ({
    json: { notices: [notice({ kind: 'handover_prompt', saleId: 12, quantity: 50 })], unread: 0, nextCursor: null },
  }))
  server.on('GET /api/me/handovers', () => ({ json: { handovers: [now()], nextCursor: null } }))
  return openPage('/inbox')
}

test('a prompt in the inbox is answered there, and shows what was said', async () => {
  const server = new Server().signedIn()
  let now = handover()
  server.on('POST /api/handovers/say', () => {
    now = handover({ yourWord: 'met', canSay: false, canPutOff: false })
    return { json: { handovers: [now], nextCursor: null } }
  })
  const reader = asked(server, () => now)
  const part = within(await screen.findByRole('region', { name: 'Did you meet for 50 Iron Ore?' }))
  expect(part.getByRole('button', { name: 'Later (24 hours)' })).toBeVisible()
  expect(part.getByRole('button', { name: 'It did not happen: 50 Iron Ore' })).toBeVisible()
  await reader.click(part.getByRole('button', { name: 'We met for 50 Iron Ore' }))
  expect(await part.findByText(/You said that you met/)).toBeVisible()
  expect(part.queryByRole('button', { name: /We met/ })).toBeNull()
  expect(server.calls('POST /api/handovers/say')[0]?.body).toEqual({ sales: [12], word: 'met' })
})

test.each([
  [
    'the time by which they meet',
    { agreedBy: '2100-05-04T20:30:00Z', earlyUntil: '2100-05-04T20:30:00Z' },
    /You meet by .*really not happened/,
  ],
  ['the accept', { agreedBy: '2100-05-04T20:30:00Z', earlyUntil: '2100-05-01T13:00:00Z' }, /less than an hour ago/],
])('a trade is ended early only after a question, with %s', async (_, early, question) => {
  const server = new Server().signedIn()
  let now = handover(early)
  server.on('POST /api/handovers/say', () => {
    now = handover({ state: 'cancelled', yourWord: 'not_met', canSay: false, canPutOff: false })
    return { json: { handovers: [now], nextCursor: null } }
  })
  const reader = asked(server, () => now)
  const part = within(await screen.findByRole('region', { name: 'Did you meet for 50 Iron Ore?' }))
  await reader.click(part.getByRole('button', { name: 'It did not happen: 50 Iron Ore' }))
  expect(part.getByRole('status')).toHaveTextContent(question)
  expect(server.calls('POST /api/handovers/say')).toHaveLength(0)
  await reader.click(part.getByRole('button', { name: 'Yes, it did not happen' }))
  expect(await part.findByText('This part is open again.')).toBeVisible()
  expect(server.calls('POST /api/handovers/say')[0]?.body).toEqual({ sales: [12], word: 'not_met' })
})

test('a decision is shown with its reason', async () => {
  const decided = handover({
    state: 'cancelled',
    yourWord: 'met',
    theirWord: 'not_met',
    against: 'you',
    ruling: { reason: 'Both logs say so' },
    canSay: false,
    canPutOff: false,
  })
  asked(new Server().signedIn(), () => decided)
  const part = within(await screen.findByRole('region', { name: 'Did you meet for 50 Iron Ore?' }))
  expect(
    part.getByText(/A moderator decided: it did not happen. It counts against you. This part is open/),
  ).toBeVisible()
  expect(part.getByText('Both logs say so')).toBeVisible()
})

test('a partner who says that they met is contradicted only after a question', async () => {
  const server = new Server().signedIn()
  let now = handover({ theirWord: 'met' })
  server.on('POST /api/handovers/say', () => {
    now = handover({
      state: 'disputed',
      yourWord: 'not_met',
      theirWord: 'met',
      canSay: false,
      canPutOff: false,
      canTakeBack: true,
    })
    return { json: { handovers: [now], nextCursor: null } }
  })
  server.on('POST /api/handovers/take-back', () => {
    now = handover({ theirWord: 'met' })
    return { json: { handovers: [now], nextCursor: null } }
  })
  const reader = asked(server, () => now)
  const part = within(await screen.findByRole('region', { name: 'Did you meet for 50 Iron Ore?' }))
  await reader.click(part.getByRole('button', { name: 'It did not happen: 50 Iron Ore' }))
  expect(part.getByText(/says you met. Is that wrong/)).toHaveTextContent('Fern says you met. Is that wrong?')
  expect(server.calls('POST /api/handovers/say')).toHaveLength(0)
  await reader.click(part.getByRole('button', { name: 'Yes, it did not happen' }))
  expect(await part.findByText(/A moderator will look at it/)).toHaveTextContent(
    'You said that it did not happen; Fern says that you met.',
  )
  expect(part.getByRole('button', { name: 'We met' })).toBeVisible()
  await reader.click(part.getByRole('button', { name: 'Withdraw my answer' }))
  expect(await part.findByText(/What do you say/)).toBeVisible()
  expect(server.calls('POST /api/handovers/take-back')[0]?.body).toEqual({ sales: [12] })
})

test('nothing can be taken back once a moderator looks at a dispute', async () => {
  const looked = handover({
    state: 'disputed',
    yourWord: 'not_met',
    theirWord: 'met',
    canSay: false,
    canPutOff: false,
    lookedAt: '2026-05-05T12:00:00Z',
  })
  asked(new Server().signedIn(), () => looked)
  expect(await screen.findByText(/A moderator is looking at it/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Withdraw my answer' })).toBeNull()
})

test('an answer that fails says so, and can be given again', async () => {
  const server = new Server().signedIn()
  server.on('POST /api/handovers/say', () => ({ status: 500, json: {} }))
  const reader = asked(server, () => handover())
  await reader.click(await screen.findByRole('button', { name: 'We met for 50 Iron Ore' }))
  expect(await screen.findByText('Failed to save your answer. Please try again.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'We met for 50 Iron Ore' })).toBeEnabled())
})

test('one press posts again the quantity that a cancelled trade gave back to a filled request', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/orders/7', () => ({ json: order({ userId: 1, status: 'fulfilled', quantity: 400 }) }))
  const reader = asked(server, () => handover({ state: 'cancelled', canSay: false, canPutOff: false, missing: 50 }))
  await reader.click(await screen.findByRole('button', { name: 'Post the missing 50 again' }))
  const form = await dialog('Post New Request')
  expect(await form.findByLabelText('Quantity')).toHaveValue(50)
})

test('accepting asks by when the two meet', async () => {
  turnOn()
  const own = order({ userId: 1 })
  const server = new Server().signedIn([own])
  server.on('GET /api/orders/7/offers', () => ({
    json: { offers: [offer({ verified: true })], total: 1, declined: [], received: true },
  }))
  server.on('POST /api/offers/70/accept', () => ({ status: 409, json: { detail: 'No' } }))
  const reader = openPage('/?dialog=offers&request=7')
  const offers = await dialog(/Offers for/)
  await choose(reader, await offers.findByLabelText(/Meet by/), 'Tomorrow')
  await reader.click(offers.getByRole('button', { name: /Accept Offer/ }))
  await waitFor(() => expect(server.calls('POST /api/offers/70/accept')).toHaveLength(1))
  expect(server.calls('POST /api/offers/70/accept')[0]?.body).toMatchObject({ agreedBy: timeOf('tomorrow', '') })
})

test('a named time is the end of a day in the zone of the reader', () => {
  const friday = new Date(2026, 4, 1, 23, 30)
  expect(timeOf('today', '', friday)).toBe(new Date(2026, 4, 1, 23, 59).toISOString())
  expect(timeOf('weekend', '', friday)).toBe(new Date(2026, 4, 3, 23, 59).toISOString())
  expect(timeOf('date', '2026-05-09', friday)).toBe(new Date(2026, 4, 9, 23, 59).toISOString())
  expect(timeOf('date', '', friday)).toBeUndefined()
  expect(timeOf('', '', friday)).toBeUndefined()
})

test('My Trades has open trades first, then past ones, and shows those in one state', async () => {
  turnOn()
  const server = new Server().signedIn()
  const met = handover({ id: 13, itemName: 'Tin', state: 'met', canSay: false, canPutOff: false, side: 'seller' })
  server.on('GET /api/me/handovers', (call) => {
    const states = call.query.getAll('state')
    return { json: { handovers: [handover(), met].filter((h) => states.includes(h.state)), nextCursor: null } }
  })
  const reader = openPage('/trades')
  const open = within(await screen.findByRole('region', { name: 'Open trades' }))
  expect(await open.findByRole('heading', { name: '50 Iron Ore from Fern' })).toBeVisible()
  expect(open.getByRole('button', { name: 'We met for 50 Iron Ore' })).toBeVisible()
  const past = within(screen.getByRole('region', { name: 'Past trades' }))
  expect(await past.findByRole('heading', { name: '50 Tin to Fern' })).toBeVisible()
  expect(past.getByText('You met')).toBeVisible()
  await choose(reader, screen.getByLabelText('Show'), 'Disputed')
  expect(await screen.findByText('No trades in this state')).toBeVisible()
  expect(location.search).toBe('?state=disputed')
})
