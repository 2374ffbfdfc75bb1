import { screen, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Handover, TradeDetails } from '@/api/types'
import { openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

const soon = new Date(Date.now() + 3 * 3_600_000).toISOString()
const later = new Date(Date.now() + 4 * 3_600_000).toISOString()

const handover: Handover = {
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
  agreedBy: later,
  state: 'agreed',
  settledAt: null,
  canSay: true,
  canTakeBack: false,
  lookedAt: null,
  canPutOff: false,
  canAgree: false,
  missing: 0,
}

const trade = (change: Partial<Handover>): TradeDetails => ({
  receipt: {
    id: 12,
    offerId: 70,
    orderId: 7,
    itemName: 'Iron Ore',
    quantity: 50,
    pricePerUnit: 250,
    total: '12500',
    side: 'buyer',
    with: { name: 'Fern', contact: 'fern', verified: true, discordUrl: 'https://discord.com/users/4' },
    ign: 'Maple#1',
    acceptedAt: '2026-05-01T12:00:00Z',
  },
  handover: { ...handover, ...change },
  undoneAt: null,
  description: '',
  message: '',
  you: { id: 1, name: 'Maple', contact: 'maple', inGameNames: [], lookAlike: false },
  with: { id: 4, name: 'Fern', contact: 'fern', inGameNames: [], lookAlike: false },
  place: null,
  canSayPlace: true,
  open: [],
  more: false,
  history: [],
  next: null,
})

function opened(meeting: Handover['meeting'], features = 'handover hours', change: Partial<Handover> = {}) {
  onTestFinished(withFeatures(features))
  const server = new Server().signedIn()
  const state = {
    meeting,
    hours: { hours: [] as number[], learned: [] as number[], learns: null as boolean | null, asks: true },
  }
  server.on('GET /api/me/trades/12', () => ({ json: trade({ meeting: state.meeting, ...change }) }))
  server.on('GET /api/me/hours', () => ({ json: state.hours }))
  return { server, state, reader: openPage('/trades/12') }
}

test('a side takes the proposed time', async () => {
  const { server, state, reader } = opened({ at: soon, works: false, worksForThem: true, proposalsLeft: 3 })
  server.on('POST /api/handovers/12/meeting/accept', () => {
    state.meeting = { at: soon, works: true, worksForThem: true, proposalsLeft: 3 }
    return { json: { ...handover, meeting: state.meeting } }
  })
  const asked = within(await screen.findByRole('region', { name: /^Fern can meet/ }))
  await reader.click(asked.getByRole('button', { name: 'That Works' }))
  expect(server.calls('POST /api/handovers/12/meeting/accept')[0]).toMatchObject({ body: { at: soon } })
  const agreed = within(await screen.findByRole('region', { name: /^You meet/ }))
  expect(agreed.getByText('We remind both of you ten minutes before.')).toBeVisible()
  expect(agreed.queryByRole('button', { name: 'That Works' })).toBeNull()
})

test('a side asks for another time, and chooses one where none is known', async () => {
  const { server, state, reader } = opened({ at: soon, works: false, worksForThem: false, proposalsLeft: 3 })
  const none = 'We know of no other time that suits both of you. Choose one yourself.'
  server.fails('POST /api/handovers/12/meeting/next', 409, none, { code: 'meeting_none' })
  server.on('PUT /api/handovers/12/meeting', () => {
    state.meeting = { at: later, works: true, worksForThem: false, proposalsLeft: 3 }
    return { json: { ...handover, meeting: state.meeting } }
  })
  await reader.click(await screen.findByRole('button', { name: 'Another Time' }))
  expect(server.calls('POST /api/handovers/12/meeting/next')[0]).toMatchObject({ body: { instead: soon } })
  expect(await screen.findByText(none)).toBeVisible()
  await reader.type(screen.getByLabelText('Day and time'), '2030-05-03T20:30')
  await reader.click(screen.getByRole('button', { name: 'Propose' }))
  expect(server.calls('PUT /api/handovers/12/meeting')[0]).toMatchObject({
    body: { at: new Date('2030-05-03T20:30').toISOString() },
  })
  expect(await screen.findByRole('region', { name: /works for you$/ })).toBeVisible()
})

test('who has proposed three times can only take the time', async () => {
  opened({ at: soon, works: false, worksForThem: true, proposalsLeft: 0 })
  expect(await screen.findByText(/as often as you can/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'That Works' })).toBeEnabled()
  expect(screen.queryByRole('button', { name: 'Another Time' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Choose a Time' })).toBeNull()
})

test('without a time the page leads to where hours are said', async () => {
  const { reader } = opened(undefined)
  await reader.click(await screen.findByRole('button', { name: 'Say when you could come' }))
  expect(await screen.findByRole('dialog', { name: 'Your Data' })).toBeVisible()
})

test('who does not want to say when they could come is asked once', async () => {
  const { server, state, reader } = opened(undefined)
  server.on('PUT /api/me/hours', () => {
    state.hours = { ...state.hours, asks: false }
    return { json: state.hours }
  })
  await reader.click(await screen.findByRole('button', { name: 'Not Now' }))
  await expect.poll(() => screen.queryByRole('button', { name: 'Say when you could come' })).toBeNull()
  expect(server.calls('PUT /api/me/hours')[0]).toMatchObject({ body: { hours: [] } })
  expect(screen.getByRole('button', { name: 'Choose a Time' })).toBeVisible()
})

test('after a trade a user is asked once whether hours are learned', async () => {
  const { server, state, reader } = opened(undefined, 'handover hours', {
    state: 'met',
    yourWord: 'met',
    theirWord: 'met',
    canSay: false,
  })
  server.on('PUT /api/me/hours/learning', () => {
    state.hours = { ...state.hours, learns: false }
    return { json: state.hours }
  })
  const asked = within(await screen.findByRole('region', { name: 'Shall we learn when you play?' }))
  await reader.click(asked.getByRole('button', { name: 'No' }))
  await expect.poll(() => screen.queryByText('Shall we learn when you play?')).toBeNull()
  expect(server.calls('PUT /api/me/hours/learning')[0]).toMatchObject({ body: { learns: false } })
})

test('with hours off the page proposes nothing', async () => {
  opened({ at: soon, works: false, worksForThem: false, proposalsLeft: 3 }, 'handover')
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryByRole('button', { name: 'That Works' })).toBeNull()
})
