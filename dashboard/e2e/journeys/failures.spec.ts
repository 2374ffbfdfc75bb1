import type { Page, Route } from '@playwright/test'
import { cardOf, choose, expect, find, test, unique } from '../market'

/** The server does what it was asked, but its answers are lost on the way, so many times. */
async function loseAnswers(page: Page, path: RegExp, method: string, times: number) {
  let left = times
  await page.route(path, async (route: Route) => {
    if (left === 0 || route.request().method() !== method) return route.fallback()
    left--
    await route.fetch()
    await route.abort('connectionreset')
  })
}

const loseNextAnswer = (page: Page, path: RegExp, method: string) => loseAnswers(page, path, method, 1)

/** How often the page retries a write with an unknown result before it shows an error. */
const attempts = 3

/** Nothing of what is done next reaches the server. */
async function refuseNext(page: Page, path: RegExp, method: string) {
  let left = attempts
  await page.route(path, (route: Route) => {
    if (left === 0 || route.request().method() !== method) return route.fallback()
    left--
    return route.abort('connectionrefused')
  })
}

const notKnown = "We don't know yet whether this was saved. Reload to see, or try again: it counts only once."

test('loading fails: Try again retries', async ({ market }) => {
  const page = await market.visitor()
  // Until the press everything fails: the page loads again by itself, too, such as when its stream opens late.
  await page.addInitScript(() => {
    addEventListener('click', () => document.documentElement.setAttribute('data-pressed', ''), true)
  })
  await page.route(/\/api\/orders(\?|$)/, async (route) =>
    (await page.locator('html[data-pressed]').count()) ? route.fallback() : route.abort(),
  )
  await page.goto('/')
  await expect(page.getByText('Failed to load orders. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('the response to posting is lost: the page retries and posts once', async ({ market }) => {
  const page = await market.player('Maple')
  const request = { itemName: unique('Lost Letter') }
  await page.goto('/?dialog=post')
  await loseNextAnswer(page, /\/api\/orders$/, 'POST')
  const post = page.getByRole('dialog', { name: 'Post New Request' })
  await post.getByLabel('Item name').fill(request.itemName)
  await post.getByLabel('Quantity').fill('3')
  await post.getByLabel('Max price per unit').fill('1g')
  await post.getByRole('button', { name: 'Post Request' }).click()
  await expect(post.getByText('Your request is on the board')).toBeVisible()
  await find(page, request)
  await expect(cardOf(page, request)).toHaveCount(1)
})

test('the response to an offer is lost: sending again offers once', async ({ market }) => {
  const request = await market.request('Maple')
  const page = await market.visitor()
  const card = await find(page, request)
  await loseAnswers(page, /\/offers$/, 'POST', attempts)
  await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
  await dialog.getByLabel('Your name').fill('Bramble')
  await dialog.getByLabel('Discord username').fill('bramble')
  await dialog.getByLabel('Message').fill('Once is enough')
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to send offer. Please try again.')
  await dialog.getByRole('button', { name: 'Send Offer' }).click()
  await expect(dialog.getByText('Your offer was sent')).toBeVisible()
  const owner = await market.player('Maple')
  await expect((await find(owner, request)).getByRole('button', { name: 'View Offers (1)' })).toBeVisible()
})

test('accepting fails: the optimistic update is rolled back', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  await market.offer(request, 6)
  const page = await market.player('Maple')
  const card = await find(page, request)
  await card.getByRole('button', { name: 'View Offers (1)' }).click()
  const dialog = page.getByRole('dialog')
  await refuseNext(page, /\/accept$/, 'POST')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(notKnown)
  await expect(dialog).toContainText('10 of 10 left')
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('status')).toContainText('Accepted 6')
  await expect(dialog).toContainText('4 of 10 left')
})

test('the responses to accepting are lost: accepting again counts once', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  await market.offer(request, 6)
  const page = await market.player('Maple')
  const card = await find(page, request)
  // Live updates would rerender the card and hide what is tested here.
  await page.route(/\/api\/events$/, (route) => route.abort())
  await page.reload()
  await card.getByRole('button', { name: 'View Offers (1)' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton').fill('2')
  await loseAnswers(page, /\/accept$/, 'POST', attempts)
  await dialog.getByRole('button', { name: 'Accept Offer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(notKnown)
  await dialog.getByRole('spinbutton').fill('3')
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
  await expect(dialog.getByRole('list', { name: 'Declined' })).toContainText('Declined 6 from Bramblewick')
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
  await expect(dialog.getByRole('alert')).toHaveText(notKnown)
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
  await expect(close).toBeHidden() // the card is hidden first, the step back that closes the dialog follows the answer
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

test('loading offers fails: Try Again retries', async ({ market }) => {
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

test('a page whose code cannot be loaded says so, and the rest of the page stays', async ({ market }) => {
  const page = await market.visitor()
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  // As after an update of the server, which no longer has the files of the page that is open.
  await page.route(/\/assets\/.*\/ItemsPages-/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Items' }).first().click()
  await expect(page.getByRole('alert')).toContainText("Couldn't load this.")
  await expect(page.getByRole('link', { name: /Browse/ }).first()).toBeVisible()

  await page.unroute(/\/assets\/.*\/ItemsPages-/)
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Items' })).toBeVisible()
})

test('a page that is opened without a connection comes with it', async ({ market }) => {
  const page = await market.visitor()
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Items' }).first().click()
  await expect(page.getByText(/^Offline/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Items' })).toBeHidden()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Items' })).toBeVisible()
})
