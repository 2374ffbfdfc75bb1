import { devices } from '@playwright/test'
import { expect, soon, test, unique } from '../market'

const phone = { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } }

test('a buyer plans a list on a phone, edits the plan and posts it with one press', async ({ market }) => {
  const ore = unique('Plan Ore')
  const log = unique('Plan Log')
  await market.sells('Rowan', ore, 100, 4_200)
  await market.sells('Juniper', ore, 20, 3_000, 20)
  await market.sells('Rowan', log, 8, 1_500)
  const page = await market.player('Maple', phone)
  await page.goto(`/lists/new?lines=${encodeURIComponent(`30x ${ore} 5s\n10x ${log} 2s`)}`)
  await page.getByLabel('Name of the list').fill('Guild hall')
  await page.getByRole('button', { name: 'Find the Cheapest Way' }).click()
  const plan = page.getByRole('region', { name: 'The cheapest way' })
  const lines = plan.getByRole('list', { name: 'Lines of the plan' })
  await expect(plan).toContainText(/38 of 40 for .* from 2 people/)
  await expect(plan).toContainText('20 agreed at once')
  await expect(lines).toContainText('8 from')
  await expect(lines).toContainText('2 by request at')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide, 'the page is as wide as the phone').toBeLessThanOrEqual(360)

  const leaveOut = plan
    .getByRole('list', { name: 'Who you buy from' })
    .getByRole('button', { name: /^Leave out Juniper/ })
  await leaveOut.click()
  await expect(plan).toContainText(/38 of 40 for .* from 1 person/)
  await plan.getByRole('button', { name: /^Take Juniper.* back in$/ }).click()
  await expect(plan).toContainText('from 2 people')
  await plan.getByLabel(`How many: ${ore}`).fill('25')
  await expect(plan).toContainText('33 of 35 for')

  await plan.getByRole('button', { name: 'Post This Plan' }).click()
  await expect(page).toHaveURL(/\/lists\/\d+$/)
  await expect(page.getByRole('heading', { name: 'Guild hall' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Agreed. See your trade' })).toHaveCount(1)
  await expect(page.getByText(/^Asked a seller, who can answer until/)).toHaveCount(2)
  await expect(page.getByText('20 of 35 bought')).toBeVisible()

  // The seller of the ore says yes, and the list follows.
  const seller = await market.player('Rowan')
  await seller.goto('/selling/stock')
  const ask = seller
    .getByRole('listitem')
    .filter({ hasText: ore })
    .filter({ has: seller.getByRole('button', { name: /^Yes/ }) })
  await ask.getByRole('button', { name: /^Yes/ }).first().click()
  await expect(seller.getByRole('listitem').filter({ hasText: ore }).getByRole('button', { name: /^Yes/ })).toHaveCount(
    0,
    soon,
  )
  await page.reload()
  await expect(page.getByRole('link', { name: 'Agreed. See your trade' })).toHaveCount(2)
  await expect(page.getByText('25 of 35 bought')).toBeVisible()
})
