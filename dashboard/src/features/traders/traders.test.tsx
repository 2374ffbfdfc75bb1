import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { dialog, openPage, withFeatures } from '@/test/page'
import { maple, offer, order, Server } from '@/test/server'

const record = { userId: 2, new: false, partners: 12, others: 3, met: 40, kept: 98, meetsIn: 1500 }
const own = order({ userId: 1 })

beforeEach(() => {
  return withFeatures('handover records')
})

test('a request shows the record of its buyer, which leads to their page', async () => {
  const server = new Server().shows([order()])
  server.on('GET /api/traders', () => ({ json: { records: [record] } }))
  server.on('GET /api/traders/2', () => ({
    json: { name: 'Rowan', since: '2026-01-05T10:00:00Z', established: true, record },
  }))
  const reader = openPage('/requests/7')
  const link = await screen.findByRole('link', {
    name: /12 established partners, 3 new · 40 handovers · 98% reliable · usually within 25 hours/,
  })
  await reader.click(link)
  expect(await screen.findByRole('heading', { name: 'Rowan' })).toBeVisible()
  expect(location.pathname).toBe('/traders/2')
  expect(screen.getByText('98%')).toBeVisible()
  expect(screen.getByText('12 established, 3 new')).toBeVisible()
})

test('offers show the records of their sellers, asked for at once', async () => {
  const server = new Server().signedIn([own])
  server.on('GET /api/orders/7/offers', () => ({
    json: {
      offers: [offer({ sellerId: 2 }), offer({ id: 71, sellerId: 3 }), offer({ id: 72 })],
      total: 3,
      declined: [],
      received: true,
    },
  }))
  server.on('GET /api/traders', () => ({ json: { records: [record, { ...record, userId: 3, new: true }] } }))
  openPage('/mine?dialog=offers&request=7')
  const offers = await dialog(/Offers/)
  expect(await offers.findByText(/12 established partners/)).toBeVisible()
  expect(await offers.findByText('New here')).toBeVisible()
  expect(server.calls('GET /api/traders')).toHaveLength(1)
  expect(server.calls('GET /api/traders')[0]?.query.getAll('user')).toEqual(['2', '3'])
})

test('a buyer has offers accepted as they come, and chooses who can offer', async () => {
  const server = new Server().signedIn([own])
  const standing = {
    sellers: 'met',
    fromPartners: 200,
    fromOthers: 50,
    until: new Date(Date.now() + 86_400_000).toISOString(),
    takenFromPartners: 20,
    takenFromOthers: 0,
    setAt: new Date().toISOString(),
    endedAt: null,
    stands: true,
  }
  let terms: object = { leastRecord: null, usual: 'met', standing: [] }
  server.on('GET /api/orders/7/terms', () => ({ json: terms }))
  server.fails('PUT /api/orders/7/standing', 422, 'Choose a quantity from 0 to 400', {
    errors: { fromOthers: 'Choose a quantity from 0 to 400' },
  })
  const reader = openPage('/requests/7')
  await reader.click(await screen.findByText('Who can sell to you', { selector: 'summary' }))
  const form = within(screen.getByRole('region', { name: 'Who can sell to you' }))
  // In a young market the usual sellers are people one has met, and none are taken from others.
  expect(form.getByLabelText('Whose offers')).toHaveTextContent('People you have met')
  expect(form.getByLabelText('From everybody else')).toHaveValue(0)
  await reader.clear(form.getByLabelText('From everybody else'))
  await reader.type(form.getByLabelText('From everybody else'), '999')
  await reader.click(form.getByRole('button', { name: 'Accept Automatically' }))
  expect(await form.findByText('Choose a quantity from 0 to 400')).toBeVisible()
  server.on('PUT /api/orders/7/standing', () => {
    terms = { leastRecord: null, usual: 'met', standing: [standing] }
    return { json: standing }
  })
  await reader.click(form.getByRole('button', { name: 'Accept Automatically' }))
  expect(await form.findByText(/Accepting up to 200 from people you have met/)).toBeVisible()
  server.on('DELETE /api/orders/7/standing', () => ({ status: 204 }))
  await reader.click(form.getByRole('button', { name: 'End This' }))
  await waitFor(() => expect(server.calls('DELETE /api/orders/7/standing')).toHaveLength(1))
  server.on('PUT /api/orders/7/least-record', () => ({
    json: { leastRecord: { sellers: 'trusted', newUpTo: 50 }, usual: 'met', standing: [] },
  }))
  await reader.click(form.getByLabelText('Who can offer'))
  await reader.click(await screen.findByRole('option', { name: 'Established sellers' }))
  await reader.clear(form.getByLabelText('Others up to'))
  await reader.type(form.getByLabelText('Others up to'), '50')
  await reader.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(server.calls('PUT /api/orders/7/least-record')[0]?.body).toEqual({ sellers: 'trusted', newUpTo: 50 }),
  )
})

test('a dispute shows moderators both words, both records and what was between the two before', async () => {
  const server = new Server().signedIn([], {}, { ...maple, moderator: true })
  const said = { saidAt: '2026-05-02T10:00:00Z' }
  server.on('GET /api/moderation/disputes', () => ({
    json: {
      disputes: [
        {
          id: 12,
          orderId: 7,
          itemName: 'Iron Ore',
          quantity: 20,
          total: '5000',
          acceptedAt: '2026-05-01T10:00:00Z',
          agreedBy: '2026-05-02T10:00:00Z',
          lookedAt: null,
          newSide: 'seller',
          buyer: { who: { id: 3, username: 'maple' }, word: 'met', ...said, record: { ...record, userId: 3 } },
          seller: {
            who: { id: 4, username: 'rowan' },
            word: 'not_met',
            ...said,
            record: { ...record, userId: 4, new: true },
          },
          before: [{ itemName: 'Tin', quantity: 3, state: 'met', acceptedAt: '2026-04-01T10:00:00Z' }],
        },
      ],
      nextCursor: null,
    },
  }))
  server.on('POST /api/moderation/disputes/12/look', () => ({ status: 204 }))
  const reader = openPage('/moderation')
  // The parts say where a case waits.
  await reader.click(await screen.findByRole('link', { name: /^Disputes ?1$/ }))
  expect(await screen.findByText('“We met”')).toBeVisible()
  expect(screen.getByText('“It did not happen”')).toBeVisible()
  expect(screen.getByRole('link', { name: /12 established partners/ })).toHaveAttribute('href', '/traders/3')
  expect(screen.getByRole('link', { name: /New here/ })).toHaveAttribute('href', '/traders/4')
  expect(screen.getByText(/The seller is new here, the buyer is established/)).toBeVisible()
  expect(screen.getByText(/Earlier trades between them: 1/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: "I'll look at it" }))
  await waitFor(() => expect(server.calls('POST /api/moderation/disputes/12/look')).toHaveLength(1))
})
