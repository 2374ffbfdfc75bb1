import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dialog, openPage, stopClock } from '@/test/page'
import { offer, order, receipt, Server, sale, sentOffer, undoOf } from '@/test/server'

const own = order({ userId: 1 })
const notKnown = "We don't know yet whether this was saved. Reload to see, or try again: it counts only once."

test("a visitor's offer defaults to the remaining quantity, at the request's price", async () => {
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
  await reader.type(await form.findByLabelText('Message'), 'I have plenty')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await screen.findByText('Your offer was sent')).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers')[0]?.body).toEqual({
    sellerName: 'Fern',
    sellerContact: 'fern',
    message: 'I have plenty',
    quantityOffered: 400,
    replaces: 0,
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the success message of an offer shows for two seconds, then the dialog closes and resets', async () => {
  const server = new Server().signedIn().shows([order()])
  server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: false } }))
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(await form.findByLabelText('Message'), 'I have plenty')
  const clock = stopClock()
  const sent = () => screen.queryByText('Your offer was sent')
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
  await reader.click(await screen.findByRole('button', { name: /^Offer to Fulfill/ }))
  expect(await (await dialog('Offer to Fulfill')).findByLabelText('Message')).toHaveValue('')
})

test('the quantity of an offer is clamped between 1 and the requested quantity', async () => {
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
  expect(await form.findByLabelText('Discord username')).toHaveValue('maple')
  expect(form.getByLabelText('Discord username')).toHaveAttribute('readonly')
  await reader.type(await form.findByLabelText('Message'), 'More than I thought')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await screen.findByText('It replaces your earlier offer.')).toBeVisible()
})

test('a card shows what the user offered, and its form opens with that', async () => {
  const mine = sentOffer({ quantityOffered: 8, quantityAccepted: 3, quantityLeft: 5, message: 'Tonight at the docks' })
  const server = new Server().signedIn().shows([order()])
  server.on('GET /api/me/offers/open', () => ({ json: { offers: [mine] } }))
  server.on('GET /api/orders/7/my-offer', () => ({ json: { offer: mine } }))
  server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: true } }))
  const reader = openPage()
  expect(await screen.findByText(/You offered/)).toHaveTextContent('You offered 8, 3 accepted')
  await reader.click(screen.getByRole('button', { name: 'Change my offer on Iron Ore' }))
  const form = await dialog('Change my offer')
  expect(await form.findByLabelText('Quantity')).toHaveValue(5)
  expect(form.getByLabelText('Message')).toHaveValue('Tonight at the docks')
  await reader.clear(form.getByLabelText('Quantity'))
  await reader.type(form.getByLabelText('Quantity'), '12')
  await reader.click(form.getByRole('button', { name: 'Change my offer' }))
  expect(await screen.findByText('Your offer was changed')).toBeVisible()
  expect(server.calls('POST /api/orders/7/offers')[0]?.body).toMatchObject({ quantityOffered: 12, replaces: 70 })
})

test('the form tells the whole request', async () => {
  new Server().shows([order({ importance: 'urgent', description: 'For the guild hall.' })])
  openPage('/?dialog=offer&request=7')
  const request = within((await dialog('Offer to Fulfill')).getByRole('region', { name: 'The request' }))
  for (const text of [
    'Iron Ore',
    'Urgent',
    'Miner',
    'Level 30+',
    '400 of 500',
    'rowan.ashdown',
    'Ashdown',
    'For the guild hall.',
  ]) {
    expect(request.getByText(text)).toBeVisible()
  }
})

test("a visitor's name and contact are remembered in this browser until they say Not you?", async () => {
  onTestFinished(() => localStorage.clear())
  const server = new Server().shows([order()])
  server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: false } }))
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Your name'), 'Fern')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.type(form.getByLabelText('Message'), 'I have plenty')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await reader.click(await screen.findByRole('button', { name: /^Offer to Fulfill/ }))
  const again = await dialog('Offer to Fulfill')
  expect(again.getByLabelText('Your name')).toHaveValue('Fern')
  expect(again.getByLabelText('Discord username')).toHaveValue('fern')
  expect(again.getByLabelText('Message')).toHaveValue('I have plenty')
  await reader.click(again.getByRole('button', { name: 'Not you?' }))
  expect(again.getByLabelText('Your name')).toHaveValue('')
  expect(again.getByLabelText('Discord username')).toHaveValue('')
  expect(localStorage.getItem('tradepost.visitor')).toBeNull()
})

