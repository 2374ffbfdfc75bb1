import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { OfferLink } from '@/api/types'
import { dialog, openPage, withFeatures } from '@/test/page'
import { offer, order, receipt, Server, sentOffer } from '@/test/server'

const address = 'https://trade.example/offer/secret'

/** A server with a private link, which can be given another state. */
function withLink(first: Partial<OfferLink> = {}) {
  const server = new Server()
  const shows = (change: Partial<OfferLink>) =>
    server.on('GET /api/offer-links/secret', () => ({
      json: { offer: sentOffer({ sellerName: 'Fern' }), order: null, receipts: [], ...change },
    }))
  shows({ order: order(), ...first })
  return { server, shows }
}

test('a visitor gets a private link to copy, which stays until they close it', async () => {
  const copied = vi.fn()
  const server = new Server().shows([order()])
  server.on('POST /api/orders/7/offers', () => ({
    status: 201,
    json: { offer: offer(), replaced: false, link: address },
  }))
  const reader = openPage('/?dialog=offer&request=7')
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => copied(text))
  onTestFinished(() => void vi.restoreAllMocks())
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Your name'), 'Fern')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.type(form.getByLabelText('Message'), 'I have plenty')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  const copy = await form.findByRole('button', { name: 'Copy Link' })
  expect(copy).toHaveFocus()
  expect(form.getByText('Your offer was sent')).toBeVisible()
  expect(form.getByText(/you need it to follow your offer or withdraw it/)).toBeVisible()
  const link = form.getByRole('link', { name: address })
  expect(link).toHaveAttribute('href', address)
  expect(link).toHaveAttribute('rel', 'noreferrer')
  await reader.click(copy)
  expect(copied).toHaveBeenCalledWith(address)
  await reader.click(form.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Change my offer on Iron Ore' })).toBeVisible()
})

test('a visitor who offered sees it and changes it, by the link that the browser kept', async () => {
  localStorage.setItem('tradepost.visitor-offers', JSON.stringify([{ order: 7, token: 'secret' }]))
  const { server } = withLink({ order: order(), offer: sentOffer({ quantityOffered: 40, quantityLeft: 40 }) })
  server.shows([order()])
  server.on('POST /api/orders/7/offers', () => ({
    status: 201,
    json: { offer: offer(), replaced: true, link: 'https://trade.example/offer/second' },
  }))
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Change my offer')
  expect(form.getByText(/You offered/)).toHaveTextContent('You offered 40')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.click(form.getByRole('button', { name: 'Change my offer' }))
  expect(await form.findByText('Your offer was changed')).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers')[0]?.body).toMatchObject({ replacesLink: 'secret' })
  expect(localStorage.getItem('tradepost.visitor-offers')).toBe(JSON.stringify([{ order: 7, token: 'second' }]))
})

test('the private link shows the offer, its request and the receipts, and withdraws after a question', async () => {
  const accepted = { quantityAccepted: 5, quantityLeft: 45, sellerName: 'Fern', message: 'At the docks' }
  const { server, shows } = withLink({
    offer: sentOffer(accepted),
    receipts: [
      receipt({ side: 'seller', with: { name: 'Rowan', contact: 'rowan', verified: true, discordUrl: null } }),
    ],
  })
  server.on('DELETE /api/offer-links/secret', () => {
    shows({ offer: sentOffer({ ...accepted, quantityLeft: 0, state: 'withdrawn' }) })
    return { status: 204 }
  })
  const reader = openPage('/offer/secret')
  expect(await screen.findByRole('heading', { name: 'Your offer on Iron Ore' })).toBeVisible()
  expect(screen.getByText('The buyer accepted 5 of 50. 45 still offered.')).toBeVisible()
  expect(screen.getByText('At the docks')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'The request' })).getByText('Level 30+')).toBeVisible()
  expect(screen.getByRole('article', { name: /^Receipt: .*to Rowan$/ })).toBeVisible()
  expect(screen.queryByRole('link', { name: /Discord/ })).toBeNull()

  await reader.click(screen.getByRole('button', { name: 'Withdraw' }))
  const asked = await dialog('Withdraw your offer?', 'alertdialog')
  expect(server.calls('DELETE /api/offer-links/secret')).toHaveLength(0)
  await reader.click(asked.getByRole('button', { name: 'Withdraw Offer' }))
  expect(await screen.findByText('The buyer accepted 5 of 50. You withdrew the rest.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  expect(server.calls('DELETE /api/offer-links/secret')[0]?.key).toBeTruthy()
})

