// Play hours: said and erased under Your Data; between, an accept proposes one time to both sides, who agree on it.
import type { Page } from '@playwright/test'
import { expect, soon, test } from '../market'

async function playsInTheEvening(page: Page) {
  await page.goto('/?dialog=data')
  const hours = page.getByRole('region', { name: 'When you play' })
  for (const preset of ['Weekday evenings', 'Weekend evenings'])
    await hours.getByRole('button', { name: preset }).click()
  return hours
}

test('two who say when they play get one time, agree on it, and erase their hours', async ({ market }) => {
  const buying = await market.addMember('Aster')
  const selling = await market.addMember('Birch')
  const buyer = await market.player(buying)
  const seller = await market.player(selling)

  const saidByBuyer = await playsInTheEvening(buyer)
  await saidByBuyer.getByRole('button', { name: 'Save' }).click()
  await expect(saidByBuyer.getByRole('heading', { name: 'When you play' })).toBeFocused()
  const saidBySeller = await playsInTheEvening(seller)
  await saidBySeller.getByRole('button', { name: 'Choose hours' }).click()
  await expect(saidBySeller.getByRole('button', { name: /^Monday (18:00|6:00\sPM)$/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await saidBySeller.getByRole('button', { name: /^Monday 12:00(\sPM)?$/ }).click()
  await saidBySeller.getByRole('button', { name: 'Save' }).click()
  await expect(saidBySeller.getByRole('button', { name: 'Erase' })).toBeVisible()

  const request = await market.request(buying)
  await market.offer(request, 5, selling)
  await buyer.goto(`/requests/${request.id}`)
  await buyer.getByRole('button', { name: 'View Offers (1)' }).click()
  await buyer.getByRole('dialog').getByRole('button', { name: 'Accept Offer' }).click()
  await buyer.getByRole('dialog').getByRole('link', { name: 'Open the trade' }).click()
  const proposed = buyer.getByRole('heading', { name: /\d:\d\d.*\?$/ })
  const time = (await proposed.innerText()).replace('?', '').toLowerCase()
  const saying = (words: string) => new RegExp(words, 'i')
  await buyer.getByRole('button', { name: 'That Works' }).click()
  await expect(buyer.getByRole('heading', { name: saying(`${time} works for you`) })).toBeFocused()

  await seller.goto('/trades')
  await seller.getByRole('link', { name: saying(`${buying.name} can meet ${time}`) }).click()
  await expect(seller.getByRole('heading', { name: saying(`${buying.name} can meet ${time}`) })).toBeVisible()
  await seller.getByRole('button', { name: 'That Works' }).click()
  await expect(seller.getByRole('heading', { name: saying(`You meet ${time}`) })).toBeVisible()
  await expect(buyer.getByRole('heading', { name: saying(`You meet ${time}`) })).toBeVisible(soon)

  await buyer.goto('/?dialog=data')
  await buyer.getByRole('button', { name: 'Erase' }).click()
  await expect(buyer.getByRole('button', { name: 'Weekday evenings' })).toHaveAttribute('aria-pressed', 'false')
  await expect(buyer.getByRole('button', { name: 'Erase' })).toHaveCount(0)
})
