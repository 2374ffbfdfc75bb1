import { devices } from '@playwright/test'
import { cardOf, expect, find, test, unique } from '../market'

const phone = { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } }

test('a seller with stock offers by one press on a phone, and takes it back', async ({ market }) => {
  const itemName = unique('Copper Rivet')
  await market.stock('Juniper', itemName, 15)
  const request = await market.request('Rowan', { itemName })
  const page = await market.player('Juniper', phone)
  const card = await find(page, request)
  const press = card.getByRole('button', { name: `Offer 15 ${itemName}` })
  const form = card.getByRole('button', { name: 'Offer to Fulfill' })
  await expect(card.getByRole('spinbutton')).toHaveValue('15')
  await expect(form).toBeVisible()
  const [one, other] = [await press.boundingBox(), await form.boundingBox()]
  const apart = one && other && (one.x + one.width <= other.x || one.y + one.height <= other.y)
  expect(apart, `${JSON.stringify(one)} and ${JSON.stringify(other)}`).toBe(true)

  await press.click()
  await expect(card).toContainText('You offered 15')
  await expect(card.getByRole('button', { name: /^Undo: withdraw/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(press).toBeFocused()
  await expect(card).not.toContainText('You offered 15')

  await page.goto(`/?view=list&q=${encodeURIComponent(itemName)}`)
  const row = page.locator('[data-row]').filter({ hasText: itemName })
  await row.getByRole('button', { name: `Offer 15 ${itemName}` }).click()
  await expect(row.getByRole('button', { name: /^Undo: withdraw/ })).toBeVisible()

  const buyer = await market.player('Rowan')
  await find(buyer, request)
  await cardOf(buyer, request)
    .getByRole('button', { name: /View Offers \(1\)|View the offers/ })
    .click()
  await expect(buyer.getByRole('dialog')).toContainText('15 at')
})
