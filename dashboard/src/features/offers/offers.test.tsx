import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dialog, openPage, stopClock } from '@/test/page'
import { offer, order, Server, sentOffer } from '@/test/server'

const own = order({ userId: 1 })

test('a visitor offers what remains, at the fixed price of the request', async () => {
  const server = new Server().shows([order()])
  server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: false } }))
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  expect(form.getByLabelText('Quantity')).toHaveValue(400)
  expect(form.queryByLabelText(/price/i)).toBeNull()
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  for (const sentence of ['Your name is required', 'Discord username is required', 'Message is required']) {
    expect(await form.findByText(sentence)).toBeVisible()
  }
  await reader.type(form.getByLabelText('Your name'), 'Fern')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.type(form.getByLabelText('Message'), 'I have plenty')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await screen.findByText('Your offer is sent')).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers')[0]?.body).toEqual({
    sellerName: 'Fern',
    sellerContact: 'fern',
    message: 'I have plenty',
    quantityOffered: 400,
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('that an offer is sent shows for two seconds; then the dialog closes, and opens anew', async () => {
  const server = new Server().signedIn().shows([order()])
  server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: false } }))
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Message'), 'I have plenty')
  const clock = stopClock()
  const sent = () => screen.queryByText('Your offer is sent')
  fireEvent.click(form.getByRole('button', { name: 'Send Offer' }))
  await clock.until(() => sent() !== null)
  await clock.pass(1999)
  expect(sent()).toBeVisible()
  expect(location.search).toContain('dialog=offer')
  await clock.pass(1)
  expect(location.search).toBe('')
  await clock.pass(200) // the dialog leaves
  expect(sent()).toBeNull()
  vi.useRealTimers()
  await reader.click(await screen.findByRole('button', { name: 'Offer to Fulfill' }))
  expect((await dialog('Offer to Fulfill')).getByLabelText('Message')).toHaveValue('')
})

test('the quantity of an offer stays between 1 and all that was asked for', async () => {
  new Server().shows([order()])
  const reader = openPage('/?dialog=offer&request=7')
  const quantity = (await dialog('Offer to Fulfill')).getByLabelText('Quantity')
  await reader.clear(quantity)
  await reader.type(quantity, '501')
  expect(quantity).toHaveValue(500)
  await reader.clear(quantity)
  await reader.type(quantity, '0')
  await reader.tab()
  expect(quantity).toHaveValue(1)
})

test("a signed-in seller's contact is that of the account, and a second offer replaces the first", async () => {
  const server = new Server().signedIn().shows([order()])
  server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: true } }))
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  expect(form.getByLabelText('Discord username')).toHaveValue('maple')
  expect(form.getByLabelText('Discord username')).toHaveAttribute('readonly')
  await reader.type(form.getByLabelText('Message'), 'More than I thought')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await screen.findByText('It takes the place of your earlier offer.')).toBeVisible()
})

test('a visitor is led to sign in where the buyer takes offers of signed-in sellers only', async () => {
  new Server().shows([order({ signedInOnly: true })])
  const reader = openPage('/requests/7')
  expect(await screen.findByText('Signed-in sellers only')).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Offer to Fulfill' }))
  const asked = await dialog('Offer to Fulfill')
  expect(asked.queryByLabelText('Message')).toBeNull()
  await reader.click(asked.getByRole('button', { name: 'Sign In with Discord' }))
  const signIn = await dialog('Welcome Back')
  const assign = vi.fn()
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('location', { ...location, assign })
  await reader.click(signIn.getByRole('button', { name: 'Continue with Discord' }))
  expect(decodeURIComponent(assign.mock.calls[0]?.[0])).toContain('return=/requests/7?dialog=offer&request=7')
})

test('a signed-in seller offers where visitors may not', async () => {
  new Server().signedIn().shows([order({ signedInOnly: true })])
  openPage('/?dialog=offer&request=7')
  expect((await dialog('Offer to Fulfill')).getByLabelText('Message')).toBeVisible()
})

test('a visitor who is refused meanwhile signs in and comes back to the offer', async () => {
  const server = new Server().shows([order()])
  server.refuses('POST /api/orders/7/offers', 401, 'Only signed-in sellers can offer on this request')
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Your name'), 'Fern')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.type(form.getByLabelText('Message'), 'Mine')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await dialog('Welcome Back')).toBeTruthy()
})

test('an offer that could not be sent says so and keeps what was typed', async () => {
  const server = new Server().signedIn().shows([order()])
  server.on('POST /api/orders/7/offers', () => 'unreachable')
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Message'), 'Mine')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await form.findByText('Failed to send offer. Please try again.')).toBeVisible()
  expect(form.getByLabelText('Message')).toHaveValue('Mine')
})

function withOffers(...offers: ReturnType<typeof offer>[]) {
  const server = new Server().signedIn([own]).shows([own])
  server.on('GET /api/orders/7/offers', () => ({ json: { offers, total: offers.length } }))
  return server
}

