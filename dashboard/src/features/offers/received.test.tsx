import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage } from '@/test/page'
import { offer, order, Server, sale } from '@/test/server'

const ore = order({ userId: 1, itemName: 'Iron Ore', quantity: 60, sold: 0 })
const coal = order({ userId: 1, id: 8, itemName: 'Coal' })
const fern = offer({ id: 70, quantityOffered: 50 })
const ash = offer({ id: 71, sellerName: 'Ash', sellerContact: 'ash', quantityOffered: 20 })
const reed = offer({ id: 72, orderId: 8, sellerName: 'Reed', sellerContact: 'reed' })

function open() {
  const server = new Server().signedIn([ore, coal], { received: 3 })
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
  expect(request.getByRole('button', { name: 'Accept Offer of Ash' })).toBeEnabled()
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
  await reader.click(screen.getByRole('button', { name: 'Accept all' }))
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
  await reader.click(screen.getByRole('button', { name: 'Accept all' }))
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
  await reader.click(screen.getByRole('button', { name: 'Decline all' }))
  expect(screen.getByText("Decline 1 offer? We'll tell the sellers.")).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Decline' }))
  expect(await screen.findByText(/^Declined the offer of/)).toHaveTextContent('Declined the offer of Reed on Coal.')
  expect(server.calls('POST /api/offers/answer')[0]?.body).toEqual({ answers: [{ id: 72, accept: 0 }] })
})

test('an offer that is declined on its own can be undone where it stood', async () => {
  const { server, reader } = open()
  server.on('DELETE /api/offers/72', () => ({ status: 204 }))
  await reader.click(await screen.findByRole('button', { name: 'Delete the offer of Reed' }))
  await reader.click(screen.getByRole('button', { name: 'Delete' }))
  const outcomes = within(await screen.findByRole('list', { name: 'Outcomes' }))
  expect(outcomes.getByText(/^Declined the offer of/)).toHaveTextContent('Declined the offer of Reed on Coal.')
  expect(outcomes.getByRole('button', { name: 'Undo declining the offer of Reed' })).toBeVisible()
})
