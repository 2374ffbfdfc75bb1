import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { AuditEntry } from '@/api/types'
import { card, dialog, openPage, withFeatures } from '@/test/page'
import { auditEntry, blockedUser, maple, offer, order, report, Server } from '@/test/server'

const moderator = { ...maple, moderator: true }
const others = order({ userId: 2 })

async function menuOf(item: string, reader: ReturnType<typeof openPage>) {
  await reader.click(within(await card(item)).getByRole('button', { name: `Actions for the request ${item}` }))
  return within(await screen.findByRole('menu'))
}

test('a visitor reports a request from its card, and must say why', async () => {
  const server = new Server().shows([others])
  server.on('POST /api/orders/7/report', () => ({ status: 204 }))
  const reader = openPage()
  const menu = await menuOf('Iron Ore', reader)
  expect(menu.queryByRole('menuitem', { name: /Remove|Block/ })).toBeNull()
  await reader.click(menu.getByRole('menuitem', { name: 'Report…' }))
  const form = await dialog('Report Request')
  await reader.click(form.getByRole('button', { name: 'Send Report' }))
  expect(await form.findByText('Reason is required')).toBeVisible()
  await reader.type(form.getByLabelText('Reason'), 'There is no such item')
  await reader.click(form.getByRole('button', { name: 'Send Report' }))
  expect(await screen.findByText('Thank you. The moderators will look at it.')).toBeVisible()
  expect(server.calls('POST /api/orders/7/report')[0]?.body).toEqual({ reason: 'There is no such item' })
  expect(server.calls('POST /api/orders/7/report')[0]?.key).toBeTruthy()
})

test('a report that is refused shows the reason of the server and keeps what was typed', async () => {
  const server = new Server().shows([others])
  server.fails(
    'POST /api/orders/7/report',
    429,
    'Too many reports from here. Sign in with Discord, or wait a few minutes.',
  )
  const reader = openPage('/?dialog=report&request=7')
  const form = await dialog('Report Request')
  await reader.type(form.getByLabelText('Reason'), 'Again')
  await reader.click(form.getByRole('button', { name: 'Send Report' }))
  expect(await form.findByText(/Too many reports from here/)).toBeVisible()
  expect(form.getByLabelText('Reason')).toHaveValue('Again')
})

test("a moderator removes a request from its card's menu, and it leaves the board", async () => {
  const server = new Server().signedIn([], {}, moderator).shows([others])
  server.on('POST /api/orders/7/remove', () => {
    server.shows([])
    return { status: 204 }
  })
  const reader = openPage()
  await reader.click((await menuOf('Iron Ore', reader)).getByRole('menuitem', { name: 'Remove…' }))
  const form = await dialog('Remove Request')
  await reader.type(form.getByLabelText('Reason'), 'No such item')
  await reader.click(form.getByRole('button', { name: 'Remove Request' }))
  expect(await screen.findByText("Request removed. We've told the buyer why.")).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
})

test('a reader who is no moderator cannot open their dialogs by address', async () => {
  new Server().signedIn().shows([others])
  openPage('/?dialog=remove&request=7')
  await card('Iron Ore')
  await waitFor(() => expect(location.search).toBe(''))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('menuitem', { name: 'Moderation' })).toBeNull()
})

test('the moderation page tells other users that it is for moderators', async () => {
  new Server().signedIn()
  openPage('/moderation')
  expect(await screen.findByRole('heading', { name: 'For moderators only' })).toBeVisible()
})