test('the owner sees who offers what, whether the contact is verified, and what to do next', async () => {
  withOffers(offer(), offer({ id: 71, sellerName: 'Tamsin', verified: true, pricePerUnit: 2_000_000 }))
  openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  expect(await list.findByText('2 offers')).toBeVisible()
  const [first, second] = list.getAllByRole('listitem')
  expect(within(first as HTMLElement).getByText('unverified contact')).toBeVisible()
  expect(within(first as HTMLElement).queryByText(/your price is now/)).toBeNull()
  expect(within(second as HTMLElement).getByText('verified')).toBeVisible()
  expect(within(second as HTMLElement).getByText(/your price is now/)).toBeVisible()
  expect(list.getByRole('heading', { name: 'Next Steps' })).toBeVisible()
  expect(list.getByText(/Contact the sellers on Discord/)).toBeVisible()
})

test('without offers it says so', async () => {
  withOffers()
  openPage('/?dialog=offers&request=7')
  expect(await (await dialog('Offers for "Iron Ore"')).findByText('No offers yet')).toBeVisible()
})

test('offers that do not load can be asked for again', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.refuses('GET /api/orders/7/offers', 400, 'no')
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  expect(await list.findByText('Failed to load offers. Please try again.')).toBeVisible()
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [offer()], total: 1 } }))
  await reader.click(list.getByRole('button', { name: 'Try Again' }))
  expect(await list.findByText('Fern')).toBeVisible()
})

test('the quantity to accept stays between 1 and what is left of both', async () => {
  const server = withOffers(offer({ quantityOffered: 450 }))
  server.on('POST /api/offers/70/accept', () => ({
    json: { order: { ...own, version: 4, sold: 101 }, offer: offer({ quantityOffered: 449 }), sale: {} },
  }))
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  const quantity = await list.findByLabelText('Quantity to accept from the offer of Fern')
  expect(quantity).toHaveValue(400)
  await reader.clear(quantity)
  await reader.type(quantity, '401')
  expect(quantity).toHaveValue(400)
  await reader.clear(quantity)
  await reader.tab()
  expect(quantity).toHaveValue(1)
  await reader.click(list.getByRole('button', { name: 'Accept Offer of Fern' }))
  expect(await list.findByText('Accepted 1 from Fern.')).toBeVisible()
  expect(server.calls('POST /api/offers/70/accept')[0]?.body).toEqual({ quantity: 1 })
})

test.each([
  ['accepting', 'POST /api/offers/70/accept', 'Failed to accept offer. Please try again.'],
  ['deleting', 'DELETE /api/offers/70', 'Failed to delete offer. Please try again.'],
])('%s that fails is taken back and says so', async (what, call, sentence) => {
  const server = withOffers(offer())
  server.on(call, () => 'unreachable')
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  if (what === 'accepting') await reader.click(await list.findByRole('button', { name: 'Accept Offer of Fern' }))
  else {
    await reader.click(await list.findByRole('button', { name: 'Delete the offer of Fern' }))
    await reader.click(list.getByRole('button', { name: 'Delete' }))
  }
  expect(await list.findByText(sentence)).toBeVisible()
  expect(list.getByRole('heading', { name: 'Fern' })).toBeVisible()
})

test('an accept that came too late shows the reason of the server', async () => {
  const server = withOffers(offer())
  server.refuses('POST /api/offers/70/accept', 409, 'This request is already closed', {
    current: { ...own, version: 9, status: 'fulfilled', sold: 500, progress: 100, closeReason: 'filled' },
  })
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await list.findByRole('button', { name: 'Accept Offer of Fern' }))
  expect(await list.findByText('This request is already closed')).toBeVisible()
})

const sentList = (...offers: ReturnType<typeof sentOffer>[]) => ({ json: { offers, nextCursor: null } })

test('my offers say what became of each, and an open one can be withdrawn', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/offers', () =>
    sentList(
      sentOffer({ quantityAccepted: 20, quantityLeft: 30, buyerContact: 'rowan' }),
      sentOffer({ id: 71, itemName: 'Tin Ore', state: 'declined', quantityLeft: 0 }),
    ),
  )
  server.on('DELETE /api/offers/70', () => ({ status: 204 }))
  const reader = openPage('/offers')
  const [open, declined] = (await screen.findAllByRole('listitem')) as [HTMLElement, HTMLElement]
  expect(within(open).getByText('Partly accepted')).toBeVisible()
  expect(within(open).getByText('30 still offered')).toBeVisible()
  expect(within(open).getByText('rowan')).toBeVisible()
  expect(within(declined).getByText('Declined')).toBeVisible()
  expect(within(declined).queryByRole('button', { name: /Withdraw/ })).toBeNull()

  server.on('GET /api/me/offers', () => sentList(sentOffer({ state: 'withdrawn', quantityLeft: 0 })))
  await reader.click(within(open).getByRole('button', { name: 'Withdraw your offer on Iron Ore' }))
  expect(await screen.findByText('Withdrawn')).toBeVisible()
  expect(screen.getByText('Your offer on Iron Ore is withdrawn.')).toBeVisible()
  expect(server.calls('DELETE /api/offers/70')[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(screen.queryByRole('button', { name: /Withdraw/ })).toBeNull()
})

test('an offer that could not be withdrawn says so and stays', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/offers', () => sentList(sentOffer()))
  server.on('DELETE /api/offers/70', () => 'unreachable')
  const reader = openPage('/offers')
  await reader.click(await screen.findByRole('button', { name: 'Withdraw your offer on Iron Ore' }))
  expect(await screen.findByText('Failed to delete offer. Please try again.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Withdraw your offer on Iron Ore' })).toBeEnabled()
})
