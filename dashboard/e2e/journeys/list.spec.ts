import type { Page } from '@playwright/test'
import { cardOf, expect, pick, test, unique } from '../market'

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** How many elements can be seen whole above what is covered, and how tall the tallest is. */
const whole = (page: Page, selector: string, covered = 0) =>
  page.evaluate(
    ([selector, covered]) => {
      const boxes = [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
      const seen = boxes.filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight - covered)
      return { seen: seen.length, tallest: Math.max(...seen.map(({ height }) => height)) }
    },
    [selector, covered] as const,
  )

const oneLine = 'Half tonight, the rest any time this week.'

test('a screen shows nine cards or fifteen rows, a phone two cards or seven rows', async ({ market }) => {
  // The newest ones, of every kind: with a longer name, of others and one's own.
  for (let i = 0; i < 9; i++) {
    const request = await market.request(i % 2 ? 'Rowan' : 'Maple', {
      ...(i === 4 ? { itemName: unique('Gilded Halberd') } : {}),
      importance: (['urgent', 'high', 'medium'] as const)[i % 3],
      maxPricePerUnit: 64_500,
      quantity: 320,
      description: oneLine,
      ign: 'Rowan of Ash',
      levelRequirement: 208,
    })
    if (i === 7) await market.offer(request, 5, 'Juniper')
  }
  for (const [who, few] of [
    [() => market.visitor(desktop), 'a visitor'],
    [() => market.player('Rowan', desktop), 'a trader, under two rows of places and what waits'],
  ] as const) {
    const page = await who()
    await page.goto('/?view=cards')
    await expect(page.getByRole('article').nth(8)).toBeVisible()
    if (few !== 'a visitor') await expect(page.getByRole('region', { name: 'What waits for you' })).toBeVisible()
    await expect.poll(async () => (await whole(page, 'article[data-order]')).seen, few).toBeGreaterThanOrEqual(9)
    await expect(page.getByLabel('Sort')).toBeVisible()

    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expect(page).toHaveURL(/view=list/)
    await expect(page.getByRole('row').nth(15)).toBeVisible()
    expect((await whole(page, '[data-row]')).seen, few).toBeGreaterThanOrEqual(15)
    await expect(page.getByLabel('Sort')).toBeVisible()
  }

  const full = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  for (const who of [() => market.visitor(full), () => market.player('Juniper', full)]) {
    const page = await who()
    await page.goto('/?view=cards')
    const bar = page.getByRole('navigation', { name: 'Main' }) // over the cards
    await expect(bar).toBeVisible()
    await expect(page.getByRole('article').nth(1)).toBeVisible()
    const covered = (await bar.boundingBox())?.height ?? 0
    await expect.poll(async () => (await whole(page, 'article[data-order]', covered)).seen).toBeGreaterThanOrEqual(2)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('article :is(button.h-11, a.h-11, input)')]
        .map((target) => target.getBoundingClientRect().height)
        .filter((height) => height < 44),
    )
    expect(small).toEqual([])
    // The order is a press away, and says which it is.
    await pick(page.getByLabel('Sort'), 'Ending soon')
    await expect(page).toHaveURL(/sort=ending/)
    await expect(page.getByLabel('Sort')).toHaveText('Ending soon')
  }

  const small = await market.visitor(phone)
  await small.goto('/?view=list')
  await expect(small.getByRole('listitem').nth(7)).toBeAttached()
  expect((await whole(small, '[data-row]')).seen).toBeGreaterThanOrEqual(7)

  const user = await market.player('Rowan', phone)
  await user.goto('/?view=list')
  const bar = user.getByRole('navigation', { name: 'Main' }) // over the list
  await expect(bar).toBeVisible()
  await expect(user.getByRole('listitem').nth(7)).toBeAttached()
  expect((await whole(user, '[data-row]', (await bar.boundingBox())?.height)).seen).toBeGreaterThanOrEqual(6) // the todos take a line
})

test('beside an open request the list can still be sorted by ending soon', async ({ market }) => {
  const page = await market.visitor({ viewport: { width: 1300, height: 900 } })
  await page.goto('/?view=list')
  await expect(page.getByRole('banner')).toBeVisible()
  const panel = page.locator('aside[aria-labelledby=panel-title]')
  const ends = page.getByRole('columnheader', { name: 'Ends' })
  await expect(ends).toBeVisible()
  await page.getByRole('table').getByRole('link').first().click()
  await expect(panel).toBeVisible()
  await expect(ends).toBeHidden()
  await pick(page.getByLabel('Sort'), 'Ending soon')
  await expect(page).toHaveURL(/sort=ending/)
  await expect(panel).toBeVisible()
})

