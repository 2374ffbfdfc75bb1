import { cardOf, expect, find, pick, test } from '../market'

test('a visitor browses, filters and searches, and the address keeps it', async ({ market }) => {
  const request = await market.request('Maple', { category: 'Detective', itemName: `Odd Clue ${Date.now()}` })
  const page = await market.visitor()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'All Requests' })).toBeVisible()
  await expect(page.getByText(/^Showing [\d,]+ active requests$/)).toBeVisible()
  await expect(page.getByRole('link', { name: /^My Requests/ })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Sign up to post requests' })).toBeVisible()

  await page.getByRole('button', { name: /^Detective \d+$/ }).click()
  await expect(page).toHaveURL(/category=Detective/)
  await expect(page.getByRole('heading', { name: 'Detective Requests' })).toBeVisible()
  await expect(page.getByRole('article').first()).toContainText('Detective')
  await expect(page.getByRole('article').filter({ hasNotText: 'Detective' })).toHaveCount(0)

  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search requests' })).toBeFocused()
  await page.keyboard.type(request.itemName)
  await expect(page.getByText('Showing 1 active request', { exact: true })).toBeVisible()
  await expect(cardOf(page, request)).toBeVisible()

  await page.reload()
  await expect(cardOf(page, request)).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search requests' })).toHaveValue(request.itemName)

  await page.goBack()
  await expect(page).not.toHaveURL(/category=/)
  await expect(page.getByRole('heading', { name: 'All Requests' })).toBeVisible()
})

test('a visitor sorts and filters by importance, level and price', async ({ market }) => {
  const name = `Star Iron ${Date.now()}`
  const rich = await market.request('Maple', {
    itemName: `${name} rich`,
    maxPricePerUnit: 900_000_000,
    importance: 'high',
  })
  const poor = await market.request('Maple', {
    itemName: `${name} poor`,
    maxPricePerUnit: 5_000,
    levelRequirement: 300,
  })
  const page = await market.visitor()
  await page.goto(`/?q=${encodeURIComponent(name)}`)

  await pick(page.getByLabel('Sort'), 'Best unit price')
  await expect(page).toHaveURL(/sort=price/)
  await expect(page.getByRole('article').first()).toContainText('rich')

  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = page.getByRole('complementary', { name: 'Filters' })
  await panel.getByLabel('My level').fill('100')
  await expect(cardOf(page, poor)).toBeHidden()
  await expect(cardOf(page, rich)).toBeVisible()
  await panel.getByLabel('My level').fill('')

  await panel.getByLabel('Minimum unit price').fill('1g')
  await expect(cardOf(page, poor)).toBeHidden()
  await page.getByRole('button', { name: 'Remove filter: at least 1g' }).click()
  await expect(cardOf(page, poor)).toBeVisible()

  await panel.getByLabel('High').check()
  await expect(cardOf(page, poor)).toBeHidden()
  await expect(cardOf(page, rich)).toContainText('HIGH PRIORITY REQUEST: Buyer needs this item soon')
})

test('a visitor calculates the earnings of a request and offers', async ({ market }) => {
  const request = await market.request('Rowan', { quantity: 12, maxPricePerUnit: 2_500_000 })
  const page = await market.visitor()
  const card = await find(page, request)

  const field = card.getByRole('spinbutton', { name: /^Earnings calculator/ })
  await expect(card).toContainText('12 of 12 left')
  await field.fill('5')
  await expect(card.getByRole('status')).toContainText('12 gold 500 silver')
  await field.fill('99')
  await expect(field).toHaveValue('12')

  await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByText('Your name is required')).toBeVisible()
  await expect(dialog.getByText('Discord username is required')).toBeVisible()
  await expect(dialog.getByText('Message is required')).toBeVisible()

  await dialog.getByLabel('Your name').fill('Bramble')
  await dialog.getByLabel('Discord username').fill('bramble')
  await dialog.getByLabel('Message').fill('Tonight at the harbour')
  await dialog.getByLabel('Quantity').fill('4')
  await expect(dialog.getByText('10 gold')).toBeAttached()
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByText('Your offer was sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()

  const owner = await market.player('Rowan')
  await find(owner, request)
  await cardOf(owner, request).getByRole('button', { name: 'View Offers (1)' }).click()
  await expect(owner.getByRole('dialog')).toContainText('unverified contact')
})

