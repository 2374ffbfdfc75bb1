// One page a trade: both sides reach it, agree on a place, say what happened, and others find nothing there.
import { expect, type Market, type Request, test } from '../market'

/** Accepts the only offer on a request of Maple's, and returns the address of the trade. */
async function accepted(market: Market, request: Request, quantity: number): Promise<string> {
  await market.offer(request, quantity, 'Rowan')
  const maple = await market.player('Maple')
  await maple.goto(`/requests/${request.id}`)
  await maple.getByRole('button', { name: 'View Offers (1)' }).click()
  const offers = maple.getByRole('dialog')
  await offers.getByRole('button', { name: 'Accept Offer' }).click()
  await offers.getByRole('link', { name: 'Open the trade' }).click()
  await expect(maple.getByRole('heading', { level: 1 })).toContainText(`${quantity} ${request.itemName} from Rowan`)
  return new URL(maple.url()).pathname
}

test('two trades with one partner are agreed, met and said at once on their page', async ({ market }) => {
  const first = await market.request('Maple')
  const second = await market.request('Maple')
  const address = await accepted(market, first, 6)
  await accepted(market, second, 4)

  const rowan = await market.player('Rowan')
  await rowan.goto('/trades')
  await rowan.getByRole('link', { name: first.itemName }).click()
  await expect(rowan).toHaveURL(address)
  await expect(rowan.getByRole('heading', { level: 1 })).toContainText(`6 ${first.itemName} to Maple`)
  await rowan.getByRole('button', { name: /: Where you meet$/ }).click()
  await rowan.getByRole('textbox', { name: 'Where you meet' }).fill('By the fountain')
  await rowan.keyboard.press('Enter')
  await rowan.getByRole('button', { name: `We met for 6 ${first.itemName}` }).click()
  await expect(rowan.getByRole('heading', { name: 'You said that you met' })).toBeFocused()

  const maple = await market.player('Maple')
  await maple.goto(address)
  await expect(maple.getByRole('heading', { name: 'Rowan says you met. Did you?' })).toBeVisible()
  await expect(maple.getByRole('region', { name: 'When and where' })).toContainText('By the fountain')
  const together = maple.getByRole('region', { name: 'Also open with Rowan' })
  await expect(together.getByRole('checkbox', { name: `6 ${first.itemName}` })).toBeChecked()
  await together.getByRole('checkbox', { name: `4 ${second.itemName}` }).check()
  await together.getByRole('button', { name: /^We met for these/ }).click()
  await expect(maple.getByRole('heading', { name: 'Done. You both say you met.' })).toBeVisible()
  await expect(maple.getByRole('region', { name: 'History' })).toContainText('Rowan says you met')
  await expect(rowan.getByRole('heading', { name: 'Done. You both say you met.' })).toBeVisible()

  const juniper = await market.player('Juniper')
  await juniper.goto(address)
  await expect(juniper.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