test('calculating on a card moves nothing', async ({ market }) => {
  const page = await market.visitor(desktop)
  await page.route(/\/api\/events/, () => {}) // what others post in the meantime does move the board
  await page.goto('/')
  await expect(page.getByRole('article').nth(8)).toBeVisible()
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('article')].slice(0, 9).map((card) => {
        const { x, y, width, height } = card.getBoundingClientRect()
        return [x, y, width, height]
      }),
    )
  const before = await places()
  await page.getByRole('spinbutton').nth(1).fill('7')
  await expect(page.getByRole('status').filter({ hasText: 'pays' })).toBeVisible()
  expect(await places()).toEqual(before)
})

test('a seller walks the list by keyboard and offers, and never loses the focus', async ({ market }) => {
  const request = await market.request('Rowan', { quantity: 8, description: 'By the keyboard' })
  const page = await market.visitor(desktop)
  await page.goto(`/?view=list&q=${encodeURIComponent(request.itemName)}`)
  const link = page.getByRole('table').getByRole('link', { name: request.itemName })
  await expect(link).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign In with Discord' })).toBeVisible() // who reads is known
  await page.keyboard.press('j')
  await expect(link).toBeFocused()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: request.itemName })
  await expect(panel).toContainText('By the keyboard')
  await expect(panel.getByRole('heading')).toBeFocused()
  await page.keyboard.press('o')
  const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
  await expect(dialog.getByLabel('Your name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(link).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Next request')
  await page.keyboard.press('Escape')
  await expect(link).toBeFocused()

  await page.reload()
  await expect(link).toBeVisible()
  await page.getByRole('button', { name: 'Cards' }).click()
  await expect(cardOf(page, request)).toBeVisible()
})

test('the list shows what changes, loads more and comes back to where it was', async ({ market }) => {
  const page = await market.visitor(desktop)
  const { total } = await (await page.request.get('/api/orders')).json()
  for (let n = total; n <= 62; n++) await market.request('Rowan', { itemName: `Pebble ${n}` })
  const request = await market.request('Rowan', { quantity: 10 })
  await page.goto('/?view=list')
  const row = page.getByRole('row').filter({ hasText: request.itemName })
  await expect(row).toContainText('10 of 10')
  await market.sale('Rowan', request, 4)
  await expect(row).toContainText('6 of 10')

  const table = page.getByRole('table')
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight)) // a turned wheel would go on behind this
    expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(61)
  }).toPass()
  await page.setViewportSize({ width: 900, height: 900 }) // a request opens as a page
  await page.evaluate(() => scrollTo(0, 1200))
  const inSight = table.getByRole('link').nth(20)
  await expect(inSight).toBeInViewport()
  const address = (await inSight.getAttribute('href')) ?? ''
  // By key: a pointer on the name of an item leads to the item.
  await table.locator(`a[href="${address}"]`).press('Enter')
  await page.waitForURL(`**${address}`)
  await page.goBack()
  await expect(table.locator(`a[href="${address}"]`)).toBeInViewport()
})

test('requests of one item are one row, which opens to them and follows them', async ({ market }) => {
  const itemName = unique('Amber')
  const first = await market.request('Rowan', { itemName, quantity: 300, maxPricePerUnit: 25_000 })
  await market.request('Juniper', { itemName: itemName.toUpperCase(), quantity: 940, maxPricePerUnit: 20_000 })
  const page = await market.visitor(desktop)
  await page.goto(`/?view=list&q=${encodeURIComponent(itemName)}`)
  const head = page.getByRole('row').filter({ hasText: '2 requests' })
  await expect(head).toContainText('1,240 wanted')
  await expect(head).toContainText('best25 silver')
  await expect(page.getByText('Showing 2 active requests')).toBeVisible()
  await head.getByRole('button').click()
  await expect(page.getByRole('table').getByRole('link')).toHaveText([itemName.toUpperCase(), itemName])
  await market.sale('Rowan', first, 100)
  await expect(head).toContainText('1,140 wanted')
  await expect(page.getByRole('row').filter({ hasText: '200 of 300' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('table').getByRole('link')).toHaveCount(0)
  await expect(head.getByRole('button')).toBeFocused()

  const small = await market.visitor(phone)
  await small.goto(`/?view=list&q=${encodeURIComponent(itemName)}`)
  await small.getByRole('button', { name: /2 requests/ }).click()
  await expect(small.getByRole('list', { name: 'Requests' }).getByRole('link')).toHaveCount(2)
})
