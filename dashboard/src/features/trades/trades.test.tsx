import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { SlipLine } from '@/api/slips'
import type { Handover, TradeDetails } from '@/api/types'
import { openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'
import { lineForGame } from './lineForGame'
import { totalsOf } from './totals'

const soon = new Date(Date.now() + 86_400_000).toISOString()
const past = '2026-05-04T12:00:00Z'

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
  agreedBy: past,
  state: 'agreed',
  settledAt: null,
  canSay: true,
  canTakeBack: false,
  lookedAt: null,
  canPutOff: false,
  canAgree: false,
  missing: 0,
  ...change,
})

const line = (change: Partial<Handover> = {}): SlipLine => ({
  handover: handover(change),
  pricePerUnit: 250,
  description: '',
  message: '',
})
const logs = { id: 13, itemName: 'Oak Log', quantity: 8, total: '2000', side: 'seller' as const }
const fish = { id: 14, itemName: 'Cod', quantity: 3, total: '300', agreedBy: soon }

const trade = (change: Partial<TradeDetails> = {}): TradeDetails => ({
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
  handover: handover(),
  undoneAt: null,
  description: 'Any grade',
  message: 'Caught this morning.',
  you: { id: 1, name: 'Maple', contact: 'maple', inGameNames: [], lookAlike: false },
  with: { id: 4, name: 'Fern', contact: 'fern', inGameNames: ['Fern#77'], lookAlike: false },
  place: null,
  canSayPlace: true,
  open: [line()],
  more: false,
  history: [{ kind: 'accepted', by: 'you', at: '2026-05-01T12:00:00Z' }],
  next: { state: 'unconfirmed', at: soon },
  ...change,
})

function opened(server: Server, now: () => TradeDetails = trade, address = '/trades/12') {
  onTestFinished(withFeatures('handover'))
  server.on('GET /api/me/trades/12', () => ({ json: now() }))
  return openPage(address)
}

test('one page has both people, what, the sum, the sentence and what was said', async () => {
  opened(new Server().signedIn(), () => trade({ place: { text: 'By the fountain', saidByYou: false, saidAt: past } }))
  expect(await screen.findByRole('heading', { level: 1, name: '50 Iron Ore from Fern' })).toBeVisible()
  expect(screen.getByText('Waiting for your answer')).toBeVisible()
  const sides = within(screen.getByRole('region', { name: 'Who brings what' }))
  expect(sides.getByText('Maple')).toBeVisible()
  expect(sides.getByText('12 silver 500 copper')).toBeInTheDocument()
  for (const name of ['Copy the Discord name fern', 'Copy the in-game name Fern#77', 'Copy the Discord name maple'])
    expect(sides.getByRole('button', { name })).toBeVisible()
  const where = within(screen.getByRole('region', { name: 'When and where' }))
  expect(where.getByText('By the fountain')).toBeVisible()
  const send = within(screen.getByRole('region', { name: 'Message to send' }))
  expect(send.getByText(/^Hi Fern, I accepted your offer: 50 × Iron Ore at 250c each, 12s 500c in total/)).toBeVisible()
  expect(send.getByRole('link', { name: 'Open Fern in Discord' })).toHaveAttribute(
    'href',
    'https://discord.com/users/4',
  )
  expect(
    screen.getByText(/Hi Fern#77, Maple here. I bring 12s 500c. You bring 50 Iron Ore. We meet: By the f/),
  ).toBeVisible()
  const said = within(screen.getByRole('region', { name: 'Said so far' }))
  expect(said.getByText('Caught this morning.')).toBeVisible()
  expect(said.getByText('Any grade')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'History' })).getByText('You accepted the offer')).toBeVisible()
  expect(document.title).toMatch(/^50 Iron Ore from Fern/)
})

