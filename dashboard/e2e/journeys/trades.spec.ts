// One trade from the post to the last sale: on the page, in Discord, and alternating between both.
import { cardOf, expect, find, type Market, type Member, test, unique } from '../market'
import { atDiscord, messageWith, slash, submitForm } from '../standin'

async function postOnThePage(market: Market, buyer: Member, itemName: string, quantity: number) {
  const page = await market.player(buyer)
  await page.goto('/?dialog=post')
  const post = page.getByRole('dialog', { name: 'Post New Request' })
  await post.getByLabel('Item name').fill(itemName)
  await post.getByLabel('Quantity').fill(String(quantity))
  await post.getByLabel('Max price per unit').fill('2g')
  await post.getByRole('button', { name: 'Post Request' }).click()
  await expect(post).toBeHidden()
  return page
}

test('a trade from the post to the last sale on the page alone', async ({ market }) => {
  const itemName = unique('Silverleaf')
  const [buyer, seller] = [await market.addMember('Fern'), await market.addMember('Oakley')]
  const buyerPage = await postOnThePage(market, buyer, itemName, 9)

  const sellerPage = await market.player(seller)
  await (await find(sellerPage, { itemName })).getByRole('button', { name: 'Offer to Fulfill' }).click()
  const offer = sellerPage.getByRole('dialog', { name: 'Offer to Fulfill' })
  await offer.getByLabel('Message').fill('Picked this morning')
  await offer.getByLabel('Quantity').fill('6')
  await offer.getByRole('button', { name: 'Send Offer' }).click()
  await expect(offer).toBeHidden()

  await buyerPage.goto('/inbox')
  await expect(buyerPage.getByRole('listitem').filter({ hasText: itemName }).first()).toContainText(
    'Picked this morning',
  )
  const card = await find(buyerPage, { itemName })
  await card.getByRole('button', { name: 'View Offers (1)' }).click()
  await buyerPage.getByRole('dialog').getByRole('button', { name: 'Accept Offer' }).click()
  await expect(buyerPage.getByRole('dialog').getByRole('status')).toContainText(`Accepted 6 from ${seller.name}.`)
  await buyerPage.keyboard.press('Escape')
  await expect(card).toContainText('3 of 9 left')

  await sellerPage.goto('/selling/offers?show=accepted')
  await expect(sellerPage.getByRole('listitem').filter({ hasText: itemName })).toContainText('Accepted')

  await card.getByRole('button', { name: 'Update Sales' }).click()
  const sales = buyerPage.getByRole('dialog', { name: 'Update Request Sales' })
  await sales.getByLabel('Quantity sold').fill('3')
  await sales.getByRole('button', { name: 'Update Sales' }).click()
  await expect(sales).toContainText('Request Completed!')
  await expect(sales).toBeHidden()
  await buyerPage.goto('/completed')
  await expect(cardOf(buyerPage, { itemName })).toContainText('9 fulfilled')
})

test('a trade from the post to the last sale in Discord alone', async ({ market }) => {
  const itemName = unique('Duskberry')
  const [buyer, seller] = [await market.addMember('Fern'), await market.addMember('Oakley')]
  const buyerPage = await market.visitor()
  await atDiscord(buyerPage, buyer.username, 'trading-post')
  await slash(buyerPage, 'request post', { item: itemName, quantity: '9', price: '2g' })
  await messageWith(buyerPage, itemName).getByRole('button', { name: 'Post', exact: true }).click()
  await expect(messageWith(buyerPage, itemName)).toContainText('Your request is posted')

  const sellerPage = await market.visitor()
  await atDiscord(sellerPage, seller.username, 'trading-post')
  await slash(sellerPage, 'offer send', { request: { pick: itemName }, quantity: '6', message: 'Picked this morning' })
  await expect(messageWith(sellerPage, `6 × ${itemName}`)).toBeVisible()

  await atDiscord(buyerPage, buyer.username, 'dm')
  const notice = messageWith(buyerPage, `6 × ${itemName}`)
  await expect(notice).toContainText('Picked this morning')
  await submitForm(buyerPage, notice.getByRole('button', { name: 'Accept part…' }), { Quantity: '4' })
  await expect(messageWith(buyerPage, itemName)).toContainText(`Accepted 4 × ${itemName}`)
  // Both have the receipt in a private thread below the channel in which the request was posted.
  await sellerPage.getByRole('button', { name: `4 × ${itemName}` }).click()
  await expect(messageWith(sellerPage, `4 × ${itemName}`).getByRole('button', { name: 'We met' })).toBeVisible()

  await atDiscord(buyerPage, buyer.username, 'trading-post')
  await slash(buyerPage, 'sales log', { request: { pick: itemName }, quantity: '5' })
  await expect(messageWith(buyerPage, itemName)).toContainText('that was the last')
  await atDiscord(buyerPage, buyer.username, 'dm')
  await expect(messageWith(buyerPage, `${itemName}`)).toContainText('is filled')
})

