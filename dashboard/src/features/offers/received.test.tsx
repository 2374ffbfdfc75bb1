import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ReceivedOffer } from '@/api/types'
import { openPage } from '@/test/page'
import { offer, order, Server, sale } from '@/test/server'

const ore = order({ userId: 1, itemName: 'Iron Ore', quantity: 60, sold: 0 })
const coal = order({ userId: 1, id: 8, itemName: 'Coal' })
const received = (over: Parameters<typeof offer>[0], why: ReceivedOffer['why'] = [], met = 0): ReceivedOffer => ({
  ...offer(over),
  why,
  met,
})
const fern = received({ id: 70, quantityOffered: 50 }, ['met', 'reliable', 'earliest'], 3)
const ash = received({ id: 71, sellerName: 'Ash', sellerContact: 'ash', quantityOffered: 20 })
const reed = received({ id: 72, orderId: 8, sellerName: 'Reed', sellerContact: 'reed' })

function open(server = new Server()) {
  server.signedIn([ore, coal], { received: 3 })
  server.on('GET /api/me/offers/received', () => ({
    json: {
      requests: [
        { order: coal, offers: [reed] },
        { order: ore, offers: [fern, ash] },
      ],
      nextCursor: null,
    },
  }))
  return { server, reader: openPage('/mine/offers') }
}

test('the offers that wait are grouped by request, with their number on the tab', async () => {
  open()
  const request = within(await screen.findByRole('region', { name: 'Iron Ore' }))
  expect(request.getByText('Fern')).toBeVisible()
  expect(request.getByRole('button', { name: 'Accept Offer: 20 from Ash' })).toBeEnabled()
  expect(within(screen.getByRole('region', { name: 'Coal' })).getByText('Reed')).toBeVisible()
  expect(screen.getByText('3 offers wait for your answer')).toBeVisible()
  expect(screen.getByRole('link', { name: /Offers Received\W*3/ })).toBeVisible()
})

test('several offers are accepted together, and each shows its result', async () => {
  const { server, reader } = open()
  server.on('POST /api/offers/answer', () => ({
    json: {
      outcomes: [
        { id: 70, accepted: { order: ore, offer: null, sale: sale({ quantitySold: 50 }) }, problem: null },
        {
          id: 71,
          accepted: null,
          problem: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'This request is already closed' },
        },
      ],
    },
  }))
  for (const name of ['Fern', 'Ash']) {
    await reader.click(await screen.findByRole('checkbox', { name: `Choose the offer of ${name}` }))
  }
  await reader.click(screen.getByRole('button', { name: 'Accept 2 offers' }))
  const outcomes = within(await screen.findByRole('list', { name: 'Outcomes' }))
  expect(outcomes.getByText(/^Accepted 50 ×/)).toHaveTextContent('Accepted 50 × Iron Ore from Fern')
  expect(outcomes.getByText(/This request is already closed$/)).toHaveTextContent(
    'Ash, Iron Ore: This request is already closed',
  )
  // Of the second offer as much as the request still needs after the first.
  expect(server.calls('POST /api/offers/answer')[0]?.body).toEqual({
    answers: [
      { id: 70, accept: 50 },
      { id: 71, accept: 10 },
    ],
  })
  expect(screen.queryByRole('region', { name: 'Chosen offers' })).toBeNull()
})

test('each result is shown, also when the list has lost its offer before the answer came', async () => {
  const { server, reader } = open()
  let answer = (_: object) => {}
  server.on(
    'POST /api/offers/answer',
    () =>
      new Promise<never>((resolve) => {
        answer = resolve as typeof answer
      }) as never,
  )
  for (const name of ['Fern', 'Ash']) {
    await reader.click(await screen.findByRole('checkbox', { name: `Choose the offer of ${name}` }))
  }
  await reader.click(screen.getByRole('button', { name: 'Accept 2 offers' }))
  const left = { order: ore, offers: [offer({ id: 70, sellerName: 'Fern' })] }
  server.on('GET /api/me/offers/received', () => ({ json: { requests: [left], nextCursor: null } }))
  act(() => server.sendEvent('resync'))
  await waitFor(() => expect(screen.queryByText('Ash')).toBeNull())
  const accepted = (id: number) => ({
    id,
    accepted: { order: ore, offer: null, sale: sale({ id, quantitySold: 5 }) },
    problem: null,
  })
  await act(async () => answer({ json: { outcomes: [accepted(70), accepted(71)] } }))
  const outcomes = within(await screen.findByRole('list', { name: 'Outcomes' }))
  expect(outcomes.getAllByRole('listitem')).toHaveLength(2)
})

test('several offers are declined after a question', async () => {
  const { server, reader } = open()
  server.on('POST /api/offers/answer', () => ({ json: { outcomes: [{ id: 72, accepted: null, problem: null }] } }))
  await reader.click(await screen.findByRole('checkbox', { name: 'Choose the offer of Reed' }))
  await reader.click(screen.getByRole('button', { name: 'Decline…' }))
  expect(screen.getByText("Decline 1 offer? We'll tell the sellers.")).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Decline' }))
  expect(await screen.findByText(/^Declined the offer of/)).toHaveTextContent('Declined the offer of Reed on Coal.')
  expect(server.calls('POST /api/offers/answer')[0]?.body).toEqual({ answers: [{ id: 72, accept: 0 }] })
})