test.each([
  [
    'agreed',
    { agreedBy: soon, canAgree: true },
    /^Meet Fern by/,
    ['We met for 50 Iron Ore', 'Another time', 'It did not happen: 50 Iron Ore'],
  ],
  [
    'due',
    { canPutOff: true },
    'Did you meet Fern?',
    ['We met for 50 Iron Ore', 'It did not happen: 50 Iron Ore', 'Later (24 hours)'],
  ],
  [
    'their word',
    { theirWord: 'met' },
    'Fern says you met. Did you?',
    ['We met for 50 Iron Ore', 'It did not happen: 50 Iron Ore'],
  ],
  ['my word', { yourWord: 'met', canSay: false }, 'You said that you met', []],
  [
    'met',
    { state: 'met', yourWord: 'met', theirWord: 'met', canSay: false },
    'Done. You both say you met.',
    ['Post again'],
  ],
  ['missing', { state: 'cancelled', canSay: false, missing: 50 }, 'It did not happen', ['Post the missing 50 again']],
  [
    'disputed',
    { state: 'disputed', yourWord: 'met', theirWord: 'not_met', canSay: false, canTakeBack: true },
    'You two disagree',
    ['It did not happen', 'Withdraw my answer'],
  ],
  ['unconfirmed', { state: 'unconfirmed', canSay: false }, 'Neither of you said whether you met', []],
] as const)('a trade that is %s asks for what it needs', async (_, change, question, buttons) => {
  opened(new Server().signedIn(), () => trade({ handover: handover(change as Partial<Handover>), open: [] }))
  const asked = within(await screen.findByRole('region', { name: question }))
  expect(asked.queryAllByRole('button').map((b) => b.getAttribute('aria-label') ?? b.textContent?.trim())).toEqual(
    buttons,
  )
})

test('an undone trade, and one with a visitor, ask for nothing', async () => {
  const undone = trade({
    handover: null,
    undoneAt: past,
    open: [],
    history: [{ kind: 'undone', by: 'them', at: past }],
    next: null,
  })
  opened(new Server().signedIn(), () => undone)
  expect(await screen.findByRole('heading', { name: 'Fern undid this trade' })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Message to send' })).toBeNull()
  expect(screen.queryByRole('button', { name: /We met/ })).toBeNull()
})

test('what is said is shown at once, and the focus stays at the question', async () => {
  const server = new Server().signedIn()
  let now = trade()
  server.on('POST /api/handovers/say', () => {
    now = trade({ handover: handover({ yourWord: 'met', canSay: false }), open: [] })
    return { json: { handovers: [], nextCursor: null } }
  })
  const reader = opened(server, () => now)
  await reader.click(await screen.findByRole('button', { name: 'We met for 50 Iron Ore' }))
  const said = await screen.findByRole('heading', { name: 'You said that you met' })
  await waitFor(() => expect(said).toHaveFocus())
  expect(server.calls('POST /api/handovers/say')[0]?.body).toEqual({ sales: [12], word: 'met' })
})

test('a word against theirs is asked about once', async () => {
  const server = new Server().signedIn()
  server.on('POST /api/handovers/say', () => ({ json: { handovers: [], nextCursor: null } }))
  const reader = opened(server, () => trade({ handover: handover({ theirWord: 'met' }) }))
  await reader.click(await screen.findByRole('button', { name: 'It did not happen: 50 Iron Ore' }))
  expect(server.calls('POST /api/handovers/say')).toHaveLength(0)
  await reader.click(screen.getByRole('button', { name: 'Yes, it did not happen' }))
  await waitFor(() =>
    expect(server.calls('POST /api/handovers/say')[0]?.body).toEqual({ sales: [12], word: 'not_met' }),
  )
})

test('what is open with the same partner is ticked and said at once', async () => {
  const server = new Server().signedIn()
  let now = trade({ open: [line(), line(logs), line(fish)] })
  server.on('POST /api/handovers/say', () => {
    now = trade({ handover: handover({ yourWord: 'met', canSay: false }), open: [line(fish)] })
    return { json: { handovers: [], nextCursor: null } }
  })
  const reader = opened(server, () => now)
  const together = within(await screen.findByRole('region', { name: 'Also open with Fern' }))
  expect(together.getByRole('link', { name: '8 Oak Log' })).toHaveAttribute('href', '/trades/13')
  // What is not due is not ticked.
  expect(together.getByRole('checkbox', { name: '3 Cod' })).not.toBeChecked()
  expect(together.getByText('You pay for these 2')).toBeVisible()
  expect(together.getByText('10 silver 500 copper')).toBeInTheDocument()
  expect(screen.getByText(/I bring 8 Oak Log and 10s 500c. You bring 50 Iron Ore/)).toBeVisible()
  await reader.click(together.getByRole('checkbox', { name: '3 Cod' }))
  await reader.click(together.getByRole('checkbox', { name: '50 Iron Ore' }))
  await reader.click(together.getByRole('button', { name: 'We met for these 2' }))
  await waitFor(() =>
    expect(server.calls('POST /api/handovers/say')[0]?.body).toEqual({ sales: [13, 14], word: 'met' }),
  )
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Also open with Fern' })).toHaveFocus())
})

test('a line that cannot be answered shows why, and nothing else is lost', async () => {
  const server = new Server().signedIn()
  server.fails('POST /api/handovers/say', 409, 'This was settled already.', {
    errors: { 'sales[2]': 'This was settled already.' },
  })
  const reader = opened(server, () => trade({ open: [line(), line(logs)] }))
  await reader.click(await screen.findByRole('button', { name: 'We met for these 2' }))
  expect(await screen.findByText(/Nothing was saved/)).toBeVisible()
  const lines = within(screen.getByRole('list', { name: 'Also open with Fern' })).getAllByRole('listitem')
  expect(within(lines[1] as HTMLElement).getByText('This was settled already.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'We met for these 2' })).toBeEnabled())
})

test('either says where they meet, and how they are called in the game', async () => {
  const server = new Server().signedIn()
  let now = trade()
  server.on('PUT /api/me/slips/4/place', ({ body }) => {
    now = trade({ place: { text: (body as { place: string }).place, saidByYou: true, saidAt: past } })
    return { json: {} }
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

test('a trade of others is the page where nothing is', async () => {
  onTestFinished(withFeatures('handover'))
  const server = new Server().signedIn()
  server.fails('GET /api/me/trades/12', 404, 'There is no such trade')
  openPage('/trades/12')
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a visitor is asked to sign in, whatever the number', async () => {
  onTestFinished(withFeatures('handover'))
  new Server()
  openPage('/trades/12')
  expect(await screen.findByRole('button', { name: /sign in with discord/i })).toBeVisible()
})

test('a failure can be tried again', async () => {
  const server = new Server().signedIn()
  onTestFinished(withFeatures('handover'))
  let calls = 0
  server.on('GET /api/me/trades/12', () => (++calls < 3 ? { status: 500, json: {} } : { json: trade() }))
  const reader = openPage('/trades/12')
  await reader.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: '50 Iron Ore from Fern' })).toBeVisible()
})

test('the old address of a partner leads to the trade that waits', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/slips/4', () => ({
    json: {
      ...{ with: trade().with, you: trade().you, more: false, bring: [], get: [], pay: '0', earn: '0', net: '0' },
      ...{ place: null, canSayPlace: true, lines: [line({ id: 11, canSay: false, yourWord: 'met' }), line()] },
    },
  }))
  opened(server, trade, '/trades/with/4')
  await waitFor(() => expect(location.pathname).toBe('/trades/12'))
  expect(await screen.findByRole('heading', { name: '50 Iron Ore from Fern' })).toBeVisible()
})