test('a trade that alternates between the page and Discord', async ({ market }) => {
  const itemName = unique('Emberroot')
  const [buyer, seller] = [await market.addMember('Fern'), await market.addMember('Oakley')]
  const buyerPage = await postOnThePage(market, buyer, itemName, 12)

  // Offered in Discord.
  const sellerPage = await market.visitor()
  await atDiscord(sellerPage, seller.username, 'trading-post')
  await slash(sellerPage, 'offer send', { request: { pick: itemName }, quantity: '5', message: 'On the evening tide' })
  await expect(messageWith(sellerPage, `5 × ${itemName}`)).toBeVisible()

  // Accepted in part on the page, which heard of it by itself.
  const card = cardOf(buyerPage, { itemName })
  await card.getByRole('button', { name: 'View Offers (1)' }).click()
  const offers = buyerPage.getByRole('dialog')
  await offers.getByRole('spinbutton').fill('2')
  await offers.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(offers.getByRole('status')).toContainText(`Accepted 2 from ${seller.name}.`)
  await buyerPage.keyboard.press('Escape')

  // The rest is accepted in Discord, where the earlier message was drawn again; the open page updates.
  const buyerInDiscord = await market.visitor()
  await atDiscord(buyerInDiscord, buyer.username, 'dm')
  const notice = messageWith(buyerInDiscord, itemName)
  await expect(notice).toContainText('On the evening tide')
  await notice.getByRole('button', { name: 'Accept all 3' }).click()
  await expect(card).toContainText('7 of 12 left')

  // A second offer comes from the page, and its seller hears in Discord that it was taken.
  const juniper = await market.player('Juniper')
  await (await find(juniper, { itemName })).getByRole('button', { name: 'Offer to Fulfill' }).click()
  const offer = juniper.getByRole('dialog', { name: 'Offer to Fulfill' })
  await offer.getByLabel('Message').fill('From the south garden')
  await offer.getByLabel('Quantity').fill('3')
  await offer.getByRole('button', { name: 'Send Offer' }).click()
  await expect(offer).toBeHidden()
  const second = messageWith(buyerInDiscord, `3 × ${itemName}`)
  await expect(second).toContainText('From the south garden')
  await second.getByRole('button', { name: 'Accept all 3' }).click()
  await expect(card).toContainText('4 of 12 left')
  await juniper.goto('/selling/offers?show=accepted')
  await expect(juniper.getByRole('listitem').filter({ hasText: itemName })).toContainText('Accepted')

  // A sale is logged on the page, the last one in Discord.
  await card.getByRole('button', { name: 'Update Sales' }).click()
  const sales = buyerPage.getByRole('dialog', { name: 'Update Request Sales' })
  await sales.getByLabel('Quantity sold').fill('3')
  await sales.getByRole('button', { name: 'Update Sales' }).click()
  await expect(sales).toBeHidden()
  await expect(card).toContainText('1 of 12 left')
  await atDiscord(buyerInDiscord, buyer.username, 'trading-post')
  await slash(buyerInDiscord, 'sales log', { request: { pick: itemName }, quantity: '1' })
  await expect(messageWith(buyerInDiscord, itemName)).toContainText('that was the last')
  await expect(card).toBeHidden()
  await buyerPage.goto('/completed')
  await expect(cardOf(buyerPage, { itemName })).toContainText('12 fulfilled')
})