test('a moderator sees who reports what, and acts on it', async () => {
  const server = new Server().signedIn([], {}, moderator)
  let waiting = [report()]
  server.on('GET /api/moderation/reports', () => ({ json: { reports: waiting, nextCursor: null } }))
  server.on('POST /api/orders/7/remove', () => {
    waiting = []
    return { status: 204 }
  })
  const reader = openPage('/')
  await reader.click(await screen.findByRole('button', { name: /^Account of/ }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Moderation' }))
  const row = within(within(await screen.findByRole('list', { name: 'Reports' })).getByRole('listitem'))
  expect(row.getByRole('heading', { name: 'Request Iron Ore of rowan' })).toBeVisible()
  expect(row.getByText(/^Reported by/)).toHaveTextContent('Reported by juniper')
  expect(row.getByText('There is no such item')).toBeVisible()
  await reader.click(row.getByRole('button', { name: 'Remove request…' }))
  const form = await dialog('Remove Request')
  await reader.type(form.getByLabelText('Reason'), 'No such item')
  await reader.click(form.getByRole('button', { name: 'Remove Request' }))
  expect(await screen.findByRole('heading', { name: 'No reports are waiting' })).toBeVisible()
  expect(server.calls('POST /api/orders/7/remove')[0]?.body).toEqual({ reason: 'No such item' })
})

test('a moderator sees what a reported listing sells, and takes it off sale', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const listed = { quantity: 300, price: 40, note: 'Docks' }
  let waiting = [
    report({ orderId: 0, order: null, listingId: 5, listing: listed, itemName: 'Oak Log' }),
    report({ id: 13, orderId: 0, order: null, listingId: 6, itemName: 'Tin Ore' }),
  ]
  server.on('GET /api/moderation/reports', () => ({ json: { reports: waiting, nextCursor: null } }))
  server.on('POST /api/listings/5/remove', () => {
    waiting = waiting.slice(1)
    return { status: 204 }
  })
  const reader = openPage('/moderation')
  const rows = (await screen.findAllByRole('listitem')).filter((row) => within(row).queryByText(/For sale:/))
  const first = within(rows[0] as HTMLElement)
  first.getByText(/^300 for sale, 40c each/)
  const gone = within(rows[1] as HTMLElement)
  gone.getByText('No longer there')
  expect(gone.queryByRole('button', { name: 'Take off sale…' })).toBeNull()
  await reader.click(first.getByRole('button', { name: 'Take off sale…' }))
  const form = await dialog('Take Off Sale')
  await reader.type(form.getByLabelText('Reason'), 'No such log')
  await reader.click(form.getByRole('button', { name: 'Take Off Sale' }))
  await waitFor(() => expect(screen.queryByText(/^300 for sale, 40c each/)).toBeNull())
  expect(server.calls('POST /api/listings/5/remove')[0]?.body).toEqual({ reason: 'No such log' })
})

test('reports about one request are one row with a count, those of users first', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const at = new Date().toISOString()
  const many = report({
    count: 61,
    reasons: [
      { reason: 'Sold me sand', reporter: { id: 3, username: 'juniper' }, createdAt: at },
      { reason: 'spam', reporter: null, createdAt: at },
    ],
  })
  const mine = report({ id: 14, orderId: 8, subject: { id: moderator.id, username: 'maple' } })
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [many, mine], nextCursor: null } }))
  openPage('/moderation')
  const [first, second] = within(await screen.findByRole('list', { name: 'Reports' })).getAllByRole('listitem')
  const row = within(first as HTMLElement)
  expect(row.getByText('61 reports')).toBeVisible()
  expect(row.getByText('Sold me sand').compareDocumentPosition(row.getByText('spam'))).toBe(4)
  expect(row.getByText('… and 59 more')).toBeVisible()
  const own = within(second as HTMLElement)
  expect(own.getByText('This report is about you. Another moderator has to handle it.')).toBeVisible()
  expect(own.queryByRole('button')).toBeNull()
})

test('a moderator dismisses a report and blocks the reported user', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const gone = report({ id: 13, offerId: 70, order: null, subject: null, reporter: null })
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [report(), gone], nextCursor: null } }))
  server.on('POST /api/moderation/blocks', () => ({ status: 204 }))
  server.fails('POST /api/moderation/reports/13/dismiss', 409, 'This report is already settled')
  const reader = openPage('/moderation')
  const [first, second] = within(await screen.findByRole('list', { name: 'Reports' })).getAllByRole('listitem')
  const other = within(second as HTMLElement)
  expect(other.getByRole('heading', { name: 'Offer on Iron Ore of a visitor' })).toBeVisible()
  expect(other.getByText('No longer there')).toBeVisible()
  expect(other.queryByRole('button', { name: /Remove|Block/ })).toBeNull()
  await reader.click(other.getByRole('button', { name: 'Dismiss' }))
  expect(await other.findByText('This report is already settled')).toBeVisible()
  await reader.click(within(first as HTMLElement).getByRole('button', { name: 'Block rowan…' }))
  const form = await dialog('Block rowan')
  await reader.type(form.getByLabelText('Reason'), 'Cheats')
  await reader.click(form.getByRole('button', { name: 'Block rowan' }))
  await waitFor(() =>
    expect(server.calls('POST /api/moderation/blocks')[0]?.body).toEqual({ userId: 2, reason: 'Cheats' }),
  )
})