test('an offer sent elsewhere is not replaced by a form opened before it', async () => {
  const server = new Server().signedIn().shows([order()])
  server.on('POST /api/orders/7/offers', () => {
    server.on('GET /api/orders/7/my-offer', () => ({ json: { offer: sentOffer({ quantityOffered: 8 }) } }))
    server.on('POST /api/orders/7/offers', () => ({ status: 201, json: { offer: offer(), replaced: true } }))
    const detail = 'You already offered 8 on this request. Change that offer instead.'
    return { status: 409, json: { title: 'Conflict', status: 409, code: 'offered', detail } }
  })
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(await form.findByLabelText('Message'), 'By sunset')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await form.findByText('You already offered 8 on this request. Change that offer instead.')).toBeVisible()
  await reader.click(await form.findByRole('button', { name: 'Change my offer' }))
  expect(await screen.findByText('It replaces your earlier offer.')).toBeVisible()
  const [first, second] = server.calls('POST /api/orders/7/offers')
  expect(first?.body).toMatchObject({ message: 'By sunset', replaces: 0 })
  expect(second?.body).toMatchObject({ message: 'By sunset', replaces: 70 })
})

test('a visitor has to sign in if the buyer accepts signed-in sellers only', async () => {
  new Server().shows([order({ signedInOnly: true })])
  const reader = openPage('/requests/7')
  expect(await screen.findByText('Signed-in sellers only')).toBeVisible()
  await reader.click(screen.getByRole('button', { name: /^Offer to Fulfill/ }))
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

/** Has the head of the page say that the market takes no offers from visitors. */
function withoutVisitorOffers() {
  const meta = document.createElement('meta')
  meta.name = 'visitor-offers'
  meta.content = 'off'
  document.head.append(meta)
  onTestFinished(() => meta.remove())
}

test('a visitor has to sign in if the market accepts no offers from visitors', async () => {
  withoutVisitorOffers()
  new Server().shows([order()])
  const reader = openPage('/?dialog=offer&request=7')
  const asked = await dialog('Offer to Fulfill')
  expect(
    asked.getByText("You need to sign in to send an offer. Sign in with Discord and we'll bring you back here."),
  ).toBeVisible()
  expect(asked.queryByLabelText('Message')).toBeNull()
  await reader.click(asked.getByRole('button', { name: 'Sign In with Discord' }))
  expect(await dialog('Welcome Back')).toBeTruthy()
})

test('a visitor has to sign in while moderators accept signed-in sellers only, and is not asked a moment later', async () => {
  const server = new Server().shows([order()])
  let since: string | null = new Date().toISOString()
  server.on('GET /api/rules', () => ({ json: { signedInOnlySince: since } }))
  const reader = openPage('/?dialog=offer&request=7')
  const asked = await dialog('Offer to Fulfill')
  expect(
    await asked.findByText(
      "This market accepts offers from signed-in sellers only for now. Sign in with Discord and we'll bring you back here.",
    ),
  ).toBeVisible()
  expect(asked.queryByLabelText('Message')).toBeNull()
  expect(asked.getByRole('button', { name: 'Sign In with Discord' })).toHaveFocus()
  await reader.keyboard('{Enter}')
  expect(await dialog('Welcome Back')).toBeTruthy()
  since = null
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(await screen.findByRole('button', { name: /^Offer to Fulfill/ }))
  expect(await (await dialog('Offer to Fulfill')).findByLabelText('Message')).toBeVisible()
})

test('the form is shown when it cannot be read whether visitors can offer', async () => {
  const server = new Server().shows([order()])
  server.on('GET /api/rules', () => 'unreachable')
  openPage('/?dialog=offer&request=7')
  expect(await (await dialog('Offer to Fulfill')).findByLabelText('Message')).toBeVisible()
})

test('a signed-in seller can offer if the market accepts no offers from visitors', async () => {
  withoutVisitorOffers()
  new Server().signedIn().shows([order()])
  openPage('/?dialog=offer&request=7')
  expect(await (await dialog('Offer to Fulfill')).findByLabelText('Message')).toBeVisible()
})

test.each([
  [401, 'Many visitors are sending offers right now. Sign in with Discord to send yours.'],
  [429, 'Too many offers from here. Sign in with Discord, or wait a few minutes.'],
])('a visitor over the limit (%i) is asked to sign in, and the draft stays', async (status, why) => {
  const server = new Server().shows([order()])
  server.fails('POST /api/orders/7/offers', status, why, { code: 'sign-in' })
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Your name'), 'Fern')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.type(await form.findByLabelText('Message'), 'I have plenty')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await dialog('Welcome Back')).toBeTruthy()
  expect(screen.getByText(why)).toBeVisible()
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(screen.getByRole('button', { name: /^Offer to Fulfill/ }))
  expect(await (await dialog('Offer to Fulfill')).findByLabelText('Message')).toHaveValue('I have plenty')
})

test('a signed-in seller can offer if the buyer accepts signed-in sellers only', async () => {
  new Server().signedIn().shows([order({ signedInOnly: true })])
  openPage('/?dialog=offer&request=7')
  expect(await (await dialog('Offer to Fulfill')).findByLabelText('Message')).toBeVisible()
})

test('an offer that returns 401 asks the visitor to sign in', async () => {
  const server = new Server().shows([order()])
  server.fails('POST /api/orders/7/offers', 401, 'Only signed-in sellers can offer on this request')
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(form.getByLabelText('Your name'), 'Fern')
  await reader.type(form.getByLabelText('Discord username'), 'fern')
  await reader.type(await form.findByLabelText('Message'), 'Mine')
  await reader.click(form.getByRole('button', { name: 'Send Offer' }))
  expect(await dialog('Welcome Back')).toBeTruthy()
})

test('a failed offer shows an error and keeps the draft', async () => {
  const server = new Server().signedIn().shows([order()])
  server.on('POST /api/orders/7/offers', () => 'unreachable')
  const reader = openPage('/?dialog=offer&request=7')
  const form = await dialog('Offer to Fulfill')
  await reader.type(await form.findByLabelText('Message'), 'Mine')
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

test('a declined offer stands under the others with an Undo, as long as the server lists it', async () => {
  const server = withOffers(offer({ quantityOffered: 50 }), offer({ id: 71, sellerName: 'Ash' }))
  server.on('DELETE /api/offers/70', () => {
    const declinedAt = new Date().toISOString()
    const undo = undoOf('offer', 70, declinedAt)
    const declined = [{ id: 70, sellerName: 'Fern', quantityOffered: 50, declinedAt, ...undo }]
    server.on('GET /api/orders/7/offers', () => ({ json: { offers: [], total: 0, declined, received: true } }))
    return { status: 204 }
  })
  server.on('POST /api/undo/offer/70', () => {
    server.on('GET /api/orders/7/offers', () => ({
      json: { offers: [offer()], total: 1, declined: [], received: true },
    }))
    return { json: { order: null } }
  })
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await list.findByRole('button', { name: 'Delete the offer of Fern' }))
  await reader.click(list.getByRole('button', { name: 'Delete' }))
  const declined = within(await list.findByRole('list', { name: 'Declined' }))
  expect(declined.getByText(/^Declined 50 from/)).toHaveTextContent('Declined 50 from Fern')
  expect(list.queryByText('No offers yet')).toBeNull()
  await reader.click(declined.getByRole('button', { name: 'Undo declining the offer of Fern' }))
  expect(await list.findByRole('button', { name: 'Accept Offer of Fern' })).toBeVisible()
  expect(list.queryByRole('list', { name: 'Declined' })).toBeNull()
})

test('when every offer was answered, the dialog does not say that there were none', async () => {
  const server = withOffers()
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [], total: 0, declined: [], received: true } }))
  openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  expect(await list.findByText('No offers are open')).toBeVisible()
  expect(list.queryByText('No offers yet')).toBeNull()
})

