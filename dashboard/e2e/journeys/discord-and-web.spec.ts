import { cardOf, expect, soon, test, unique } from '../market'
import { atDiscord, messageWith, slash } from '../standin'

test('posted in Discord, offered on the web, accepted in Discord: both adapters share one market', async ({
  market,
}) => {
  const itemName = unique('Moonstone')
  const board = await market.visitor()
  await board.goto('/')
  await expect(board.getByRole('article').first()).toBeVisible()

  // A buyer posts with a command; the open board shows it.
  const member = await market.addMember('Fern')
  const buyer = await market.visitor()
  await atDiscord(buyer, member.username, 'trading-post')
  await slash(buyer, 'request post', {
    item: itemName,
    quantity: '12',
    price: '1g 500s',
    importance: { pick: 'Urgent' },
  })
  const preview = messageWith(buyer, itemName)
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
  await expect(dialog.getByText('Your offer was sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await atDiscord(buyer, member.username, 'dm')
  const message = messageWith(buyer, `5 × ${itemName}`)
  await expect(message).toContainText('From my own vein')
  await expect(message).toContainText('unverified contact')

  // The owner presses the button; the board moves.
  await message.getByRole('button', { name: 'Accept all 5' }).click()
  const accept = buyer.getByRole('dialog').filter({ hasText: itemName })
  if (await accept.isVisible()) await accept.getByRole('button', { name: 'Submit' }).click()
  await expect(card).toContainText('7 of 12 left', soon)
  await expect(card).toContainText('5 fulfilled')
})

test('offered in Discord, accepted on the web: the seller is notified in Discord', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 9 })
  const juniper = await market.visitor()
  await atDiscord(juniper, 'juniper_fox', 'trading-post')
  await slash(juniper, 'offer send', {
    request: { pick: request.itemName },
    quantity: '4',
    message: 'On the evening tide',
  })

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
