import type { Page, Route } from '@playwright/test'
import { cardOf, choose, expect, find, test, unique } from '../market'

/** The server does what it was asked, but its answer is lost on the way. */
async function loseNextAnswer(page: Page, path: RegExp, method: string) {
  let lost = false
  await page.route(path, async (route: Route) => {
    if (lost || route.request().method() !== method) return route.fallback()
    lost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
}

/** Nothing reaches the server. */
async function refuseNext(page: Page, path: RegExp, method: string) {
  let refused = false
  await page.route(path, (route: Route) => {
    if (refused || route.request().method() !== method) return route.fallback()
    refused = true
    return route.abort('connectionrefused')
  })
}

test('loading fails: it says so, and Try again loads', async ({ market }) => {
  const page = await market.visitor()
  let fail = true
  await page.route(/\/api\/orders(\?|$)/, (route) => (fail ? route.abort() : route.fallback()))
  await page.goto('/')
  await expect(page.getByText('Failed to load orders. Please try again.')).toBeVisible()
  fail = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('the answer to posting is lost: sending again does not post twice', async ({ market }) => {
  const page = await market.player('Maple')
  const request = { itemName: unique('Lost Letter') }
  await page.goto('/?dialog=post')
  await loseNextAnswer(page, /\/api\/orders$/, 'POST')
  const post = page.getByRole('dialog', { name: 'Post New Request' })
  await post.getByLabel('Item name').fill(request.itemName)
  await post.getByLabel('Quantity').fill('3')
  await post.getByLabel('Max price per unit').fill('1g')
  await post.getByRole('button', { name: 'Post Request' }).click()
  await expect(post.getByRole('alert')).toHaveText('Failed to create order. Please try again.')
  await expect(post.getByLabel('Item name')).toHaveValue(request.itemName)
  await post.getByRole('button', { name: 'Post Request' }).click()
  await expect(post.getByText('Your request is on the board')).toBeVisible()
  await find(page, request)
  await expect(cardOf(page, request)).toHaveCount(1)
})

test('the answer to an offer is lost: sending again offers once', async ({ market }) => {
  const request = await market.request('Maple')
  const page = await market.visitor()
  const card = await find(page, request)
  await loseNextAnswer(page, /\/offers$/, 'POST')
  await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
  await dialog.getByLabel('Your name').fill('Bramble')
  await dialog.getByLabel('Discord username').fill('bramble')
  await dialog.getByLabel('Message').fill('Once is enough')
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to send offer. Please try again.')
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByText('Your offer is sent')).toBeVisible()
  const owner = await market.player('Maple')
  await expect((await find(owner, request)).getByRole('button', { name: 'View Offers (1)' })).toBeVisible()
})

test('accepting fails: what was shown ahead is taken back', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  await market.offer(request, 6)
  const page = await market.player('Maple')
  const card = await find(page, request)
  await card.getByRole('button', { name: 'View Offers (1)' }).click()
  const dialog = page.getByRole('dialog')
  await refuseNext(page, /\/accept$/, 'POST')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to accept offer. Please try again.')
  await expect(dialog).toContainText('10 of 10 left')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('status')).toContainText('Accepted 6')
  await expect(dialog).toContainText('4 of 10 left')
})

test('the answer to accepting is lost: accepting again takes once', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  await market.offer(request, 6)
  const page = await market.player('Maple')
  const card = await find(page, request)
  // The news of what was done would draw the card anew and hide what is tried here.
  await page.route(/\/api\/events$/, (route) => route.abort())
  await page.reload()
  await card.getByRole('button', { name: 'View Offers (1)' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton').fill('2')
  await loseNextAnswer(page, /\/accept$/, 'POST')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to accept offer. Please try again.')
  await dialog.getByRole('spinbutton').fill('2')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('status')).toContainText('Accepted 2')
  await expect(dialog).toContainText('8 of 10 left')
})

test('deleting an offer fails, then works', async ({ market }) => {
  const request = await market.request('Maple')
  await market.offer(request, 6)
  const page = await market.player('Maple')
  await (await find(page, request)).getByRole('button', { name: 'View Offers (1)' }).click()
  const dialog = page.getByRole('dialog')
  await refuseNext(page, /\/api\/offers\/\d+$/, 'DELETE')
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to delete offer. Please try again.')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toContainText('No offers yet')
})

test('a sales update fails, then works', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  const page = await market.player('Maple')
  const card = await find(page, request)
  await card.getByRole('button', { name: 'Update Sales' }).click()
  const dialog = page.getByRole('dialog')
  await refuseNext(page, /\/sales$/, 'POST')
  await dialog.getByLabel('Quantity sold').fill('4')
  await dialog.getByRole('button', { name: 'Update Sales' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to update order. Please try again.')
  await expect(card).toContainText('10 of 10 left')
  await dialog.getByRole('button', { name: 'Update Sales' }).click()
  await expect(dialog.getByText('Sales updated')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(card).toContainText('6 of 10 left')
})

test('editing, closing and deleting fail, then work', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  const page = await market.player('Maple')
  const card = await find(page, request)

  await refuseNext(page, /\/api\/orders\/\d+$/, 'PATCH')
  await choose(page, card, 'Edit Request')
  const edit = page.getByRole('dialog', { name: 'Edit Request' })
  await edit.getByLabel('Quantity').fill('12')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(edit.getByRole('alert')).toHaveText('Failed to update order. Please try again.')
  await expect(card).toContainText('10 of 10 left')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(edit).toBeHidden()
  await expect(card).toContainText('12 of 12 left')

  await refuseNext(page, /\/close$/, 'POST')
  await choose(page, card, 'Close Request')
  const close = page.getByRole('alertdialog', { name: 'Close Order' })
  await close.getByRole('button', { name: 'Close Order' }).click()
  await expect(close.getByRole('alert')).toHaveText('Failed to close order. Please try again.')
  await expect(card).toBeVisible()
  await close.getByRole('button', { name: 'Close Order' }).click()
  await expect(close).toBeHidden() // the card is gone at once, the step back that closes the dialog follows the answer
  await expect(card).toBeHidden()

  await page.goto('/completed')
  await refuseNext(page, /\/api\/orders\/\d+$/, 'DELETE')
  await choose(page, card, 'Delete Request')
  const remove = page.getByRole('alertdialog', { name: 'Delete Order' })
  await remove.getByRole('button', { name: 'Delete Order' }).click()
  await expect(remove.getByRole('alert')).toHaveText('Failed to delete order. Please try again.')
  await remove.getByRole('button', { name: 'Delete Order' }).click()
  await expect(remove).toBeHidden()
  await expect(card).toBeHidden()
})

test('loading offers fails: it says so, and Try Again loads', async ({ market }) => {
  const request = await market.request('Maple')
  await market.offer(request, 6)
  const page = await market.player('Maple')
  const card = await find(page, request)
  let fail = true
  await page.route(/\/api\/orders\/\d+\/offers$/, (route) => (fail ? route.abort() : route.fallback()))
  await card.getByRole('button', { name: /View Offers/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Failed to load offers. Please try again.')).toBeVisible()
  fail = false
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect(dialog).toContainText('Bramblewick')
})