test('a visitor follows and withdraws an offer by its private link, in another browser', async ({ market }) => {
  const request = await market.request('Rowan', { quantity: 12 })
  const page = await market.visitor()
  await (await find(page, request)).getByRole('button', { name: 'Offer to Fulfill' }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
  await dialog.getByLabel('Your name').fill('Bramble')
  await dialog.getByLabel('Discord username').fill('bramble')
  await dialog.getByLabel('Message').fill('Tonight at the harbour')
  await dialog.getByLabel('Quantity').fill('4')
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByRole('button', { name: 'Copy Link' })).toBeFocused()
  const link = await dialog.getByRole('link').getAttribute('href')
  expect(link).toContain('/offer/')

  const elsewhere = await market.visitor()
  const answer = await elsewhere.goto(link ?? '')
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(elsewhere.getByRole('heading', { name: `Your offer on ${request.itemName}` })).toBeVisible()
  await expect(elsewhere.getByText('The buyer has not answered yet.', { exact: false })).toBeVisible()
  await expect(elsewhere.getByText('Tonight at the harbour')).toBeVisible()

  const owner = await market.player('Rowan')
  await (await find(owner, request)).getByRole('button', { name: 'View Offers (1)' }).click()
  const offers = owner.getByRole('dialog')
  await offers.getByRole('spinbutton').fill('1')
  await offers.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(offers.getByRole('listitem')).toContainText('3 at')
  await elsewhere.reload()
  await expect(elsewhere.getByRole('article', { name: `Receipt: 1 × ${request.itemName}, to Rowan` })).toBeVisible()

  await elsewhere.getByRole('button', { name: 'Withdraw' }).click()
  await elsewhere.getByRole('alertdialog').getByRole('button', { name: 'Withdraw Offer' }).click()
  await expect(elsewhere.getByText('The buyer accepted 1 of 4. You withdrew the rest.')).toBeVisible()
  await expect(elsewhere.getByRole('button', { name: 'Withdraw' })).toBeHidden()
  await owner.goto(`/requests/${request.id}?dialog=offers&request=${request.id}`)
  await expect(owner.getByRole('dialog').getByRole('article', { name: /^Receipt: 1/ })).toBeVisible()
  await expect(owner.getByRole('dialog').getByRole('button', { name: 'Accept Offer' })).toBeHidden()

  await elsewhere.goto(`${link}x`)
  await expect(elsewhere.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('a visitor on a phone filters in a sheet, and back discards the changes', async ({ market }) => {
  const page = await market.visitor({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.goto('/')
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Sort and filter' })
  await sheet.getByLabel('Urgent').check()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page).not.toHaveURL(/importance/)

  await page.getByRole('button', { name: 'Filters' }).click()
  await sheet.getByLabel('Urgent').check()
  await sheet.getByRole('button', { name: /^Show \d+ requests?$/ }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/importance=urgent/)
  await expect(page.getByRole('article').filter({ hasNotText: 'URGENT REQUEST' })).toHaveCount(0)
})

test('Post Request invites a visitor to join, in both modes', async ({ market }) => {
  const page = await market.visitor()
  await page.goto('/')
  await page.getByRole('button', { name: 'Post Request', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Join the Community' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome Back' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a request has an address of its own', async ({ market }) => {
  const request = await market.request('Maple')
  const page = await market.visitor()
  const card = await find(page, request)
  await card.getByRole('link', { name: request.itemName }).click()
  await expect(page).toHaveURL(`/requests/${request.id}`)
  await expect(page.getByRole('heading', { level: 1, name: request.itemName })).toBeVisible()
  await page.goBack()
  await expect(cardOf(page, request)).toBeVisible()

  await page.goto('/requests/999999999')
  await expect(page.getByText('Request not found')).toBeVisible()
})

test('the board loads more as a visitor scrolls', async ({ market }) => {
  const page = await market.visitor()
  const { total } = await (await page.request.get('/api/orders')).json()
  for (let n = total; n <= 60; n++) await market.request('Rowan', { itemName: `Pebble ${n}` })
  await page.goto('/')
  const places = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
  await expect(places).toHaveCount(60)
  await page.mouse.move(640, 450)
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    expect(await places.count()).toBeGreaterThan(60)
  }).toPass()
})

test("numbers and dates are written as the visitor's browser writes them", async ({ market }) => {
  const request = await market.request('Rowan', { quantity: 12_000 })
  for (const [locale, left, date] of [
    ['en-US', '12,000 of 12,000 left', /^[A-Z][a-z]+ \d+, \d{4}/],
    ['en-GB', '12,000 of 12,000 left', /^\d+ [A-Z][a-z]+ \d{4}/],
    ['de-DE', 'noch 12.000 von 12.000', /^\d+\.\d+\.\d{4}/],
  ] as const) {
    const page = await market.visitor({ locale })
    const card = await find(page, request)
    await expect(card).toContainText(left)
    await expect(card.locator('time').first()).toHaveAttribute('title', date)
  }
})

test('on a phone the chosen profession is in sight', async ({ market }) => {
  const page = await market.visitor({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.goto('/?category=Stonemason')
  await expect(page.getByRole('button', { name: /^Stonemason/, pressed: true })).toBeInViewport({ ratio: 1 })
})

test('returning to the board restores the scroll position', async ({ market }) => {
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 360, height: 740 },
  ]) {
    const page = await market.visitor({ viewport })
    await page.route(/\/api\/events/, () => {}) // what others post in the meantime does move the board
    await page.goto('/')
    const cards = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
    const item = cards.nth(30).getByRole('heading').getByRole('link')
    await cards.nth(30).scrollIntoViewIfNeeded()
    await expect(item).toBeVisible()
    const name = (await item.textContent()) ?? '' // innerText is empty where nothing is painted yet
    await item.click()
    await expect(page).toHaveURL(/\/(requests|items)\/\d+/)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.goBack()
    await expect(item).toHaveText(name)
    await expect(item).toBeInViewport()
    await page.context().close()
  }
})