test('the focus stays in the list when a report is dismissed, and where it was when none is left', async () => {
  const server = new Server().signedIn([], {}, moderator)
  let left = [report(), report({ id: 13 })]
  server.on('GET /api/moderation/reports', () => ({ json: { reports: left, nextCursor: null } }))
  server.on('POST /api/moderation/reports/12/dismiss', () => {
    left = left.slice(1)
    return { status: 204 }
  })
  server.on('POST /api/moderation/reports/13/dismiss', () => {
    left = []
    return { status: 204 }
  })
  const reader = openPage('/moderation')
  const list = await screen.findByRole('list', { name: 'Reports' })
  await reader.click(within(list).getAllByRole('button', { name: 'Dismiss' })[0] as HTMLElement)
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
  await waitFor(() => expect(list).toContainElement(document.activeElement as HTMLElement))
  await reader.click(within(list).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(list).not.toBeInTheDocument())
  await waitFor(() => expect(document.body).not.toHaveFocus())
})

test('a moderator has a name not marked any more, from the card and from a report', async () => {
  const marked = { ...others, ign: 'rnaple', lookAlike: { contact: false, name: true } }
  const server = new Server().signedIn([], {}, moderator).shows([marked])
  server.on('POST /api/orders/7/allow-names', () => {
    server.shows([others])
    return { status: 204 }
  })
  const reader = openPage()
  expect(await screen.findByText(/looks like the name of an established trader/)).toBeVisible()
  await reader.click((await menuOf('Iron Ore', reader)).getByRole('menuitem', { name: "Don't mark the name" }))
  expect(await screen.findByText("The name isn't marked any more.")).toBeVisible()
  await waitFor(() => expect(screen.queryByText(/looks like the name of an established trader/)).toBeNull())
  expect((await menuOf('Iron Ore', reader)).queryByRole('menuitem', { name: "Don't mark the name" })).toBeNull()
  await reader.keyboard('{Escape}')

  const offered = { ...offer({ id: 5 }), lookAlike: { contact: true, name: false } }
  server.on('GET /api/moderation/reports', () => ({
    json: { reports: [report({ offerId: 5, offer: offered, order: others })], nextCursor: null },
  }))
  server.on('POST /api/offers/5/allow-names', () => ({ status: 204 }))
  await reader.click(screen.getByRole('button', { name: /^Account of/ }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Moderation' }))
  await reader.click(await screen.findByRole('button', { name: "Don't mark the name" }))
  await waitFor(() => expect(server.calls('POST /api/offers/5/allow-names')).toHaveLength(1))
})

test('the log shows who did what, and a user can be unblocked', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const entries = [
    auditEntry(),
    auditEntry({ id: 4, action: 'user_blocked', itemName: '', reason: 'Cheats' }),
    auditEntry({ id: 3, action: 'report_dismissed', subject: null, reason: '', moderator: { id: 9, username: '' } }),
  ]
  let blocked = [blockedUser()]
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [], nextCursor: null } }))
  server.on('GET /api/moderation/audit', () => ({ json: { entries, nextCursor: null } }))
  server.on('GET /api/moderation/blocks', () => ({ json: { users: blocked } }))
  server.on('DELETE /api/moderation/blocks/2', () => {
    blocked = []
    return { status: 204 }
  })
  const reader = openPage('/moderation?show=log')
  const log = within(await screen.findByRole('list', { name: 'Moderation log' }))
  const said = log.getAllByRole('listitem').map((row) => row.textContent)
  expect(said[0]).toContain('maple removed the request Iron Ore of rowan')
  expect(said[1]).toContain('maple blocked rowan')
  expect(said[2]).toContain('a deleted user dismissed a report on Iron Ore of a visitor')
  await reader.click(screen.getByRole('link', { name: 'Blocked' }))
  await reader.click(await screen.findByRole('button', { name: 'Unblock rowan' }))
  expect(await screen.findByRole('heading', { name: 'No blocked users' })).toBeVisible()
})

