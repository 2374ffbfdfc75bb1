import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { choose, dialog, openPage, stopClock, withFeatures } from '@/test/page'
import { order, Server } from '@/test/server'
import { blankOrder } from './orderForm'

async function fillIn(reader: ReturnType<typeof openPage>, form: Awaited<ReturnType<typeof dialog>>) {
  await reader.type(form.getByLabelText('Item name'), 'Tin Ore')
  await reader.type(form.getByLabelText('Quantity'), '200')
  await reader.type(form.getByLabelText('Max price per unit'), '15s')
}

test('every field of a request is in the form', async () => {
  const off = withFeatures('tokens')
  new Server().signedIn()
  openPage('/?dialog=post')
  await dialog('Post New Request')
  for (const name of Object.keys(blankOrder)) {
    expect(document.querySelector(`[role=dialog] [name=${name}]`), name).toBeInTheDocument()
  }
  off()
})

test('a buyer refuses offers by programs, where there are any', async () => {
  const server = new Server().signedIn().on('POST /api/orders', posted)
  const reader = openPage('/?dialog=post')
  let form = await dialog('Post New Request')
  expect(form.queryByText('No offers by programs')).toBeNull()
  cleanup()
  const off = withFeatures('tokens')
  openPage('/?dialog=post')
  form = await dialog('Post New Request')
  await fillIn(reader, form)
  await reader.click(form.getByRole('button', { name: /More about the request/ }))
  await reader.click(form.getByRole('switch', { name: 'No offers by programs' }))
  await reader.click(form.getByRole('button', { name: /More about the request.*no offers by programs/ }))
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await screen.findByText('Your request is on the board')
  expect(server.calls('POST /api/orders')[0]?.body).toMatchObject({ noPrograms: true })
  off()
})

test('a request takes offers as they come from its post on, and says what it bought', async () => {
  const bought = { status: 201, json: order({ id: 9, userId: 1, itemName: 'Tin Ore', sold: 120 }) }
  const server = new Server().signedIn().on('POST /api/orders', () => bought)
  const reader = openPage('/?dialog=post')
  let form = await dialog('Post New Request')
  expect(form.queryByLabelText('Take offers up to this price as they come')).toBeNull()
  cleanup()
  const off = withFeatures('crossing')
  openPage('/?dialog=post')
  form = await dialog('Post New Request')
  await fillIn(reader, form)
  const fold = form.getByRole('button', { name: /^More about the request/ })
  expect(fold).not.toHaveTextContent('as they come')
  await reader.click(fold)
  await choose(reader, form.getByLabelText('Take offers up to this price as they come'), 'Anybody')
  expect(form.getByText(/buys at once from listings that sell without asking/)).toBeVisible()
  await reader.click(fold)
  expect(fold).toHaveTextContent('Take offers up to this price as they come: Anybody')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await screen.findByText('It bought 120 at once. Your trades show with whom you meet.')).toBeVisible()
  expect(server.calls('POST /api/orders')[0]?.body).toMatchObject({ standing: 'anybody' })
  off()
})

test('all errors are shown together, each beside its field, and nothing is sent', async () => {
  const server = new Server().signedIn()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.clear(form.getByLabelText('Discord username'))
  await reader.type(form.getByLabelText(/Level requirement/), '501')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  for (const [label, sentence] of [
    ['Item name', 'Item name is required'],
    ['Quantity', 'Quantity must be greater than 0'],
    ['Max price per unit', 'Max price must be greater than 0'],
    ['Discord username', 'Discord username is required'],
    [/Level requirement/, 'Level requirement must be between 1 and 500'],
  ] as const) {
    expect(await form.findByText(sentence)).toBeVisible()
    expect(form.getByLabelText(label)).toBeInvalid()
    expect(form.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(sentence))
  }
  expect(server.calls('POST /api/orders')).toHaveLength(0)
})

test('the parsed price is shown while it is typed', async () => {
  new Server().signedIn()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  const price = form.getByLabelText('Max price per unit')
  await reader.type(price, '1p 500g')
  expect(price).toHaveAccessibleDescription(expect.stringContaining('1 platinum 500 gold'))
  await reader.clear(price)
  await reader.type(price, '500')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await form.findByText('Invalid format. Use: 1p 500g 250s 100c')).toBeVisible()
})

