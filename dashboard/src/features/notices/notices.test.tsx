import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Notice } from '@/api/types'
import { dialog, openPage } from '@/test/page'
import { notice, order, receipt, Server } from '@/test/server'

const inbox = (...notices: ReturnType<typeof notice>[]) => ({
  json: { notices, unread: notices.filter((n) => !n.read).length, nextCursor: null },
})

test('an undelivered notice shows the reason in the inbox', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () =>
    inbox(
      notice({ id: 93, state: 'refused', reason: 'Your direct messages are closed' }),
      notice({ id: 92, state: 'expired', itemName: 'Tin Ore', reason: 'Discord could not be reached for three days' }),
      notice({ id: 91, kind: 'dm_failed', itemName: 'Gold Ore' }),
      notice({ id: 90, itemName: 'Coal' }),
    ),
  )
  openPage('/inbox')
  const [refused, expired, failed, delivered] = (await screen.findAllByRole('listitem')).map((row) => within(row))
  expect(refused?.getByText('Not delivered on Discord')).toBeVisible()
  expect(refused?.getByText('Your direct messages are closed')).toBeVisible()
  expect(expired?.getByText('Not delivered in time')).toBeVisible()
  expect(expired?.getByText('Discord could not be reached for three days')).toBeVisible()
  expect(failed?.getByText(/could not be delivered/)).toHaveTextContent(
    'A direct message about Gold Ore could not be delivered',
  )
  expect(delivered?.getByText(/offers/)).toHaveTextContent('Fern offers 50 Coal')
  expect(delivered?.queryByText(/deliver/i)).toBeNull()
})

test('the row of a request that is about to expire renews it', async () => {
  const ending = { ...order(), expiresAt: new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString() }
  const renewed = { ...ending, version: 4, expiresAt: new Date(Date.now() + 365 * 24 * 60 * 60_000).toISOString() }
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () => inbox(notice({ kind: 'order_expiring', orderId: 7 })))
  server.on('GET /api/orders/7', () => ({ json: ending }))
  server.on('POST /api/orders/7/renew', () => ({ json: renewed }))
  const reader = openPage('/inbox')
  await reader.click(await screen.findByRole('button', { name: 'Renew your request Iron Ore' }))
  expect(await screen.findByText(/^It stays on the board until/)).toBeVisible()
  expect(server.calls('POST /api/orders/7/renew')).toHaveLength(1)
})

test('a notice that is needless is no alarm', async () => {
  const server = new Server().signedIn()
  const accepted = notice({ state: 'expired', reason: null, offer: { open: false, accepted: 30 } })
  server.on('GET /api/me/notices', () => inbox(accepted))
  openPage('/inbox')
  expect(await screen.findByText('You accepted 30')).toBeVisible()
  expect(screen.queryByText(/in time/)).toBeNull()
})

test('notices on screen count as read, and the unread count disappears', async () => {
  const server = new Server().signedIn([], { unread: 1 })
  server.on('GET /api/me/notices', () => inbox(notice({ read: false, message: 'I have plenty' })))
  server.on('POST /api/me/notices/read', () => {
    server.signedIn([], { unread: 0 })
    return { status: 204 }
  })
  openPage('/inbox')
  expect(await screen.findByRole('link', { name: 'Inbox, 1 unread' })).toBeVisible()
  expect(await screen.findByText('I have plenty')).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Inbox' })).toBeVisible()
  expect(server.calls('POST /api/me/notices/read').map(({ body }) => body)).toEqual([{ upTo: 90 }])
})

test('the inbox groups notices by request, with the number of new ones', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () =>
    inbox(
      notice({ id: 99, orderId: 8, itemName: 'Coal', read: false }),
      ...[98, 97, 96, 95, 94].map((id) => notice({ id, read: id < 97 })),
      notice({ id: 93, orderId: 8, itemName: 'Coal' }),
      notice({ id: 92, orderId: null, kind: 'test', itemName: '' }),
      notice({ id: 91, kind: 'order_filled' }),
    ),
  )
  const reader = openPage('/inbox')
  expect((await screen.findAllByRole('heading', { level: 2 })).map((h) => h.textContent)).toEqual(['Coal', 'Iron Ore'])
  const coal = within(screen.getByRole('article', { name: 'Coal' }))
  expect(coal.getAllByRole('listitem')).toHaveLength(2)
  expect(coal.getByText('1 new')).toBeVisible()
  const iron = within(screen.getByRole('article', { name: 'Iron Ore' }))
  expect(iron.getByText('2 new')).toBeVisible()
  expect(iron.getByRole('link', { name: 'Iron Ore' })).toHaveAttribute('href', '/requests/7')
  expect(iron.getAllByRole('listitem')).toHaveLength(5)
  await reader.click(iron.getByRole('button', { name: 'Show 1 more' }))
  expect(iron.getAllByRole('listitem')).toHaveLength(6)
  expect(screen.getByText('This is the test notice you asked for')).toBeVisible()
})

