import { cardOf, expect, find, test } from '../market'

test('an owner reviews offers, takes part of one and deletes another', async ({ market }) => {
  const request = await market.request('Juniper', { quantity: 20 })
  await market.offer(request, 15, 'Rowan')
  await market.offer(request, 5)
  const page = await market.player('Juniper')
  const card = await find(page, request)
  await card.getByRole('button', { name: 'View Offers (2)' }).click()
  const dialog = page.getByRole('dialog', { name: `Offers for "${request.itemName}"` })
  await expect(dialog).toContainText('2 offers')
  await expect(dialog.getByRole('heading', { name: 'Next Steps' })).toBeVisible()

  const verified = dialog.getByRole('listitem').filter({ hasText: 'Rowan' })
  await expect(verified).toContainText('verified')
  const quantity = verified.getByRole('spinbutton')
  await expect(quantity).toHaveValue('15')
  await quantity.fill('99')
  await expect(quantity).toHaveValue('15')
  await quantity.fill('6')
  await verified.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('status')).toContainText('Accepted 6 from Rowan.')
  await expect(verified).toContainText('9 at')
  await expect(dialog).toContainText('14 of 20 left')

  const other = dialog.getByRole('listitem').filter({ hasText: 'Bramblewick' })
  await other.getByRole('button', { name: /^Delete/ }).click()
  await other.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(other).toBeHidden()
  await expect(dialog).toContainText('1 offer')

  await page.keyboard.press('Escape')
  await expect(card).toContainText('14 of 20 left')
  await expect(card).toContainText('6 fulfilled')

  const seller = await market.player('Rowan')
  await seller.goto('/offers')
  const sent = seller.getByRole('listitem').filter({ hasText: request.itemName })
  await expect(sent).toContainText('Partly accepted')
  await expect(sent).toContainText('6 accepted')
  await expect(sent).toContainText('9 still offered')
  await sent.getByRole('button', { name: /^Withdraw/ }).click()
  await expect(sent).toContainText('Withdrawn')
  await expect(dialog).toBeHidden()
})

test('the last items complete the request', async ({ market }) => {
  const request = await market.request('Juniper', { quantity: 4 })
  await market.offer(request, 4, 'Maple')
  const page = await market.player('Juniper')
  const card = await find(page, request)
  await card.getByRole('button', { name: /View Offers/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog).toContainText('That was the last of it: Request Completed!')
  await expect(dialog).toContainText('No offers yet')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(card).toBeHidden()
  await page.goto('/completed')
  await expect(cardOf(page, request)).toContainText('Request Completed!')

  const seller = await market.player('Maple')
  await seller.goto('/inbox')
  await expect(seller.getByRole('listitem').filter({ hasText: request.itemName }).first()).toContainText(
    'of your offer',
  )
})

test('a second offer of the same seller takes the place of the first', async ({ market }) => {
  const request = await market.request('Juniper')
  const page = await market.player('Tamsin')
  const card = await find(page, request)
  for (const [quantity, words] of [
    ['3', 'The buyer is told'],
    ['8', 'It takes the place of your earlier offer.'],
  ] as const) {
    await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
    const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
    await expect(dialog.getByLabel('Discord username')).toHaveValue('oldtamsin')
    await expect(dialog.getByLabel('Discord username')).not.toBeEditable()
    await dialog.getByLabel('Quantity').fill(quantity)
    await dialog.getByLabel('Message').fill('Fresh from the mine')
    await dialog.getByRole('button', { name: 'Send Offer' }).click()
    await expect(dialog).toContainText(words)
    await expect(dialog).toBeHidden()
  }
})
