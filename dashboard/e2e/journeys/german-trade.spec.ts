// One trade in German, from the first look to the last sale: no step shows an English word, but for names.
import type { Locator, Page } from '@playwright/test'
import { german as de, englishOn } from '../german'
import { cardOf, expect, type Member, test, unique } from '../market'

const inGerman = { locale: 'de-DE' }

test('a whole trade in German', async ({ market }) => {
  test.slow()
  const itemName = unique('Mondsilber')
  const [buyer, seller] = [await market.addMember('Frauke'), await market.addMember('Olaf')]
  const names = [
    itemName,
    '@example.com',
    buyer.name,
    buyer.username,
    seller.name,
    seller.username,
    'Wanderer',
    'wanderer',
    'Tradepost',
  ]
  const found: string[] = []

  /** Reads a page in its present state. */
  async function read(page: Page, step: string) {
    found.push(...(await englishOn(page, names)).map((text) => `${step}: ${text}`))
  }

  // A visitor looks, and signs in.
  const buyerPage = await market.visitor(inGerman)
  await buyerPage.goto(`/?q=${encodeURIComponent(itemName)}`)
  await expect(buyerPage.getByText(de('orders_none_match'))).toBeVisible()
  await read(buyerPage, 'a visitor finds nothing')
  await signIn(buyerPage, buyer, () => read(buyerPage, 'signing in'))
  await read(buyerPage, 'signed in')

  // Posts a request. The form is refused first.
  await buyerPage.goto('/mine?dialog=post')
  const post = buyerPage.getByRole('dialog', { name: de('orders_post_title') })
  await post.getByRole('button', { name: de('common_post_request') }).click()
  await expect(post.locator('[name=itemName]')).toHaveAttribute('aria-invalid', 'true')
  await read(buyerPage, 'a form with mistakes')
  const fill = async (form: Locator, fields: Record<string, string>) => {
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name=${name}]`)
      const folded = form.getByRole('button', { name: new RegExp(`^${de('orders_fold_label')}`), expanded: false })
      if (name === 'description' && (await folded.isVisible())) await folded.click()
      await field.fill(value)
    }
  }
  await fill(post, { itemName, quantity: '9', maxPricePerUnit: '2g', description: 'Bitte am Abend' })
  await read(buyerPage, 'a filled form')
  await post.getByRole('button', { name: de('common_post_request') }).click()
  await expect(buyerPage.getByText(de('orders_posted_title'))).toBeVisible()
  await read(buyerPage, 'posted')
  await expect(post).toBeHidden()

  // The server refuses the same once more.
  await buyerPage.goto('/mine?dialog=post')
  await fill(post, { itemName, quantity: '9', maxPricePerUnit: '2g', description: 'Bitte am Abend' })
  await post.getByRole('button', { name: de('common_post_request') }).click()
  await expect(post.getByText(de('orders_show_duplicate'))).toBeVisible()
  await read(buyerPage, 'a duplicate')

  // A visitor offers, after a mistake, and opens the private link.
  const visitorPage = await market.visitor(inGerman)
  const offer = async (page: Page, quantity: string, step: string, visitor?: Record<string, string>) => {
    await page.goto(`/?q=${encodeURIComponent(itemName)}`)
    await read(page, `${step}: the request`)
    await cardOf(page, { itemName })
      .getByRole('button', { name: de('orders_offer_to_fulfill_item', { item: itemName }) })
      .click()
    const dialog = page.getByRole('dialog', { name: de('offers_form_title') })
    await dialog.getByRole('button', { name: de('offers_send') }).click()
    await expect(dialog.locator('[name=message]')).toHaveAttribute('aria-invalid', 'true')
    await read(page, `${step}: mistakes`)
    await fill(dialog, { ...visitor, message: 'Heute Abend am Brunnen', quantityOffered: quantity })
    await dialog.getByRole('button', { name: de('offers_send') }).click()
    await expect(dialog.getByText(de('offers_was_sent'))).toBeVisible()
    await read(page, `${step}: sent`)
  }
  await offer(visitorPage, '2', 'an offer of a visitor', { sellerName: 'Wanderer', sellerContact: 'wanderer' })
  const link = visitorPage.getByRole('region', { name: de('offers_private_link') }).getByRole('link')
  await visitorPage.goto((await link.getAttribute('href')) ?? '')
  await expect(visitorPage.getByText(de('offers_outcome_waits'))).toBeVisible()
  await read(visitorPage, 'a private link')

  // A seller offers.
  const sellerPage = await market.visitor(inGerman)
  await signIn(sellerPage, seller)
  await offer(sellerPage, '6', 'an offer of a seller')
  await sellerPage.goto('/offers')
  await expect(sellerPage.getByRole('main').getByRole('listitem').filter({ hasText: itemName })).toBeVisible()
  await read(sellerPage, 'offers sent')

  // The buyer reads of it, accepts a part of one offer and declines the other.
  await buyerPage.goto('/inbox')
  await expect(buyerPage.getByRole('listitem').filter({ hasText: itemName }).first()).toBeVisible()
  await read(buyerPage, 'the inbox of the buyer')
  await buyerPage.goto('/mine')
  const card = cardOf(buyerPage, { itemName })
  await read(buyerPage, 'the own requests')
  await card.getByRole('button', { name: de('orders_view_offers_of_card', { item: itemName, count: 2 }) }).click()
  const offers = buyerPage.getByRole('dialog')
  const ofSeller = offers.getByRole('listitem').filter({ hasText: seller.name })
  await expect(ofSeller).toBeVisible()
  await read(buyerPage, 'the offers')
  await ofSeller.getByRole('spinbutton').fill('4')
  await ofSeller.getByRole('button', { name: de('offers_accept_label', { seller: seller.name }) }).click()
  await expect(offers.getByRole('status')).toContainText(
    de('offers_accepted_from', { quantity: 4, seller: seller.name }),
  )
  await read(buyerPage, 'accepted')
  await offers.getByRole('button', { name: de('offers_delete_label', { seller: 'Wanderer' }) }).click()
  await read(buyerPage, 'declining?')
  await offers.getByRole('button', { name: de('offers_delete'), exact: true }).click()
  await expect(offers).toContainText(de('offers_declined_of', { quantity: 2, seller: 'Wanderer' }))
  await read(buyerPage, 'declined')

  // Both say that they met.
  await sellerPage.goto('/inbox')
  await expect(sellerPage.getByRole('listitem').filter({ hasText: itemName }).first()).toBeVisible()
  await read(sellerPage, 'the inbox of the seller')
  await sellerPage.goto('/offers') // the rest of it is still open
  await expect(sellerPage.getByRole('main').getByText(itemName).first()).toBeVisible()
  await read(sellerPage, 'an offer that was accepted in part')
  for (const page of [sellerPage, buyerPage]) {
    const who = page === sellerPage ? 'the seller' : 'the buyer'
    await page.goto('/trades')
    const trade = page.getByRole('main').getByRole('listitem').filter({ hasText: itemName })
    await expect(trade).toBeVisible()
    await read(page, `trades of ${who}`)
    await trade.getByText(de('common_we_met'), { exact: true }).click()
    await expect(trade.getByText(de('common_we_met'), { exact: true })).toBeHidden()
    await read(page, `${who} met`)
  }

  // The buyer changes the request, and logs the last sales after a mistake.
  await buyerPage.goto('/mine')
  const fromMenu = async (item: string) => {
    await card.getByRole('button', { name: de('orders_actions_own', { item: itemName }) }).click()
    await read(buyerPage, 'the menu')
    await buyerPage.getByRole('menuitem', { name: item }).click()
  }
  await fromMenu(de('common_edit_request'))
  const edit = buyerPage.getByRole('dialog', { name: de('common_edit_request') })
  await edit.locator('[name=quantity]').fill('1')
  await edit.getByRole('button', { name: de('orders_save_changes') }).click()
  await expect(edit.locator('[name=quantity]')).toHaveAttribute('aria-invalid', 'true')
  await read(buyerPage, 'an edit with a mistake')
  await edit.locator('[name=quantity]').fill('6')
  await edit.getByRole('button', { name: de('orders_save_changes') }).click()
  await expect(buyerPage.getByText(de('orders_changes_saved'))).toBeVisible()
  await read(buyerPage, 'edited')
  await expect(edit).toBeHidden()
  await card.getByRole('button', { name: de('orders_update_sales_of', { item: itemName }) }).click()
  const sales = buyerPage.getByRole('dialog', { name: de('sales_title') })
  await expect(sales).toContainText(
    de('sales_accepted', { who: 'seller', seller: `${seller.name} (${seller.username})` }),
  )
  for (const [sold, step] of [
    ['', 'a sale with a mistake'],
    ['3', 'a sale of too many'],
  ] as const) {
    await sales.locator('[name=quantitySold]').fill(sold)
    await sales.getByRole('button', { name: de('sales_update') }).click()
    await expect(sales.locator('[name=quantitySold]')).toHaveAttribute('aria-invalid', 'true')
    await read(buyerPage, step)
  }
  await sales.locator('[name=quantitySold]').fill('2')
  await sales.getByRole('button', { name: de('sales_update') }).click()
  await expect(sales).toContainText(de('sales_request_completed'))
  await read(buyerPage, 'the last sale')
  await expect(sales).toBeHidden()
  await read(buyerPage, 'its message')
  await buyerPage.goto('/completed')
  await expect(card).toBeVisible()
  await read(buyerPage, 'completed')
  await sellerPage.goto('/inbox')
  await expect(sellerPage.getByRole('listitem').filter({ hasText: itemName }).first()).toBeVisible()
  await read(sellerPage, 'the inbox at the end')

  // Two other requests are closed and deleted.
  for (const [open, title, confirm, done] of [
    ['orders_close_request', 'orders_close_title', 'orders_close_request', 'orders_is_closed'],
    ['orders_delete_request', 'orders_delete_title', 'orders_delete_request', 'orders_is_deleted'],
  ] as const) {
    const other = await buyerPage.request.post('/api/orders', {
      data: {
        itemName,
        quantity: 3,
        maxPricePerUnit: 9000,
        buyerContact: buyer.username,
        category: 'Miner',
        importance: 'low',
      },
    })
    expect(other.ok(), await other.text()).toBe(true)
    await buyerPage.goto('/mine')
    await fromMenu(de(open))
    const sure = buyerPage.getByRole('alertdialog', { name: de(title) })
    await read(buyerPage, de(title))
    await sure.getByRole('button', { name: de(confirm) }).click()
    await expect(buyerPage.getByText(de(done, { item: itemName }))).toBeVisible()
    await read(buyerPage, de(done, { item: '' }))
  }

  expect([...new Set(found)]).toEqual([])
})

/** Signs in at the stand-in Discord, with the buttons of the page. */
async function signIn(page: Page, { name }: Member, read?: () => Promise<void>) {
  if (!read) await page.goto('/')
  await page.getByRole('button', { name: de('common_sign_in_with_discord') }).click()
  await page.getByRole('dialog').waitFor()
  await read?.()
  await page.getByRole('button', { name: de('session_continue') }).click()
  await page.getByRole('button', { name: `Continue as ${name}` }).click()
  await expect(page.getByRole('link', { name: de('common_my_requests') }).first()).toBeVisible()
}
