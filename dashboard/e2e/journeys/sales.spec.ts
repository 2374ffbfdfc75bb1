import { cardOf, expect, find, test } from '../market'

test('an owner logs sales until the request is complete', async ({ market }) => {
  const request = await market.request('Tamsin', { quantity: 10 })
  const page = await market.player('Tamsin')
  const card = await find(page, request)
  const dialog = page.getByRole('dialog', { name: 'Update Request Sales' })
  const bar = card.getByRole('progressbar')

  for (const [sold, left, tone] of [
    [3, 7, 'poor'],
    [2, 5, 'fair'],
    [2, 3, 'good'],
  ] as const) {
    await card.getByRole('button', { name: 'Update Sales' }).click()
    await dialog.getByLabel('Quantity sold').fill(String(sold))
    await dialog.getByLabel(/Notes/).fill(`Bought ${sold} at the market`)
    await dialog.getByRole('button', { name: 'Update Sales' }).click()
    await expect(dialog.getByText('Sales updated')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(card).toContainText(`${left} of 10 left`)
    await expect(bar).toHaveAttribute('data-tone', tone)
  }

  await card.getByRole('button', { name: 'Update Sales' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await expect(dialog.getByRole('listitem').first()).toContainText('+2')
  await expect(dialog).toContainText('70%')
  await dialog.getByRole('button', { name: 'Update Sales' }).click()
  await expect(dialog.getByText('Quantity sold must be greater than 0')).toBeVisible()
  await dialog.getByLabel('Quantity sold').fill('4')
  await expect(dialog.getByText('Cannot sell more than remaining quantity (3)')).toBeVisible()
  await dialog.getByLabel('Quantity sold').fill('3')
  await dialog.getByRole('button', { name: 'Update Sales' }).click()
  await expect(dialog).toContainText('Request Completed!')
  await expect(dialog).toBeHidden()

  await page.goto('/completed')
  await expect(cardOf(page, request)).toContainText('Request Completed!')
  await expect(cardOf(page, request)).toContainText('10 fulfilled')
})