test('a notice of an offer leads to where the offer is now', async () => {
  const own = order({ userId: 1 })
  const server = new Server().signedIn([own])
  server.on('GET /api/me/notices', () =>
    inbox(
      notice({ id: 94, offer: { open: true, accepted: 0 } }),
      notice({ id: 93, offer: { open: true, accepted: 3 } }),
      notice({ id: 92, offer: { open: false, accepted: 20 } }),
      notice({ id: 91, offer: { open: false, accepted: 0 } }),
    ),
  )
  server.on('GET /api/me/receipts', () => ({ json: { receipts: [receipt()], nextCursor: null } }))
  const reader = openPage('/inbox')
  const [waits, partly, taken, gone] = (await screen.findAllByRole('listitem')).map((row) => within(row))
  const buttons = (row = waits) => row?.queryAllByRole('button', { name: /^View/ }).map((button) => button.textContent)
  expect(buttons(waits)).toEqual(['View Offers'])
  expect(buttons(partly)).toEqual(['View Receipts', 'View Offers'])
  expect(partly?.getByText('You accepted 3')).toBeVisible()
  expect(buttons(gone)).toEqual([])
  expect(gone?.getByText('This offer is no longer open')).toBeVisible()
  expect(buttons(taken)).toEqual(['View Receipts'])
  await reader.click(taken?.getByRole('button', { name: 'View Receipts' }) as HTMLElement)
  const receipts = await dialog('Receipts for "Iron Ore"')
  expect(await receipts.findByRole('article', { name: /^Receipt/ })).toBeVisible()
})

test('an offer in the inbox links to the offers', async () => {
  const own = order({ userId: 1 })
  const server = new Server().signedIn([own])
  server.on('GET /api/me/notices', () => inbox(notice()))
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [], total: 0 } }))
  const reader = openPage('/inbox')
  await reader.click(await screen.findByRole('button', { name: 'View Offers' }))
  await waitFor(() => expect(screen.getByRole('dialog', { name: 'Offers for "Iron Ore"' })).toBeVisible())
})

test("a notice of a name that looks like the reader's says where it is used and leads there", async () => {
  const server = new Server().signedIn()
  const look = { kind: 'look_alike', offerId: null, message: '', counterpart: { name: 'Mаple', contact: '' } } as const
  server.on('GET /api/me/notices', () => inbox(notice(look), notice({ ...look, id: 92, offerId: 70 })))
  openPage('/inbox')
  const [request, offer] = await screen.findAllByRole('listitem')
  expect(request).toHaveTextContent('A request for Iron Ore uses a name that looks like yours: Mаple.')
  expect(request).toHaveTextContent('You can report the request.')
  expect(within(request as HTMLElement).getByRole('link', { name: 'View request' })).toHaveAttribute(
    'href',
    '/requests/7',
  )
  expect(offer).toHaveTextContent(
    "An offer of Iron Ore uses a name that looks like yours: Mаple. We've marked it for the buyer.",
  )
})

test('a notice of many removals says who removed how many and leads to the moderation log', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () =>
    inbox(
      notice({
        kind: 'many_removals',
        orderId: null,
        itemName: '',
        quantity: 11,
        message: '',
        counterpart: { name: '', contact: 'old_tamsin' },
      }),
    ),
  )
  openPage('/inbox')
  const row = within(await screen.findByRole('listitem'))
  expect(row.getByText(/within a minute/)).toHaveTextContent(
    'old_tamsin removed 11 requests and offers within a minute',
  )
  expect(row.getByRole('link', { name: 'Open the moderation log' })).toHaveAttribute('href', '/moderation?show=log')
})

test('a notice of a kind that only a newer server knows says that there is news', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/notices', () => inbox(notice({ kind: 'offer_haggled' as Notice['kind'] })))
  openPage('/inbox')
  const row = await screen.findByRole('listitem')
  expect(row).toHaveTextContent('There is news about Iron Ore. Reload the page to see it.')
})

test('the settings are saved as chosen; quiet hours need both times, and a refused one says why', async () => {
  const server = new Server().signedIn()
  const kinds = { offer_received: true, offer_accepted: true }
  server.on('GET /api/me/notices/settings', () => ({
    json: { kinds, quietFrom: null, quietTo: null, timeZone: 'UTC', unreachable: null },
  }))
  server.on('GET /api/me/blocked-sellers', () => ({ json: { sellers: [] } }))
  const call = 'PUT /api/me/notices/settings'
  server.fails(call, 422, 'no', { errors: { quietTo: 'Quiet hours end between 00:00 and 23:59' } })
  const reader = openPage('/?dialog=notices')
  const form = await dialog('Notice Settings')
  const [first] = await form.findAllByRole('checkbox')
  await reader.click(first as HTMLElement)
  fireEvent.change(form.getByLabelText('From'), { target: { value: '22:00' } })
  await reader.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('Enter an end time')).toBeVisible()
  expect(form.getByLabelText('To')).toBeInvalid()
  expect(form.getByLabelText('To')).toHaveFocus()
  fireEvent.change(form.getByLabelText('From'), { target: { value: '' } })
  await waitFor(() => expect(form.queryByText('Enter an end time')).toBeNull()) // neither is fine
  fireEvent.change(form.getByLabelText('From'), { target: { value: '22:00' } })
  fireEvent.change(form.getByLabelText('To'), { target: { value: '07:30' } })
  const gather = form.getByRole('checkbox', { name: 'Gather offers' })
  expect(gather).not.toBeChecked()
  expect(gather).toHaveAccessibleDescription(/in one message an hour/)
  await reader.click(gather)
  expect(server.calls(call)).toHaveLength(0)
  await reader.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('Quiet hours end between 00:00 and 23:59')).toBeVisible()
  expect(form.getByLabelText('To')).toHaveFocus()
  expect(server.calls(call)[0]?.body).toMatchObject({
    kinds: { offer_received: false, offer_accepted: true },
    quietFrom: '22:00',
    quietTo: '07:30',
    gatherOffers: true,
  })
})