test("a new request is posted with the form's values and defaults", async () => {
  const server = new Server().signedIn()
  server.on('POST /api/orders', () => ({ status: 201, json: order({ id: 9, userId: 1, itemName: 'Tin Ore' }) }))
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Category')).toHaveTextContent('Merchant')
  expect(form.getByLabelText('Importance')).toHaveTextContent('Medium')
  expect(form.getByLabelText('Discord username')).toHaveValue('maple')
  await fillIn(reader, form)
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(form.getByRole('button', { name: 'Posting...' })).toBeDisabled()
  expect(await screen.findByText('Your request is on the board')).toBeVisible()
  const [sent] = server.calls('POST /api/orders')
  expect(sent?.body).toMatchObject({
    itemName: 'Tin Ore',
    quantity: 200,
    maxPricePerUnit: 15_000,
    buyerContact: 'maple',
    category: 'Merchant',
    importance: 'medium',
    signedInOnly: false,
    levelRequirement: null,
  })
  expect(sent?.key).toMatch(/^[0-9a-f-]{36}$/)
})

/** Fills in the form and sends it with the clock stopped. */
async function sendWithStoppedClock() {
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  const clock = stopClock()
  fireEvent.click(form.getByRole('button', { name: 'Post Request' }))
  return clock
}

const posting = () => screen.queryByRole('button', { name: 'Posting...' })
const success = () => screen.queryByText('Your request is on the board')
const posted = () => ({ status: 201, json: order({ id: 9, userId: 1, itemName: 'Tin Ore' }) })

test("'Posting...' is shown for at least a second, and success for two", async () => {
  const server = new Server().signedIn().on('POST /api/orders', posted)
  const clock = await sendWithStoppedClock()
  await clock.until(() => server.calls('POST /api/orders').length === 1) // it was sent without waiting for the second
  await clock.pass(999)
  expect(posting()).toBeDisabled()
  expect(success()).toBeNull()
  await clock.pass(1)
  await clock.until(() => success() !== null)
  await clock.pass(1999)
  expect(success()).toBeVisible()
  expect(location.search).toContain('dialog=post')
  await clock.pass(1)
  expect(location.search).toBe('')
})

test("'Posting...' adds no delay to a slower response", async () => {
  let answer = () => {}
  const server = new Server().signedIn()
  server.on('POST /api/orders', () => new Promise((resolve) => (answer = () => resolve(posted()))))
  const clock = await sendWithStoppedClock()
  await clock.until(() => server.calls('POST /api/orders').length === 1)
  await clock.pass(1500)
  expect(posting()).toBeDisabled()
  answer()
  await clock.until(() => success() !== null) // and no time has passed
})

test('posting while signed out opens sign-in and keeps the draft', async () => {
  const server = new Server().signedIn()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  server.fails('POST /api/orders', 401, 'Sign in with Discord first')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  const signIn = await dialog('Welcome Back')
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, assign })
  await reader.click(signIn.getByRole('button', { name: 'Continue with Discord' }))
  expect(signIn.getByRole('button', { name: 'Connecting...' })).toBeDisabled()
  expect(assign).toHaveBeenCalledWith(`/auth/discord?return=${encodeURIComponent('/?dialog=post')}`)
  cleanup()
  vi.unstubAllGlobals()

  new Server().signedIn()
  openPage('/?dialog=post')
  expect((await dialog('Post New Request')).getByLabelText('Item name')).toHaveValue('Tin Ore')
})

test("the server's messages are shown beside their fields", async () => {
  const server = new Server().signedIn()
  server.fails('POST /api/orders', 422, 'Item name is required', {
    errors: { itemName: 'Item name must be 100 characters or fewer' },
  })
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await form.findByText('Item name must be 100 characters or fewer')).toBeVisible()
  expect(form.getByLabelText('Item name')).toBeInvalid()
})