test('a moderator undoes a removal from the log, or sees that it is too late', async () => {
  const server = new Server().signedIn([], {}, moderator)
  let entries = [
    auditEntry({ undoable: true }),
    auditEntry({ id: 4, itemName: 'Tin', undoable: true }),
    auditEntry({ id: 3 }),
  ]
  server.on('GET /api/moderation/audit', () => ({ json: { entries, nextCursor: null } }))
  server.on('POST /api/undo/removal/5', () => {
    entries = [auditEntry({ id: 6, action: 'order_restored', reason: '' }), auditEntry(), ...entries.slice(1)]
    return { json: { order: null } }
  })
  server.fails('POST /api/undo/removal/4', 409, 'This removal was undone already')
  const reader = openPage('/moderation?show=log')
  const log = within(await screen.findByRole('list', { name: 'Moderation log' }))
  expect(log.getAllByRole('button')).toHaveLength(2)
  await reader.click(log.getByRole('button', { name: 'Undo the removal of the request Iron Ore' }))
  expect(await screen.findByText('The request is back.')).toBeVisible()
  expect(await log.findByText(/restored the request/)).toBeVisible()
  expect(log.queryByRole('button', { name: 'Undo the removal of the request Iron Ore' })).toBeNull()
  expect(server.calls('POST /api/undo/removal/5')[0]?.key).toBeTruthy()
  await reader.click(log.getByRole('button', { name: 'Undo the removal of the request Tin' }))
  expect(await log.findByText('This removal was undone already')).toBeVisible()
})

test('a moderator undoes a decision on a name from the log', async () => {
  const server = new Server().signedIn([], {}, moderator)
  let entries = [auditEntry({ action: 'item_merged', itemName: 'Irn Ore', reason: 'Iron Ore', undoable: true })]
  server.on('GET /api/moderation/audit', () => ({ json: { entries, nextCursor: null } }))
  server.on('POST /api/undo/removal/5', () => {
    entries = [auditEntry({ id: 6, action: 'item_reopened', itemName: 'Irn Ore', reason: '' }), auditEntry()]
    return { json: { order: null } }
  })
  const reader = openPage('/moderation?show=log')
  await reader.click(await screen.findByRole('button', { name: 'Undo the decision on the name Irn Ore' }))
  expect(await screen.findByText('Irn Ore is among the new names again.')).toBeVisible()
  expect(await screen.findByText(/undid the decision on the name/)).toBeVisible()
})

test.each([
  ['/moderation', 'GET /api/moderation/reports', 'Failed to load reports. Please try again.'],
  ['/moderation?show=log', 'GET /api/moderation/audit', 'Failed to load the log. Please try again.'],
  ['/moderation?show=blocked', 'GET /api/moderation/blocks', 'Failed to load blocked users. Please try again.'],
])('%s shows a failure and can be retried', async (address, call, sentence) => {
  const server = new Server().signedIn([], {}, moderator)
  server.on(call, () => ({ status: 500, json: { detail: 'Oops' } }))
  const reader = openPage(address)
  expect(await screen.findByText(sentence)).toBeVisible()
  server.on(call, () => ({ json: { reports: [], entries: [], users: [], nextCursor: null } }))
  await reader.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
})