test('an offer that is declined on its own can be undone where it stood', async () => {
  const { server, reader } = open()
  server.on('DELETE /api/offers/72', () => ({ status: 204 }))
  await reader.click(await screen.findByRole('button', { name: 'More about the offer of Reed' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await reader.click(await screen.findByRole('button', { name: 'Delete' }))
  const outcomes = within(await screen.findByRole('list', { name: 'Outcomes' }))
  expect(outcomes.getByText(/^Declined the offer of/)).toHaveTextContent('Declined the offer of Reed on Coal.')
  expect(outcomes.getByRole('button', { name: 'Undo declining the offer of Reed' })).toBeVisible()
})

test('a row says why it is here, in words', async () => {
  open()
  const row = (await screen.findByText('Fern')).closest('li') as HTMLElement
  expect(within(row).getByText('You met 3 times · Keeps their word')).toBeVisible()
})

test('no more is proposed than what is left after the ticked offers above', async () => {
  const { reader } = open()
  const quantity = (name: string) => screen.getByRole('spinbutton', { name: new RegExp(`of ${name}$`) })
  await reader.click(await screen.findByRole('checkbox', { name: 'Choose the offer of Ash' }))
  expect(quantity('Fern')).toHaveValue(50) // it is above
  expect(quantity('Ash')).toHaveValue(20)
  await reader.click(screen.getByRole('checkbox', { name: 'Choose the offer of Fern' }))
  expect(quantity('Ash')).toHaveValue(10)
  await reader.clear(quantity('Fern'))
  await reader.type(quantity('Fern'), '45')
  expect(quantity('Ash')).toHaveValue(15)
  const bar = screen.getByRole('region', { name: 'Chosen offers' })
  expect(bar).toHaveTextContent(/2 offers chosen 60 for/)
  await reader.click(within(bar).getByRole('button', { name: 'Clear' }))
  expect(quantity('Ash')).toHaveValue(20)
  expect(screen.queryByRole('region', { name: 'Chosen offers' })).toBeNull()
})

test('the best offers are chosen until a request is full, and accepted with Ctrl+Enter', async () => {
  const { server, reader } = open()
  server.on('POST /api/offers/answer', () => ({ json: { outcomes: [] } }))
  await reader.click(await screen.findByRole('button', { name: 'Choose best until full: Iron Ore' }))
  expect(screen.getByRole('checkbox', { name: 'Choose the offer of Reed' })).not.toBeChecked()
  await reader.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(server.calls('POST /api/offers/answer')).toHaveLength(1))
  expect(server.calls('POST /api/offers/answer')[0]?.body).toEqual({
    answers: [
      { id: 70, accept: 50 },
      { id: 71, accept: 10 },
    ],
  })
})

test('one offer is accepted from its row, with the quantity in it', async () => {
  const { server, reader } = open()
  server.on('POST /api/offers/70/accept', () => ({
    json: { order: ore, offer: null, sale: sale({ quantitySold: 7 }) },
  }))
  const quantity = await screen.findByRole('spinbutton', { name: /of Fern$/ })
  await reader.clear(quantity)
  await reader.type(quantity, '7')
  await reader.click(screen.getByRole('button', { name: 'Accept Offer: 7 from Fern' }))
  const outcomes = within(await screen.findByRole('list', { name: 'Outcomes' }))
  expect(outcomes.getByText(/^Accepted 7 ×/)).toHaveTextContent('Accepted 7 × Iron Ore from Fern')
  expect(server.calls('POST /api/offers/70/accept')[0]?.body).toMatchObject({ quantity: 7 })
})

test('a row has two lines on touch, and shows all of the offer on demand', async () => {
  const server = new Server()
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }))
  const { reader } = open(server)
  await reader.click(await screen.findByRole('button', { name: /^Fern/ }))
  const row = screen.getByRole('button', { name: /^Fern/, expanded: true }).closest('li') as HTMLElement
  expect(within(row).getByRole('button', { name: 'Copy the Discord name fern' })).toBeVisible()
  expect(within(row).getByRole('spinbutton')).toHaveValue(50)
  await reader.click(within(row).getByRole('button', { name: 'Close' }))
  expect(within(row).queryByRole('spinbutton')).toBeNull()
})

test('a seller is reported from the menu of the row', async () => {
  const { server, reader } = open()
  server.on('POST /api/offers/71/report', () => ({ status: 204 }))
  await reader.click(await screen.findByRole('button', { name: 'More about the offer of Ash' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Report…' }))
  await reader.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Spam')
  await reader.click(screen.getByRole('button', { name: 'Send Report' }))
  await waitFor(() => expect(server.calls('POST /api/offers/71/report')[0]?.body).toEqual({ reason: 'Spam' }))
})

test('the focus goes to the row that takes the place of an answered one', async () => {
  const { server, reader } = open()
  server.on('DELETE /api/offers/70', () => ({ status: 204 }))
  await reader.click(await screen.findByRole('button', { name: 'More about the offer of Fern' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  server.on('GET /api/me/offers/received', () => ({
    json: { requests: [{ order: ore, offers: [ash] }], nextCursor: null },
  }))
  await reader.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Choose the offer of Fern' })).toBeNull())
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Choose the offer of Ash' })).toHaveFocus())
})
