import type { Locator } from '@playwright/test'
import { choose, expect, find, test } from '../market'

test.use({ motion: true })

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not shown')
  return { top: box.y, bottom: box.y + box.height }
}

test('the bottom bar leads everywhere, and covers no content, message or button', async ({ market }) => {
  const request = await market.request('Maple')
  const page = await market.player('Maple', phone)
  const bar = page.getByRole('navigation', { name: 'Main' })
  for (const [link, heading] of [
    [/^Requests/, 'My Requests'],
    [/^Selling/, 'For me'],
    [/^Trades/, 'My Trades'],
    [/^Browse/, 'All Requests'],
  ] as const) {
    if (page.url() === 'about:blank') await page.goto('/')
    await bar.getByRole('link', { name: link }).tap()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }

  const card = await find(page, request)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  expect((await boxOf(page.getByRole('main').locator('> *'))).bottom).toBeLessThan((await boxOf(bar)).top)

  await choose(page, card, 'Copy Link')
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Dismiss' })
  await message.waitFor()
  await expect.poll(async () => (await boxOf(message)).bottom).toBeLessThan((await boxOf(bar)).top)

  await bar.getByRole('button', { name: 'Post Request' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Post New Request' })
  await dialog.getByRole('button', { name: 'Post Request' }).click({ trial: true }) // nothing lies over it
  await page.keyboard.press('Escape')
  await expect(bar.getByRole('button', { name: 'Post Request' })).toBeFocused()
})

test('the account menu is in reach on a phone, and its dialog returns the focus', async ({ market }) => {
  const page = await market.player('Maple', phone)
  await page.goto('/')
  const account = page.getByRole('button', { name: /^Account of Maple/ })
  await account.tap()
  const items = page.getByRole('menuitem')
  await expect(items).toHaveText([/Commands/, 'Notice Settings', 'Your Data', 'Sign Out'])
  // As it is laid out: while a menu opens, it is drawn smaller for a moment.
  const heights = await items.evaluateAll((rows: HTMLElement[]) => rows.map((row) => row.offsetHeight))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  await items.getByText('Your Data').tap()
  await page
    .getByRole('dialog', { name: 'Your Data' })
    .getByRole('button', { name: 'Close', exact: true })
    .first()
    .tap()
  await expect(account).toBeFocused()
})