test('a moderator sets a proposed ring aside, leaves another, and has the first count again', async () => {
  onTestFinished(withFeatures('items prices'))
  const server = new Server().signedIn([], {}, moderator)
  const members = [
    { id: 5, username: 'fern' },
    { id: 6, username: 'moss' },
    { id: 8, username: 'reed' },
  ]
  const facts = {
    accounts: 3,
    trades: 140,
    inside: 135,
    insidePercent: 96,
    oneCopper: 80,
    sameMinute: 70,
    youngAccounts: 2,
  }
  let proposals: object[] = [
    { id: 7, ...facts, members, reasons: ['one_copper', 'same_minute', 'young_accounts'] },
    { id: 9, ...facts, members: members.slice(0, 2), reasons: ['one_copper'] },
  ]
  let rings: object[] = []
  server.on('GET /api/moderation/rings', () => ({ json: { proposals, rings } }))
  let answer: { status: number } = { status: 500 }
  server.on('POST /api/moderation/rings', () => answer)
  server.on('DELETE /api/moderation/rings/proposals/9', () => {
    proposals = []
    return { status: 204 }
  })
  server.on('DELETE /api/moderation/rings/4', () => {
    rings = []
    return { status: 204 }
  })
  const reader = openPage('/moderation?show=rings')
  expect(await screen.findByRole('heading', { name: 'fern, moss, reed' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'reed' })).toHaveAttribute('href', '/traders/8')
  expect(screen.getByText('No accounts are set aside.')).toBeVisible()
  const [first, second] = within(screen.getByRole('list', { name: 'Proposed rings' }))
    .getAllByRole('listitem')
    .filter((item) => within(item).queryByRole('heading'))
  const linesOf = (item?: HTMLElement) =>
    within(within(item as HTMLElement).getByRole('list'))
      .getAllByRole('listitem')
      .map((line) => line.textContent)
  expect(linesOf(first)).toEqual([
    '96\u00a0% of their 140 trades are with each other',
    '80 of 135 trades between them were for 1c each',
    '70 of 135 were confirmed by both sides within a minute',
    '2 of 3 Discord accounts are younger than 30 days',
  ])
  expect(linesOf(second)).toHaveLength(2)

  await reader.click(screen.getByRole('button', { name: 'Set These 3 Aside' }))
  expect(await screen.findByText('Failed to save your decision. Please try again.')).toBeVisible()
  answer = { status: 204 }
  proposals = proposals.slice(1)
  rings = [{ id: 4, at: new Date().toISOString(), reason: '96 % of their trades are with each other', members }]
  await reader.click(screen.getByRole('button', { name: 'Set These 3 Aside' }))
  expect(await screen.findByText('96 % of their trades are with each other')).toBeVisible()
  expect(server.calls('POST /api/moderation/rings')[0]?.body).toEqual({ proposal: 7 })
  await reader.click(screen.getByRole('button', { name: 'Not a ring: fern, moss' }))
  expect(await screen.findByText('No rings found')).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Count Again: fern, moss, reed' }))
  expect(await screen.findByText('No accounts are set aside.')).toBeVisible()
})

test('a moderator stops what a user messages others with, and allows it again', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const fern = { id: 5, username: 'fern', people: 120 }
  let users: object[] = [fern]
  server.on('GET /api/moderation/reach', () => ({ json: { users } }))
  server.on('POST /api/moderation/reach', () => {
    users = [{ ...fern, stoppedAt: new Date().toISOString() }]
    return { status: 204 }
  })
  server.on('DELETE /api/moderation/reach/5', () => {
    users = []
    return { status: 204 }
  })
  const reader = openPage('/moderation?show=reach')
  expect(await screen.findByText('Reached 120 people today')).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Stop: fern' }))
  expect(await screen.findByText('fern no longer causes messages to others.')).toBeVisible()
  expect(server.calls('POST /api/moderation/reach')[0]?.body).toEqual({ userId: 5 })
  await reader.click(await screen.findByRole('button', { name: 'Allow Again: fern' }))
  expect(await screen.findByText('No user reached many people today')).toBeVisible()
})

