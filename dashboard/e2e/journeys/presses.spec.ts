// How many presses, and how many typed fields, what people come to do takes from the board on. It prints them as a table.
import type { Locator, Page } from '@playwright/test'
import { expect, find, test, unique } from '../market'

/** A hand that counts what it presses, and the fields that it types into. */
class Hand {
  presses = 0
  fields = 0

  async press(target: Locator) {
    await target.click()
    this.presses++
  }

  async type(field: Locator, text: string) {
    await field.fill(text)
    this.fields++
  }
}

const rows: string[] = []

test.afterAll(() => {
  console.log(['presses from the board (fields typed)', ...rows].join('\n'))
})

async function counted(what: string, most: { presses: number; fields: number }, walk: (hand: Hand) => Promise<void>) {
  await test.step(what, async () => {
    const hand = new Hand()
    await walk(hand)
    rows.push(`  ${what.padEnd(48)} ${hand.presses} (+${hand.fields}), at most ${most.presses} (+${most.fields})`)
    expect(hand.presses, what).toBeLessThanOrEqual(most.presses)
    expect(hand.fields, what).toBeLessThanOrEqual(most.fields)
  })
}

const sent = (page: Page) => expect(page.getByText('Your offer was sent')).toBeVisible()

for (const [device, options] of [
  ['on a desktop', { viewport: { width: 1440, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const) {
  test(`selling takes few presses ${device}`, async ({ market }) => {
    const request = await market.request('Rowan', { itemName: unique('Brass Nail') })
    const seller = await market.player(await market.addMember('Seller'), options)
    const card = await find(seller, request)
    await counted(`offer, signed in, ${device}`, { presses: 2, fields: 1 }, async (hand) => {
      await hand.press(card.getByRole('button', { name: 'Offer to Fulfill' }))
      await hand.type(seller.getByRole('dialog').getByLabel('Message'), 'This evening')
      await hand.press(seller.getByRole('button', { name: 'Send Offer' }))
      await sent(seller)
    })

    const stocked = await market.request('Rowan', { itemName: unique('Brass Rivet') })
    await seller.goto('/')
    await counted(`add to stock, ${device}`, { presses: 2, fields: 1 }, async (hand) => {
      await hand.press(seller.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Selling/ }))
      await hand.type(seller.getByRole('textbox', { name: 'Add what you have' }), `${stocked.itemName} 15 1g`)
      await hand.press(seller.getByRole('button', { name: 'Add', exact: true }))
      await expect(seller.getByText(`Added to your stock: 15 × ${stocked.itemName}`)).toBeVisible()
    })
    const has = await find(seller, stocked)
    await counted(`offer what is in stock, ${device}`, { presses: 1, fields: 0 }, async (hand) => {
      await hand.press(has.getByRole('button', { name: `Offer 15 ${stocked.itemName}` }))
      await expect(has).toContainText('You offered 15')
    })
    await seller.goto('/?category=Miner')
    await counted(`save a search with its bell, ${device}`, { presses: 1, fields: 0 }, async (hand) => {
      await hand.press(seller.getByRole('button', { name: 'Save search' }))
      await expect(seller.getByText("Saved. We'll message you about new requests that fit.")).toBeVisible()
    })

    const visitor = await market.visitor(options)
    const first = await find(visitor, request)
    await counted(`offer, a visitor, ${device}`, { presses: 2, fields: 3 }, async (hand) => {
      await hand.press(first.getByRole('button', { name: 'Offer to Fulfill' }))
      const form = visitor.getByRole('dialog')
      await hand.type(form.getByLabel('Your name'), 'Bramble')
      await hand.type(form.getByLabel('Discord username'), 'bramble')
      await hand.type(form.getByLabel('Message'), 'I have plenty')
      await hand.press(form.getByRole('button', { name: 'Send Offer' }))
      await sent(visitor)
    })
    const again = await find(visitor, stocked)
    await counted(`offer, a visitor again, ${device}`, { presses: 2, fields: 0 }, async (hand) => {
      await hand.press(again.getByRole('button', { name: 'Offer to Fulfill' }))
      await hand.press(visitor.getByRole('dialog').getByRole('button', { name: 'Send Offer' }))
      await sent(visitor)
    })
  })

  test(`buying takes few presses ${device}`, async ({ market }) => {
    const buyer = await market.player(await market.addMember('Buyer'), options)
    await buyer.goto('/')
    await counted(`post, with the item's profession, ${device}`, { presses: 2, fields: 3 }, async (hand) => {
      await hand.press(buyer.getByRole('button', { name: /Post Request/ }))
      const form = buyer.getByRole('dialog', { name: 'Post New Request' })
      await hand.type(form.getByLabel('Item name'), 'Masic Adathril Ore')
      await hand.type(form.getByLabel('Quantity'), '50')
      await hand.type(form.getByLabel('Max price per unit'), '4s')
      await expect(form.getByRole('button', { name: /^More about the request/ })).toContainText('Miner')
      await hand.press(form.getByRole('button', { name: 'Post Request' }))
      await expect(buyer.getByText('Your request is on the board')).toBeVisible()
    })
    const { orders } = await (await buyer.request.get('/api/me/orders')).json()
    expect(orders[0]).toMatchObject({ itemName: 'Masic Adathril Ore', category: 'Miner' })

    await market.offer(orders[0], 20, 'Rowan')
    await buyer.goto('/')
    await counted(`accept an offer, ${device}`, { presses: 2, fields: 0 }, async (hand) => {
      await hand.press(buyer.getByRole('link', { name: /offer to answer Answer/ }))
      await hand.press(buyer.getByRole('button', { name: /^Accept Offer/ }))
      await expect(buyer.getByText(/^Accepted/).first()).toBeVisible()
    })
    await buyer.goto('/')
    await counted(`say that you met, ${device}`, { presses: 2, fields: 0 }, async (hand) => {
      await hand.press(buyer.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Trades/ }))
      await hand.press(buyer.getByRole('button', { name: /^We met for/ }))
      await expect(buyer.getByText(/You said that you met/).first()).toBeVisible()
    })
  })
}
