import { cardOf, expect, find, test, unique } from '../market'

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
  await expect(other).toContainText('Declined 5 from Bramblewick')
  await expect(dialog).toContainText('1 offer')

  await page.keyboard.press('Escape')
  await expect(card).toContainText('14 of 20 left')
  await expect(card).toContainText('6 fulfilled')

  const seller = await market.player('Rowan')
  await seller.goto('/selling/offers')
  const sent = seller.getByRole('main').getByRole('listitem').filter({ hasText: request.itemName }) // toasts are items, too
  await expect(sent).toContainText('Partly accepted')
  await expect(sent).toContainText('6 accepted')
  await expect(sent).toContainText('9 still offered')
  await sent.getByRole('button', { name: /^Withdraw/ }).click()
  await expect(sent).toBeHidden()
  await seller
    .getByRole('navigation', { name: 'My offers' })
    .getByRole('link', { name: /Accepted/ })
    .click()
  await expect(sent).toContainText('Partly accepted, withdrawn')
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
  await expect(dialog).toContainText('That was everything: Request Completed!')
  // The receipt has what the buyer needs next, and stays with both sides.
  const receipt = dialog.getByRole('article', { name: `Receipt: 4 × ${request.itemName}, from Maple` })
  await expect(receipt).toContainText('verified')
  await expect(receipt.getByRole('link', { name: 'Open Maple in Discord' })).toHaveAttribute(
    'href',
    /^https:\/\/discord\.com\/users\/\d+$/,
  )
  await expect(dialog.getByRole('heading', { name: 'Next Steps' })).toBeVisible()
  await expect(dialog).not.toContainText('No offers yet')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(card).toBeHidden()
  await page.goto('/completed')
  const completed = cardOf(page, request)
  await expect(completed).toContainText('Request Completed!')
  await completed.getByRole('button', { name: 'View Receipts' }).click()
  await expect(page.getByRole('dialog').getByRole('article')).toContainText('You buy from Maple')
  await page.goto(`/requests/${request.id}`)
  await expect(page.getByRole('article', { name: /^Receipt: 4/ })).toContainText('I accepted your offer')

  const seller = await market.player('Maple')
  await seller.goto('/selling/offers?show=accepted')
  await expect(seller.getByRole('article', { name: `Receipt: 4 × ${request.itemName}, to Juniper` })).toContainText(
    'you accepted my offer',
  )
  await seller.goto('/inbox')
  await expect(seller.getByRole('listitem').filter({ hasText: request.itemName }).first()).toContainText(
    'from your offer',
  )
})

test('a seller sees what they offered, and changes it', async ({ market }) => {
  const request = await market.request('Juniper')
  const page = await market.player('Tamsin')
  const card = await find(page, request)
  for (const [action, send, quantity, words] of [
    ['Offer to Fulfill', 'Send Offer', '3', "We'll message you when the buyer answers."],
    ['Change my offer', 'Change my offer', '8', 'It replaces your earlier offer.'],
  ] as const) {
    await card.getByRole('button', { name: action }).click()
    const dialog = page.getByRole('dialog', { name: action })
    if (quantity === '8') {
      await expect(dialog).toContainText('You offered 3')
      await expect(dialog.getByLabel('Quantity')).toHaveValue('3')
      await expect(dialog.getByLabel('Message')).toHaveValue('Fresh from the mine')
    }
    await expect(dialog.getByLabel('Discord username')).toHaveValue('oldtamsin')
    await expect(dialog.getByLabel('Discord username')).not.toBeEditable()
    await dialog.getByLabel('Quantity').fill(quantity)
    await dialog.getByLabel('Message').fill('Fresh from the mine')
    await dialog.getByRole('button', { name: send }).click()
    await expect(dialog).toContainText(words)
    await expect(dialog).toBeHidden()
    await expect(card).toContainText(`You offered ${quantity}`)
  }
})

test('a buyer answers the offers on all requests in one place', async ({ market }) => {
  const ore = await market.request('Juniper', { quantity: 20 })
  const coal = await market.request('Juniper', { itemName: unique('Coal'), quantity: 10 })
  await market.offer(ore, 15, 'Rowan')
  await market.offer(ore, 9, 'Maple')
  await market.offer(coal, 4, 'Rowan')
  await market.offer(coal, 2)
  const page = await market.player('Juniper')
  await page.goto('/')
  await page.getByRole('link', { name: /^My Requests/ }).click()
  await page.getByRole('link', { name: /^Offers Received/ }).click()
  const onOre = page.getByRole('region', { name: ore.itemName, exact: true })
  const onCoal = page.getByRole('region', { name: coal.itemName, exact: true })
  await onCoal.getByRole('button', { name: 'More about the offer of Bramblewick' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await onCoal.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(onCoal).not.toContainText('Bramblewick')

  const first = onOre.getByRole('listitem').first()
  await expect(first).toContainText('Rowan') // who offered before Maple
  await expect(first).toContainText('Offered first')
  const before = await first.boundingBox()
  await onOre.getByRole('checkbox', { name: 'Choose the offer of Rowan' }).check()
  await onOre.getByRole('checkbox', { name: 'Choose the offer of Maple' }).check()
  expect(await first.boundingBox()).toEqual(before) // the sentence gave its place to the bar
  await expect(onOre.getByRole('spinbutton', { name: /of Maple$/ })).toHaveValue('5') // what Rowan's 15 of 20 leave
  await onCoal.getByRole('checkbox', { name: 'Choose the offer of Rowan' }).check()
  await page.getByRole('button', { name: 'Accept 3 offers' }).click()
  const outcomes = page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem')
  await expect(outcomes).toHaveCount(3)
  await expect(outcomes.filter({ hasText: coal.itemName })).toContainText('Accepted 4')
  await expect(onOre).toBeHidden() // filled
  await expect(onCoal).toBeHidden()

  const phone = await market.player('Juniper', { viewport: { width: 360, height: 740 } })
  await phone.goto('/')
  await phone.getByRole('link', { name: 'Selling' }).click()
  await phone.getByRole('link', { name: 'My Offers' }).click()
  await expect(phone.getByRole('heading', { name: 'My Offers' })).toBeVisible()
  await phone.getByRole('link', { name: /^Requests/ }).click()
  await phone.getByRole('link', { name: /^Offers Received/ }).click()
  await expect(phone.getByRole('heading', { name: 'Offers Received' })).toBeVisible()
})