test('a moderator vouches for people in a young market', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const market = { young: true, trusted: 4, trustedWanted: 10, circles: 2, circlesWanted: 3 }
  let candidates = [
    {
      id: 5,
      username: 'fern',
      accountMade: '2024-02-03T04:05:06Z',
      firstTrade: '2026-05-04T13:00:00Z',
      partners: 7,
      apart: 5,
    },
  ]
  server.on('GET /api/moderation/vouches', () => ({ json: { ...market, candidates } }))
  let answer: { status: number } = { status: 500 }
  server.on('POST /api/moderation/vouches', () => answer)
  const reader = openPage('/moderation?show=vouch')
  expect(await screen.findByText('4 of 10 people are established')).toBeVisible()
  expect(
    screen.getByText('7 partners, 5 of them unrelated · first trade May 4, 2026 · account since February 2024'),
  ).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Vouch for fern' }))
  expect(await screen.findByText('Failed to vouch for them. Please try again.')).toBeVisible()
  answer = { status: 204 }
  candidates = []
  await reader.click(screen.getByRole('button', { name: 'Vouch for fern' }))
  expect(await screen.findByText('No candidates yet')).toBeVisible()
  expect(server.calls('POST /api/moderation/vouches').at(-1)?.body).toEqual({ userId: 5 })
  market.young = false
  await reader.click(screen.getByRole('link', { name: 'Log' }))
  await reader.click(screen.getByRole('link', { name: 'Vouch' }))
  const parts = within(screen.getByRole('navigation', { name: 'Moderation' }))
  expect(parts.getAllByRole('link', { current: 'page' }).map((link) => link.textContent)).toEqual(['Vouch'])
  expect(await screen.findByText('This market is no longer young')).toBeVisible()
})

test('a moderator confirms, merges and ignores new names', async () => {
  onTestFinished(withFeatures('items'))
  const item = (id: number, name: string) => ({
    id,
    name,
    kind: '',
    madeBy: [],
    usedBy: [],
    provisional: true,
    proposes: {},
  })
  const server = new Server().signedIn([], {}, moderator)
  let waiting = [
    { item: item(3, 'Iron Oer'), requests: 4, near: item(1, 'Iron Ore') },
    { item: item(4, 'Moon Perl'), requests: 3, near: null },
    { item: item(5, 'Star Dust'), requests: 3, near: null },
    { item: item(6, 'qwertz'), requests: 3, near: null },
  ]
  server.on('GET /api/moderation/items', () => ({ json: { items: waiting, nextCursor: null } }))
  for (const call of ['3/merge', '4/merge', '5/confirm']) {
    server.on(`POST /api/moderation/items/${call}`, () => {
      waiting = waiting.filter((w) => !call.startsWith(String(w.item.id)))
      return { status: 204 }
    })
  }
  server.fails('POST /api/moderation/items/6/ignore', 409, 'A moderator has already decided on this name')
  server.on('GET /api/catalogue/completions', ({ query }) => ({
    json: { items: [], ...(query.get('q') === 'Moon Pearl' ? { named: item(2, 'Moon Pearl') } : {}) },
  }))
  const reader = openPage('/moderation?show=names')
  await reader.click(await screen.findByRole('button', { name: 'Merge into Iron Ore' }))
  expect(await screen.findByText('Iron Oer now means Iron Ore.')).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Merge Moon Perl into another item' }))
  const into = screen.getByLabelText('Item that is also called Moon Perl')
  await reader.type(into, 'Moon Pearl')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Merge' })).toBeEnabled())
  await reader.click(screen.getByRole('button', { name: 'Merge' }))
  await waitFor(() => expect(server.calls('POST /api/moderation/items/4/merge')[0]?.body).toEqual({ into: 2 }))
  await reader.click(screen.getByRole('button', { name: 'Confirm Star Dust' }))
  expect(await screen.findByText('Star Dust is in the catalogue now.')).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Ignore qwertz' }))
  expect(await screen.findByText('A moderator has already decided on this name')).toBeVisible()
})