test('with nothing open the old address says so', async () => {
  onTestFinished(withFeatures('handover'))
  const server = new Server().signedIn()
  server.fails('GET /api/me/slips/4', 404, 'You have no open trades with this trader')
  openPage('/trades/with/4')
  expect(await screen.findByRole('heading', { name: 'No open trades' })).toBeVisible()
})

test('the list of trades leads to each', async () => {
  onTestFinished(withFeatures('handover'))
  const server = new Server().signedIn()
  server.on('GET /api/me/handovers', () => ({ json: { handovers: [handover()], nextCursor: null } }))
  openPage('/trades?state=agreed')
  expect(await screen.findByRole('link', { name: 'Iron Ore' })).toHaveAttribute('href', '/trades/12')
})

test('the line for the game names a few items only', () => {
  const many = Array.from({ length: 6 }, (_, i) => ({ itemName: `Item ${i}`, quantity: 1000 * (i + 1) }))
  const { you, with: other } = trade()
  if (!other) throw new Error('no partner')
  expect(lineForGame({ with: other, you, place: null }, { bring: many, get: [], pay: 0n, earn: 500n })).toBe(
    'Hi Fern#77, Maple here. I bring 1,000 Item 0, 2,000 Item 1, 3,000 Item 2, 4,000 Item 3 and 2 more items. ' +
      'You bring 500c. Where shall we meet?',
  )
})

test('the same item is added up', () => {
  const totals = totalsOf([line(), line({ itemName: 'iron ore', quantity: 5, total: '1' }), line(logs)])
  expect(totals).toEqual({
    bring: [{ itemName: 'Oak Log', quantity: 8 }],
    get: [{ itemName: 'Iron Ore', quantity: 55 }],
    pay: 12501n,
    earn: 2000n,
  })
})