test('an offer that was accepted whole says its sum once, on the receipt', async () => {
  const of = {
    quantity: 50,
    total: '12500',
    with: { name: 'Rowan', contact: 'rowan', verified: true, discordUrl: null },
  }
  withLink({
    offer: sentOffer({ state: 'accepted', quantityAccepted: 50, quantityLeft: 0 }),
    receipts: [receipt({ side: 'seller', ...of })],
  })
  openPage('/offer/secret')
  const own = within(await screen.findByRole('region', { name: 'Your offer' }))
  expect(screen.getByRole('article', { name: /^Receipt: .*to Rowan$/ })).toBeVisible()
  expect(own.queryByText('50')).toBeNull()
})

test('a visitor is not led to the page of the trade, which is for accounts', async () => {
  onTestFinished(withFeatures('handover'))
  const { shows } = withLink()
  shows({
    offer: sentOffer({ state: 'accepted', quantityAccepted: 50, quantityLeft: 0 }),
    receipts: [
      receipt({ side: 'seller', with: { name: 'Rowan', contact: 'rowan', verified: true, discordUrl: null } }),
    ],
  })
  openPage('/offer/secret')
  const given = within(await screen.findByRole('article', { name: /^Receipt: .*to Rowan$/ }))
  expect(given.getByRole('button', { name: /^Copy message/i })).toBeVisible()
  expect(given.queryByRole('link')).toBeNull()
})

test('a withdrawal that comes too late says so, and shows how the offer ended', async () => {
  const { server, shows } = withLink()
  server.on('DELETE /api/offer-links/secret', () => {
    shows({ offer: sentOffer({ state: 'declined', quantityLeft: 0 }) })
    return { status: 409, json: { title: 'Conflict', status: 409, detail: 'Your offer is no longer open' } }
  })
  const reader = openPage('/offer/secret')
  await reader.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const asked = await dialog('Withdraw your offer?', 'alertdialog')
  await reader.click(asked.getByRole('button', { name: 'Withdraw Offer' }))
  expect(await asked.findByText('Your offer is no longer open')).toBeVisible()
  await reader.click(asked.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('The buyer declined your offer.')).toBeVisible()
})

test.each([
  ['accepted', 50, 'The buyer accepted your offer. Write to them to agree on a time and place.'],
  ['declined', 5, 'The buyer accepted 5 of 50 and declined the rest.'],
  ['withdrawn', 0, 'You withdrew your offer.'],
  ['lapsed', 0, "Your offer has lapsed: the request ended, or the buyer didn't answer in two weeks."],
  ['lapsed', 5, 'The buyer accepted 5 of 50. The rest has lapsed.'],
  ['removed', 0, 'A moderator removed your offer.'],
] as const)('a private link says how an offer ended: %s, %i accepted', async (state, quantityAccepted, words) => {
  withLink({ offer: sentOffer({ state, quantityAccepted, quantityLeft: 0 }), order: null })
  openPage('/offer/secret')
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryByRole('region', { name: 'The request' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
})

test('a private link says until when the offer stands', async () => {
  const goodUntil = '2026-05-03T20:00:00Z'
  withLink({ offer: sentOffer({ goodUntil }) })
  openPage('/offer/secret')
  expect(await screen.findByText(/^good until/)).toHaveAttribute('datetime', goodUntil)
})

test('a private link says that the offer has lapsed at the time until which it stood', async () => {
  const goodUntil = '2026-05-03T20:00:00Z'
  withLink({
    offer: sentOffer({ state: 'lapsed', quantityLeft: 0, goodUntil, updatedAt: goodUntil }),
    order: null,
  })
  openPage('/offer/secret')
  expect(await screen.findByText("Your offer has lapsed. It wasn't accepted in time.")).toBeVisible()
  expect(screen.getByText(/^was good until/)).toBeVisible()
})

test('a wrong or ended link says so', async () => {
  const server = new Server()
  server.fails('GET /api/offer-links/secret', 404, 'This link is wrong, or it ended with its request')
  openPage('/offer/secret')
  expect(await screen.findByRole('heading', { level: 1, name: 'This link no longer works' })).toBeVisible()
})

test('a failure to load a private link can be retried', async () => {
  const { server, shows } = withLink()
  server.on('GET /api/offer-links/secret', () => 'unreachable')
  const reader = openPage('/offer/secret')
  const retry = await screen.findByRole('button', { name: 'Try again' })
  shows({ order: order() })
  await reader.click(retry)
  expect(await screen.findByRole('heading', { name: 'Your offer on Iron Ore' })).toBeVisible()
})

test('signing in from a private link leads to the board, not back to the secret', async () => {
  withLink()
  const reader = openPage('/offer/secret?dialog=sign-in')
  const signIn = await dialog('Welcome Back')
  const assign = vi.fn()
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('location', { ...location, assign })
  await reader.click(signIn.getByRole('button', { name: 'Continue with Discord' }))
  expect(assign.mock.calls[0]?.[0]).not.toContain('secret')
})
