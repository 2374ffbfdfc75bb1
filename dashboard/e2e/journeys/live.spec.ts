import { cardOf, expect, find, soon, test, unique } from '../market'

test.use({ motion: true })

test('two open boards show the same changes', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  const watching = await market.visitor()
  const card = await find(watching, request)
  await expect(card).toContainText('10 of 10 left')

  await market.sale('Maple', request, 4)
  await expect(card).toContainText('6 of 10 left', soon)

  await market.close('Maple', request)
  await expect(card).toBeHidden(soon)
})

test("typing is not disturbed by other users' actions", async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  const page = await market.visitor()
  const card = await find(page, request)
  await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
  const message = page.getByRole('dialog').getByLabel('Message')
  await message.fill('I am still typ')

  await market.sale('Maple', request, 4)
  await expect(page.getByRole('dialog')).toContainText('6 of 10 left', soon)
  await expect(message).toBeFocused()
  await expect(message).toHaveValue('I am still typ')
})

test('a new request slides in at the top, and waits behind a button further down', async ({ market }) => {
  const page = await market.visitor()
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  const first = await market.request('Rowan', { itemName: unique('Morning Dew') })
  await expect(cardOf(page, first)).toBeVisible(soon)

  await page.mouse.wheel(0, 2500)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  const second = await market.request('Rowan', { itemName: unique('Evening Dew') })
  const pill = page.getByRole('button', { name: /^\d+ new$/ })
  await expect(pill).toBeVisible()
  await expect(cardOf(page, second)).toHaveCount(0)
  await pill.click()
  await expect(cardOf(page, second)).toBeInViewport()
  await expect(pill).toBeHidden()
})

test('a lost connection is shown and recovers', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  const page = await market.visitor()
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/events'))
  const card = await find(page, request)
  await stream // a stream that opens after the connection is lost would say that the page is live
  await page.context().setOffline(true)
  await expect(page.getByText('Offline: the board may be out of date. Reconnecting...')).toBeVisible()

  await market.sale('Maple', request, 4)
  await page.context().setOffline(false)
  await Promise.all([
    expect(card).toContainText('6 of 10 left'),
    expect(page.getByText('Back online. The board is up to date.')).toBeVisible(), // goes away by itself
  ])
})

test('an owner sees an offer arrive', async ({ market }) => {
  const request = await market.request('Tamsin')
  const page = await market.player('Tamsin')
  const card = await find(page, request)
  await expect(card.getByRole('button', { name: 'View Offers (0)' })).toBeVisible()
  await market.offer(request, 3)
  await expect(card.getByRole('button', { name: 'View Offers (1)' })).toBeVisible(soon)
  await expect(page.getByRole('link', { name: /Inbox, \d+ unread/ })).toBeVisible()
})