test('a moderator ignores all new names that are shown', async () => {
  onTestFinished(withFeatures('items'))
  const name = (id: number) => ({
    item: { id, name: `Name ${id}`, kind: '', madeBy: [], usedBy: [], provisional: true },
    requests: 3,
    near: null,
  })
  const server = new Server().signedIn([], {}, moderator)
  let waiting = [name(3), name(4), name(6), name(5)]
  server.on('GET /api/moderation/items', () => ({ json: { items: waiting, nextCursor: null } }))
  server.on('POST /api/moderation/items/3/ignore', () => ({ status: 204 }))
  server.fails('POST /api/moderation/items/4/ignore', 409, 'A moderator has already decided on this name')
  server.fails('POST /api/moderation/items/6/ignore', 404, 'Item not found')
  server.on('POST /api/moderation/items/5/ignore', () => {
    waiting = []
    return { status: 204 }
  })
  const reader = openPage('/moderation?show=names')
  await reader.click(await screen.findByRole('button', { name: 'Ignore All of These' }))
  expect(await screen.findByText('2 names ignored. Users can still post requests for them.')).toBeVisible()
  expect(await screen.findByText('No new names are waiting')).toBeVisible()
  const sent = [3, 4, 5].map((id) => server.calls(`POST /api/moderation/items/${id}/ignore`)[0]?.key)
  expect(new Set(sent).size).toBe(3)
  expect(screen.queryByRole('button', { name: 'Ignore All of These' })).toBeNull()
})

test('without a catalogue moderators have no new names', async () => {
  const server = new Server().signedIn([], {}, moderator)
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [], nextCursor: null } }))
  openPage('/moderation?show=names')
  expect(await screen.findByRole('link', { name: 'Reports' })).toHaveAttribute('aria-current', 'page')
  expect(screen.queryByRole('link', { name: 'New names' })).toBeNull()
})

test('a blocked user sees the reason on every page', async () => {
  new Server().signedIn([order({ userId: 1, hidden: true })], {}, { ...maple, blockedFor: 'Floods the board' })
  openPage('/mine')
  expect(await screen.findByText(/You're blocked from trading here.*Floods the board/)).toBeVisible()
  expect(within(await card('Iron Ore')).getByText('Hidden')).toBeVisible()
})

test('an owner reports an offer, and blocks its seller', async () => {
  const own = order({ userId: 1 })
  const server = new Server().signedIn([own]).shows([own])
  let offers = [offer({ verified: true })]
  server.on('GET /api/orders/7/offers', () => ({ json: { offers, total: offers.length } }))
  server.on('POST /api/offers/70/report', () => ({ status: 204 }))
  server.on('POST /api/offers/70/block-seller', () => {
    offers = []
    return { status: 204 }
  })
  const reader = openPage('/mine?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await list.findByRole('button', { name: 'Report the offer of Fern' }))
  await reader.type(list.getByLabelText('Reason'), 'She never comes')
  await reader.click(list.getByRole('button', { name: 'Send Report' }))
  await waitFor(() =>
    expect(server.calls('POST /api/offers/70/report')[0]?.body).toEqual({ reason: 'She never comes' }),
  )
  await reader.click(await list.findByRole('button', { name: 'Block the seller fern' }))
  await reader.click(list.getByRole('button', { name: 'Block Seller' }))
  expect(await list.findByText('No offers yet')).toBeVisible()
})

test('blocked sellers are unblocked in the settings', async () => {
  const server = new Server().signedIn()
  let sellers = [{ seller: { id: 3, username: 'fern' }, createdAt: new Date().toISOString() }]
  server.on('GET /api/me/notices/settings', () => ({
    json: { kinds: {}, quietFrom: null, quietTo: null, timeZone: 'UTC' },
  }))
  server.on('GET /api/me/blocked-sellers', () => ({ json: { sellers } }))
  server.on('DELETE /api/me/blocked-sellers/3', () => {
    sellers = []
    return { status: 204 }
  })
  const reader = openPage('/?dialog=notices')
  await reader.click(await screen.findByRole('button', { name: 'Unblock fern' }))
  await waitFor(() => expect(screen.queryByText('Sellers you blocked')).toBeNull())
})

test('a log entry that only a newer server knows names the moderator and claims nothing else', async () => {
  const server = new Server().signedIn([], {}, moderator)
  const entries = [auditEntry({ action: 'order_moved' as AuditEntry['action'], reason: '' })]
  server.on('GET /api/moderation/audit', () => ({ json: { entries, nextCursor: null } }))
  openPage('/moderation?show=log')
  const row = await screen.findByRole('listitem')
  expect(row).toHaveTextContent("did something this page can't show yet. Reload the page to see it.")
})

test('a moderator has only signed-in sellers offer, and lets visitors offer again', async () => {
  const server = new Server().signedIn([], {}, moderator)
  let since: string | null = null
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [], nextCursor: null } }))
  server.on('GET /api/rules', () => ({ json: { signedInOnlySince: since } }))
  server.on('POST /api/moderation/signed-in-only', () => {
    since = new Date().toISOString()
    return { status: 204 }
  })
  server.fails('DELETE /api/moderation/signed-in-only', 409, 'Visitors can offer already')
  const reader = openPage('/moderation')
  const part = within(await screen.findByRole('region', { name: 'Offers from visitors' }))
  await reader.click(await part.findByRole('button', { name: 'Signed-in sellers only…' }))
  const form = await dialog('Signed-In Sellers Only')
  await reader.click(form.getByRole('button', { name: 'Signed-In Sellers Only' }))
  expect(await form.findByText('Reason is required')).toBeVisible()
  await reader.type(form.getByLabelText('Reason'), 'A flood of offers')
  await reader.click(form.getByRole('button', { name: 'Signed-In Sellers Only' }))
  expect(await part.findByText('Only signed-in sellers can offer')).toBeVisible()
  expect(server.calls('POST /api/moderation/signed-in-only')[0]).toMatchObject({
    body: { reason: 'A flood of offers' },
    key: expect.any(String),
  })
  await reader.click(part.getByRole('button', { name: 'Let visitors offer again' }))
  expect(await part.findByText('Visitors can offer already')).toBeVisible()
  server.on('DELETE /api/moderation/signed-in-only', () => {
    since = null
    return { status: 204 }
  })
  await reader.click(part.getByRole('button', { name: 'Let visitors offer again' }))
  expect(await part.findByText('Visitors can offer without signing in.')).toBeVisible()
  expect(screen.getByText('Visitors can offer again.')).toBeVisible()
})

