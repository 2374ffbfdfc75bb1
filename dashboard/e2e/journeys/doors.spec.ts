import type { Page } from '@playwright/test'
import { cardOf, discord, expect, test, unique } from '../market'

const soon = { timeout: 3_000 }

/** Somebody's window of the stand-in Discord. */
async function atDiscord(page: Page, username: string, channel: string) {
  await page.goto(`${discord()}/#${username}/${channel}`)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

test('posted in Discord, offered on the web, accepted in Discord: both doors lead into one market', async ({
  market,
}) => {
  const itemName = unique('Moonstone')
  const board = await market.visitor()
  await board.goto('/')
  await expect(board.getByRole('article').first()).toBeVisible()

  // Rowan posts with a command; the open board shows it.
  const rowan = await market.visitor()
  await atDiscord(rowan, 'rowan.ashdown', 'trading-post')
  await rowan.getByRole('textbox', { name: 'Message' }).fill('/request post')
  await rowan.keyboard.press('Enter')
  const command = rowan.getByRole('form', { name: '/request post' })
  await command.getByLabel('item').fill(itemName)
  await command.getByLabel('quantity').fill('12')
  await command.getByLabel('price').fill('1g 500s')
  await command.getByLabel('importance').selectOption('Urgent')
  await command.getByRole('button', { name: 'Send' }).click()
  const preview = rowan.getByRole('listitem').filter({ hasText: itemName }).last()
  await preview.getByRole('button', { name: 'Post', exact: true }).click()
  const card = cardOf(board, { itemName })
  await expect(card).toBeVisible(soon)
  await expect(card).toContainText('URGENT REQUEST')
  await expect(card).toContainText('12 of 12 left')

  // A visitor offers on the web; the owner hears of it by direct message.
  await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
  const dialog = board.getByRole('dialog', { name: 'Offer to Fulfill' })
  await dialog.getByLabel('Your name').fill('Bramble')
  await dialog.getByLabel('Discord username').fill('bramble')
  await dialog.getByLabel('Message').fill('From my own vein')
  await dialog.getByLabel('Quantity').fill('5')
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByText('Your offer is sent')).toBeVisible()
  await atDiscord(rowan, 'rowan.ashdown', 'dm')
  const message = rowan
    .getByRole('listitem')
    .filter({ hasText: `5 × ${itemName}` })
    .last()
  await expect(message).toContainText('From my own vein')
  await expect(message).toContainText('unverified contact')

  // The owner presses the button; the board moves.
  await message.getByRole('button', { name: 'Accept all 5' }).click()
  const accept = rowan.getByRole('dialog').filter({ hasText: itemName })
  if (await accept.isVisible()) await accept.getByRole('button', { name: 'Submit' }).click()
  await expect(card).toContainText('7 of 12 left', soon)
  await expect(card).toContainText('5 fulfilled')
})

test('offered in Discord, accepted on the web: the seller hears of it in Discord', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 9 })
  const juniper = await market.visitor()
  await atDiscord(juniper, 'juniper_fox', 'trading-post')
  await juniper.getByRole('textbox', { name: 'Message' }).fill('/offer send')
  await juniper.keyboard.press('Enter')
  const command = juniper.getByRole('form', { name: '/offer send' })
  await command.getByLabel('request').fill(request.itemName)
  await juniper.getByRole('option', { name: new RegExp(request.itemName) }).click()
  await command.getByLabel('quantity').fill('4')
  await command.getByLabel('message').fill('On the evening tide')
  await command.getByRole('button', { name: 'Send' }).click()

  const maple = await market.player('Maple')
  await maple.goto(`/?q=${encodeURIComponent(request.itemName)}`)
  await maple.getByRole('button', { name: 'View Offers (1)' }).click()
  const dialog = maple.getByRole('dialog')
  await expect(dialog).toContainText('On the evening tide')
  await expect(dialog).toContainText('verified')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('status')).toContainText('Accepted 4')

  await atDiscord(juniper, 'juniper_fox', 'dm')
  await expect(juniper.getByText(`accepted 4 × ${request.itemName}`).last()).toBeVisible()
})
