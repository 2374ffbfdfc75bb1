import type { Page } from '@playwright/test'
import { expect, find, test, unique } from '../market'

test.use({ motion: true })

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, name: RegExp | string, role: 'button' | 'link' | 'textbox' | 'menuitem' = 'button') {
  const wanted = page.getByRole(role, { name }).first()
  for (let i = 0; i < 80; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${role} ${name}`)
}

test('a request is posted by keyboard alone', async ({ market }) => {
  const itemName = unique('Keystone')
  const page = await market.player('Maple')
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the board' })).toBeFocused()
  await tabTo(page, /^Post Request$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Item name')).toBeFocused()
  await page.keyboard.type(itemName)
  await page.keyboard.press('Tab')
  await page.keyboard.type('3')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2g')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your request is on the board')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Post Request$/ })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Commands' })).toBeFocused()
  await page.keyboard.type('my req')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/mine$/)
  await expect(page.getByRole('article', { name: itemName })).toBeVisible()
})

test('a menu and its dialog are reached and left by keyboard, and the focus returns', async ({ market }) => {
  const request = await market.request('Rowan', { quantity: 8 })
  const page = await market.player('Rowan')
  await find(page, request)
  await tabTo(page, /Actions for your request/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit Request' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete Request' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog', { name: 'Delete Order' })).toBeVisible()
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=alertdialog]') !== null)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /Actions for your request/ })).toBeFocused()
})

test('an offer is sent by keyboard alone', async ({ market }) => {
  const request = await market.request('Rowan', { quantity: 8 })
  const page = await market.visitor()
  await find(page, request)
  await tabTo(page, 'Offer to Fulfill')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Your name')).toBeFocused()
  await page.keyboard.type('Bramble')
  await page.keyboard.press('Tab')
  await page.keyboard.type('bramble')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  await page.keyboard.type('By keyboard')
  await tabTo(page, 'Send Offer')
  await page.keyboard.press('Space')
  await expect(dialog.getByText('Your offer was sent')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy Link' })).toBeFocused()
  await tabTo(page, 'Done')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: /^Change my offer/ })).toBeFocused()
})