test('a moderator lets programs trade, and keeps them from it again', async () => {
  const off = withFeatures('items tokens')
  const server = new Server().signedIn([], {}, moderator)
  let since: string | undefined
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [], nextCursor: null } }))
  server.on('GET /api/rules', () => ({ json: { signedInOnlySince: null, programsTradeSince: since } }))
  server.fails('POST /api/moderation/programs-trade', 409, 'Programs can trade already')
  const reader = openPage('/moderation')
  const part = within(await screen.findByRole('region', { name: 'Trading by programs' }))
  await reader.click(part.getByRole('button', { name: 'Let Programs Trade' }))
  expect(await part.findByText('Programs can trade already')).toBeVisible()
  server.on('POST /api/moderation/programs-trade', () => {
    since = new Date().toISOString()
    return { status: 204 }
  })
  await reader.click(part.getByRole('button', { name: 'Let Programs Trade' }))
  expect(await part.findByText(/^Programs may trade for people who let them, since/)).toBeVisible()
  server.on('DELETE /api/moderation/programs-trade', () => {
    since = undefined
    return { status: 204 }
  })
  await reader.click(part.getByRole('button', { name: 'Keep Programs from Trading' }))
  expect(await part.findByText(/^Programs may not trade/)).toBeVisible()
  off()
})

test('a moderator tries again when it cannot be read who can offer', async () => {
  const server = new Server().signedIn([], {}, moderator)
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [], nextCursor: null } }))
  server.fails('GET /api/rules', 404, 'No')
  const reader = openPage('/moderation')
  const part = within(await screen.findByRole('region', { name: 'Offers from visitors' }))
  expect(await part.findByText('Failed to load who can offer.')).toBeVisible()
  server.on('GET /api/rules', () => ({ json: { signedInOnlySince: null } }))
  await reader.click(part.getByRole('button', { name: 'Try again' }))
  expect(await part.findByText('Visitors can offer without signing in.')).toBeVisible()
})