test("an error without a field shows the server's message", async () => {
  const server = new Server().signedIn()
  server.fails('POST /api/orders', 422, 'Your post contains suspicious content. Please revise.')
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await form.findByText('Your post contains suspicious content. Please revise.')).toBeVisible()
})

test('a duplicate request links to the open one', async () => {
  const server = new Server().signedIn().shows([order({ userId: 1 })])
  const sentence = 'You already have this request open: Tin Ore (number 7). Change something, or use that one.'
  server.fails('POST /api/orders', 409, sentence, { code: 'duplicate', order: 7 })
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await form.findByText(sentence)).toBeVisible()
  await reader.click(form.getByRole('link', { name: 'Show that request' }))
  await waitFor(() => expect(location.pathname + location.search).toBe('/requests/7'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
})

test('a failure keeps the draft, and the retry has the same idempotency key', async () => {
  const server = new Server().signedIn()
  server.on('POST /api/orders', () => 'unreachable')
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  expect(await form.findByText('Failed to create order. Please try again.')).toBeVisible()
  expect(form.getByLabelText('Item name')).toHaveValue('Tin Ore')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await waitFor(() => expect(server.calls('POST /api/orders')).toHaveLength(6)) // each press is repeated twice
  expect(new Set(server.calls('POST /api/orders').map(({ key }) => key)).size).toBe(1)
})

test('the draft survives closing the dialog', async () => {
  new Server().signedIn()
  const reader = openPage('/')
  await reader.click(await screen.findByRole('button', { name: 'Post Request' }))
  await reader.type((await dialog('Post New Request')).getByLabelText('Item name'), 'Half a na')
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(screen.getByRole('button', { name: 'Post Request' }))
  expect((await dialog('Post New Request')).getByLabelText('Item name')).toHaveValue('Half a na')
})

test('item names are suggested while typing', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/items', ({ query }) => ({
    json: { items: query.get('q') === 'iro' ? ['Iron Ore', 'Iron Bar'] : [] },
  }))
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  const name = form.getByLabelText('Item name')
  await reader.type(name, 'iro')
  const list = await form.findByRole('listbox', { name: 'Items' })
  expect(
    within(list)
      .getAllByRole('option')
      .map((option) => option.textContent?.replace(/ From.*/, '')),
  ).toEqual(['Iron Ore', 'Iron Bar', 'Use “iro” as a new name'])
})

test('a dialog that is opened again while it closes starts over', async () => {
  const server = new Server().signedIn()
  server.on('POST /api/orders', () => ({ status: 201, json: order({ userId: 1 }) }))
  const reader = openPage('/')
  const opener = await screen.findByRole('button', { name: 'Post Request' })
  await reader.click(opener)
  const form = await dialog('Post New Request')
  await fillIn(reader, form)
  await choose(reader, form.getByLabelText('Category'), 'Miner')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await form.findByText('Your request is on the board')
  const closing = screen.getByRole('dialog')
  fireEvent.click(form.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(closing).toHaveAttribute('data-state', 'closed'), { interval: 5 }) // its animation goes on
  fireEvent.click(opener)
  expect(await (await dialog('Post New Request')).findByLabelText('Item name')).toHaveValue('')
})

test('the next post opens with the last in-game name, and under the default category', async () => {
  const server = new Server().signedIn()
  server.on('POST /api/orders', () => ({ status: 201, json: order({ userId: 1 }) }))
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), 'Iron Ore')
  await reader.type(form.getByLabelText('Quantity'), '5')
  await reader.type(form.getByLabelText('Max price per unit'), '1g')
  await choose(reader, form.getByLabelText('Category'), 'Miner')
  await reader.type(form.getByLabelText(/In-game name/), 'Ashdown')
  await reader.click(form.getByRole('button', { name: 'Post Request' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.click(screen.getByRole('button', { name: 'Post Request' }))
  const next = await dialog('Post New Request')
  expect(next.getByLabelText('Item name')).toHaveValue('')
  expect(next.getByLabelText('Category')).toHaveTextContent('Merchant')
  expect(next.getByLabelText(/In-game name/)).toHaveValue('Ashdown')
})
