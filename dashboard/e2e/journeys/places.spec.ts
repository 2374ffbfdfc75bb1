import type { Page } from '@playwright/test'
import { expect, test } from '../market'

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The places by name, each with its address. */
const places = {
  visitor: { Browse: '/', Items: '/items' },
  trader: {
    'Browse Requests': '/',
    'My Requests': '/mine',
    Completed: '/completed',
    Selling: '/selling',
    Trades: '/trades',
    Items: '/items',
  },
  'trader on a phone': { Browse: '/', Requests: '/mine', Selling: '/selling', Trades: '/trades' },
}

/** Goes to each place, which is then the only one that is marked. */
async function walk(page: Page, by: Record<string, string>) {
  await page.goto('/')
  await expect(page.getByRole('banner')).toBeVisible() // the page itself
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link')).toHaveCount(Object.keys(by).length)
  for (const [name, address] of Object.entries(by)) {
    await main.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(address)
    await expect(main.locator('[aria-current=page]')).toHaveText(new RegExp(`^\\d*${name}`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
}

/** Where the first card begins. Read at once: another journey may post in the meantime, and then the first is the second. */
const firstCard = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => Math.min(...cards.map((card) => card.getBoundingClientRect().top)))

for (const [device, options, most] of [
  ['desktop', desktop, 200],
  ['phone', phone, 240],
] as const) {
  test(`a visitor has Browse and Items, and the first card near the top: ${device}`, async ({ market }) => {
    const page = await market.visitor(options)
    await walk(page, places.visitor)
    await page.goto('/')
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page.getByText('Buyers post what they need; you offer. No account needed.')).toBeVisible()
    expect(await firstCard(page)).toBeLessThanOrEqual(most)
    for (const side of ['sale', 'both']) {
      await page.goto(`/?side=${side}`)
      await expect(page.getByRole('article').getByText('Sells').first()).toBeVisible()
      expect(await firstCard(page), side).toBeLessThanOrEqual(most)
    }
    await page.goto('/')
    await expect(page.getByRole('switch', { name: 'For me' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Saved searches' })).toBeHidden()
  })
}

test('a trader has six places with their counts, and a line of what waits', async ({ market }) => {
  const request = await market.request('Juniper')
  await market.offer(request, 5, 'Rowan')
  const page = await market.player('Juniper', desktop)
  await walk(page, places.trader)
  await page.goto('/')
  const me = await (await page.request.get('/api/me')).json()
  await expect(page.getByRole('link', { name: `My Requests ${me.counts.active}` })).toBeVisible()
  await expect(page.getByText('juniper@example.com')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign Out' })).toHaveCount(1)
  await page
    .getByRole('region', { name: 'What waits for you' })
    .getByRole('link', { name: /Answer$/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Offers Received' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^My Requests/ })).toHaveAttribute('aria-current', 'page')
})

test('a trader has the places in the bottom bar of a phone, and the inbox in the header', async ({ market }) => {
  const page = await market.player('Juniper', phone)
  await walk(page, places['trader on a phone'])
  await page.goto('/')
  const waiting = page.getByRole('region', { name: 'What waits for you' })
  expect((await waiting.getByRole('link').first().boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await firstCard(page)).toBeLessThanOrEqual(240)
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Inbox/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
})

test('a moderator has Moderation in the account menu', async ({ market }) => {
  const page = await market.player('Tamsin', desktop)
  await page.goto('/')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: /^Moderation/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Moderation' })).toBeVisible()
})

test('old addresses lead on, with their query', async ({ market }) => {
  const page = await market.player('Rowan', desktop)
  for (const [from, to] of [
    ['/offers?show=accepted', '/selling/offers?show=accepted'],
    ['/offers/received', '/mine/offers'],
    ['/stock', '/selling/stock'],
    ['/wanted', '/items/wanted'],
    ['/watches', '/selling/saved'],
    ['/?dialog=watches', '/selling/saved'],
  ] as const) {
    await page.goto(from)
    await expect(page).toHaveURL((url) => url.href.includes(to))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})