test('an empty list of offers shows No offers yet', async () => {
  withOffers()
  openPage('/?dialog=offers&request=7')
  expect(await (await dialog('Offers for "Iron Ore"')).findByText('No offers yet')).toBeVisible()
})

test('offers that fail to load can be retried', async () => {
  const server = new Server().signedIn([own]).shows([own])
  server.fails('GET /api/orders/7/offers', 400, 'no')
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  expect(await list.findByText('Failed to load offers. Please try again.')).toBeVisible()
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [offer()], total: 1 } }))
  await reader.click(list.getByRole('button', { name: 'Try Again' }))
  expect(await list.findByText('Fern')).toBeVisible()
})

test('the quantity to accept is clamped between 1 and what is left', async () => {
  const server = withOffers(offer({ quantityOffered: 450 }))
  server.on('POST /api/offers/70/accept', () => ({
    json: {
      order: { ...own, version: 4, sold: 101 },
      offer: offer({ quantityOffered: 449 }),
      sale: sale({ quantitySold: 1 }),
    },
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

test('undoing an accept restores the row as it was', async () => {
  const server = withOffers(offer({ quantityOffered: 40, verified: true }))
  const now = (quantityOffered: number) =>
    server.on('GET /api/orders/7/offers', () => ({ json: { offers: [offer({ quantityOffered })], total: 1 } }))
  const receipts = (all: ReturnType<typeof receipt>[]) =>
    server.on('GET /api/me/receipts', () => ({ json: { receipts: all, nextCursor: null } }))
  server.on('POST /api/offers/70/accept', () => {
    now(10)
    receipts([receipt({ id: 31, quantity: 30, acceptedAt: new Date().toISOString() })])
    return {
      json: {
        order: { ...own, version: 4, sold: 130 },
        offer: offer({ quantityOffered: 10 }),
        sale: sale({ id: 31, quantitySold: 30 }),
      },
    }
  })
  server.on('POST /api/undo/sale/31', () => {
    now(40)
    receipts([])
    return { json: { order: { ...own, version: 5 } } }
  })
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  const quantity = await list.findByLabelText('Quantity to accept from the offer of Fern')
  await reader.clear(quantity)
  await reader.type(quantity, '30')
  await reader.click(list.getByRole('button', { name: 'Accept Offer of Fern' }))
  expect(await list.findByText('Accepted 30 from Fern.')).toBeVisible()
  await reader.click(await list.findByRole('button', { name: /^Undo accepting/ }))
  await waitFor(() => expect(quantity).toHaveValue(40))
  expect(list.queryByText('Accepted 30 from Fern.')).toBeNull()
})

test('an accept that is undone elsewhere is no longer said in an open dialog', async () => {
  const server = withOffers(offer({ quantityOffered: 40, verified: true }))
  const receipts = (all: ReturnType<typeof receipt>[]) =>
    server.on('GET /api/me/receipts', () => ({ json: { receipts: all, nextCursor: null } }))
  const open = (quantityOffered: number) =>
    server.on('GET /api/orders/7/offers', () => ({ json: { offers: [offer({ quantityOffered })], total: 1 } }))
  server.on('POST /api/offers/70/accept', () => {
    open(10)
    receipts([receipt({ id: 31, quantity: 30, acceptedAt: new Date().toISOString() })])
    return {
      json: {
        order: { ...own, version: 4, sold: 130 },
        offer: offer({ quantityOffered: 10 }),
        sale: sale({ id: 31, quantitySold: 30 }),
      },
    }
  })
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  const quantity = await list.findByLabelText('Quantity to accept from the offer of Fern')
  await reader.clear(quantity)
  await reader.type(quantity, '30')
  await reader.click(list.getByRole('button', { name: 'Accept Offer of Fern' }))
  await list.findByRole('button', { name: /^Undo accepting/ })
  expect(list.getByText('Accepted 30 from Fern.')).toBeVisible()
  open(40)
  receipts([])
  server.on('GET /api/orders/7', () => ({ json: { ...own, version: 5 } }))
  act(() => server.sendEvent('change', { orders: [7], mine: true }))
  await waitFor(() => expect(list.queryByText('Accepted 30 from Fern.')).toBeNull())
  await waitFor(() => expect(quantity).toHaveValue(40))
})

test('an empty quantity to accept is refused beside its field', async () => {
  const server = withOffers(offer({ quantityOffered: 50 }))
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  const quantity = await list.findByLabelText('Quantity to accept from the offer of Fern')
  await reader.clear(quantity)
  await reader.keyboard('{Enter}')
  expect(await list.findByText('Choose a quantity from 1 to 50')).toBeVisible()
  expect(quantity).toBeInvalid()
  expect(quantity).toHaveAccessibleDescription('Choose a quantity from 1 to 50')
  expect(server.calls('POST /api/offers/70/accept')).toHaveLength(0)
})

test('the accept that fills a request leaves a receipt in the dialog, and on the completed request', async () => {
  const server = withOffers(offer({ quantityOffered: 400 }))
  const done = { ...own, version: 4, sold: 500, status: 'fulfilled', progress: 100, closeReason: 'filled' } as const
  server.on('POST /api/offers/70/accept', () => {
    server.on('GET /api/me/receipts', () => ({ json: { receipts: [receipt()], nextCursor: null } }))
    server.on('GET /api/orders/7/offers', () => ({ json: { offers: [], total: 0 } }))
    server.on('GET /api/orders/7', () => ({ json: done }))
    return { json: { order: done, offer: null, sale: sale({ quantitySold: 400 }) } }
  })
  const reader = openPage('/requests/7?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await acceptOf(list))
  const shown = within(await list.findByRole('article', { name: 'Receipt: 400 × Iron Ore, from Fern' }))
  expect(shown.getByRole('heading', { name: 'You buy from Fern' })).toBeVisible()
  expect(shown.getByText('1 platinum')).toBeInTheDocument()
  expect(shown.getByText('verified')).toBeVisible()
  expect(shown.getByRole('link', { name: 'Open Fern in Discord' })).toHaveAttribute(
    'href',
    'https://discord.com/users/80351110224678912',
  )
  await reader.click(shown.getByRole('button', { name: 'Copy Message' }))
  expect(await navigator.clipboard.readText()).toBe(
    'Hi Fern, I accepted your offer: 400 × Iron Ore at 2g 500s each, 1p in total. When and where shall we meet?',
  )
  expect(list.getByText('1 accepted')).toBeVisible()
  expect(list.queryByText('No offers yet')).toBeNull()
  expect(list.getByRole('heading', { name: 'Next Steps' })).toBeVisible()
  expect(server.calls('GET /api/me/receipts').at(-1)?.query.getAll('request')).toEqual(['7'])

  await reader.keyboard('{Escape}')
  expect(await screen.findByRole('article', { name: 'Receipt: 400 × Iron Ore, from Fern' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^View Receipts/ })).toBeNull() // they are below
})

test('a receipt of a visitor marks the contact, and leads to no profile', async () => {
  const visitor = { name: 'Fern', contact: '@fern', verified: false, discordUrl: null }
  const server = withOffers()
  server.on('GET /api/me/receipts', () => ({
    json: { receipts: [receipt({ with: visitor, ign: 'Maple of the Mill' })], nextCursor: null },
  }))
  openPage('/?dialog=offers&request=7')
  const shown = within(await (await dialog('Offers for "Iron Ore"')).findByRole('article'))
  expect(shown.getByText('unverified contact')).toBeVisible()
  expect(shown.queryByRole('link')).toBeNull()
  expect(shown.getByText(/I'm Maple of the Mill in game\./)).toBeVisible()
})

test.each([
  ['accepting', 'POST /api/offers/70/accept', 500, 'Failed to accept offer. Please try again.'],
  ['accepting', 'POST /api/offers/70/accept', 'unreachable', notKnown],
  ['accepting', 'POST /api/offers/70/accept', 503, notKnown],
  ['deleting', 'DELETE /api/offers/70', 'unreachable', 'Failed to delete offer. Please try again.'],
] as const)('%s that fails is rolled back and shows an error: %s returns %s', async (what, call, failure, sentence) => {
  const server = withOffers(offer())
  server.on(call, () =>
    failure === 'unreachable' ? failure : { status: failure, json: { title: 'No', status: failure } },
  )
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

test('while the server does not know whether an offer is deleted, deleting again sends the same write', async () => {
  const server = withOffers(offer())
  let unknown = 3
  server.on('DELETE /api/offers/70', () =>
    unknown-- > 0
      ? { status: 503, json: { status: 503, detail: 'Not known yet', code: 'commit_unknown' } }
      : { status: 204 },
  )
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await list.findByRole('button', { name: 'Delete the offer of Fern' }))
  await reader.click(list.getByRole('button', { name: 'Delete' }))
  expect(await list.findByText(notKnown)).toBeVisible()
  await reader.click(list.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('You declined the offer of Fern.')).toBeVisible()
  const calls = server.calls('DELETE /api/offers/70')
  expect(calls).toHaveLength(4)
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
})

/** An accept whose answer is lost so many times; the server has done it the first time. */
function losesAccepts(server: Server, times: number) {
  let lost = 0
  server.on('POST /api/offers/70/accept', () => {
    if (lost++ < times) return 'unreachable'
    const done = { ...own, version: 4, sold: 105 }
    return { json: { order: done, offer: offer({ quantityOffered: 395 }), sale: sale({ quantitySold: 5 }) } }
  })
}

const acceptOf = (list: Awaited<ReturnType<typeof dialog>>) =>
  list.findByRole('button', { name: 'Accept Offer of Fern' })

test('a lost accept response is retried with the same key', async () => {
  const server = withOffers(offer())
  losesAccepts(server, 1)
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await acceptOf(list))
  expect(await list.findByText('Accepted 5 from Fern.')).toBeVisible()
  const [first, second] = server.calls('POST /api/offers/70/accept')
  expect(first?.key).toBeTruthy()
  expect(second).toEqual(first)
})

test('while the outcome of an accept is unknown, accepting again resends it', async () => {
  const server = withOffers(offer())
  losesAccepts(server, 3)
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  const quantity = await list.findByLabelText('Quantity to accept from the offer of Fern')
  await reader.clear(quantity)
  await reader.type(quantity, '5')
  await reader.click(await acceptOf(list))
  expect(await list.findByText(notKnown)).toBeVisible()
  await reader.clear(quantity)
  await reader.type(quantity, '7')
  await reader.click(await acceptOf(list))
  expect(await list.findByText('Accepted 5 from Fern.')).toBeVisible()
  const calls = server.calls('POST /api/offers/70/accept')
  expect(calls.map(({ body }) => body)).toEqual(Array(4).fill({ quantity: 5 }))
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
  await reader.click(await acceptOf(list)) // the next one is another
  await waitFor(() => expect(server.calls('POST /api/offers/70/accept')).toHaveLength(5))
  expect(server.calls('POST /api/offers/70/accept')[4]?.key).not.toBe(calls[0]?.key)
})

test("an accept that is too late shows the server's message", async () => {
  const server = withOffers(offer())
  server.fails('POST /api/offers/70/accept', 409, 'This request is already closed', {
    current: { ...own, version: 9, status: 'fulfilled', sold: 500, progress: 100, closeReason: 'filled' },
  })
  const reader = openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  await reader.click(await list.findByRole('button', { name: 'Accept Offer of Fern' }))
  expect(await list.findByText('This request is already closed')).toBeVisible()
})

const sentList = (...offers: ReturnType<typeof sentOffer>[]) => ({ json: { offers, nextCursor: null } })

test('My Offers shows the state of each offer, and an open one can be withdrawn', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/offers', () =>
    sentList(
      sentOffer({ quantityAccepted: 20, quantityLeft: 30, buyerContact: 'rowan' }),
      sentOffer({ id: 71, itemName: 'Tin Ore', state: 'declined', quantityLeft: 0 }),
    ),
  )
  server.on('DELETE /api/offers/70', () => ({ status: 204 }))
  const reader = openPage('/selling/offers')
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

test('My Offers shows until when an offer stands, and when it lapsed', async () => {
  const server = new Server().signedIn([])
  const goodUntil = '2026-05-03T20:00:00Z'
  server.on('GET /api/me/offers', () =>
    sentList(
      sentOffer({ goodUntil }),
      sentOffer({ id: 71, state: 'lapsed', quantityLeft: 0, goodUntil }),
      sentOffer({ id: 72, state: 'declined', quantityLeft: 0, goodUntil }),
    ),
  )
  openPage('/selling/offers')
  expect(await screen.findByText(/^good until/)).toHaveAttribute('datetime', goodUntil)
  expect(screen.getByText(/^was good until/)).toBeVisible()
  expect(screen.getAllByText(/good until/)).toHaveLength(2)
})

test('My Offers shows the receipts of accepted offers', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/offers', () =>
    sentList(sentOffer({ quantityAccepted: 20, quantityLeft: 30, buyerContact: 'rowan' }), sentOffer({ id: 71 })),
  )
  const buyer = { name: 'Rowan', contact: 'rowan', verified: true, discordUrl: 'https://discord.com/users/8' }
  server.on('GET /api/me/receipts', () => ({
    json: { receipts: [receipt({ side: 'seller', with: buyer, quantity: 20, ign: 'Rowan of Ash' })], nextCursor: null },
  }))
  openPage('/selling/offers')
  const shown = within(await screen.findByRole('article', { name: 'Receipt: 20 × Iron Ore, to Rowan' }))
  expect(shown.getByRole('heading', { name: 'You sell to Rowan' })).toBeVisible()
  expect(shown.getByText('Rowan of Ash')).toBeVisible()
  expect(shown.getByText(/^Hi Rowan, you accepted my offer: 20 × Iron Ore/)).toBeVisible()
  expect(server.calls('GET /api/me/receipts').map(({ query }) => query.getAll('offer'))).toEqual([['70']])
})

test('a failed withdrawal shows an error and keeps the offer', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/offers', () => sentList(sentOffer()))
  server.on('DELETE /api/offers/70', () => 'unreachable')
  const reader = openPage('/selling/offers')
  await reader.click(await screen.findByRole('button', { name: 'Withdraw your offer on Iron Ore' }))
  expect(await screen.findByText('Failed to delete offer. Please try again.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Withdraw your offer on Iron Ore' })).toBeEnabled()
})

test('the offers on a request say why they stand where they do', async () => {
  const server = new Server().signedIn([own]).shows([own])
  const best = { ...offer({ id: 70 }), why: ['met', 'all'], met: 2 }
  const other = { ...offer({ id: 71, sellerName: 'Ash' }), why: [], met: 0 }
  server.on('GET /api/orders/7/offers', () => ({
    json: { offers: [best, other], total: 2, declined: [], received: true },
  }))
  openPage('/?dialog=offers&request=7')
  const list = await dialog('Offers for "Iron Ore"')
  const rows = list.getAllByRole('listitem')
  expect(within(rows[0] as HTMLElement).getByText('You met 2 times · Brings all of it')).toBeVisible()
  expect(within(rows[1] as HTMLElement).queryByText(/You met/)).toBeNull()
  expect(within(rows[1] as HTMLElement).getByRole('button', { name: 'Accept Offer of Ash' })).toHaveTextContent(
    'Accept Offer',
  )
  expect(within(rows[1] as HTMLElement).getByRole('button', { name: 'Delete the offer of Ash' })).toHaveTextContent(
    'Delete',
  )
})
