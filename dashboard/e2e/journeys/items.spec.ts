import { expect, test, unique } from '../market'

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

for (const [device, options, tallest] of [
  ['desktop', desktop, 44],
  ['phone', phone, 64],
] as const) {
  test(`a visitor goes from the most wanted items to the form of an offer: ${device}`, async ({ market }) => {
    const page = await market.visitor(options)
    await page.goto('/items')
    const rows = device === 'phone' ? page.getByRole('listitem') : page.getByRole('row')
    const first = rows
      .filter({ has: page.getByRole('link') })
      .filter({ hasText: /\d+ open/ })
      .first()
    const item = first.getByRole('link')
    await expect(item).toBeVisible()
    expect((await first.boundingBox())?.height).toBeLessThanOrEqual(tallest + 1)
    const name = await item.innerText()
    await item.click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    const requests = page.getByRole('region', { name: 'Open requests' })
    const offer = requests.getByRole('button', { name: /^Offer to / }).first()
    await expect(offer).toBeInViewport()
    expect((await requests.getByRole('listitem').first().boundingBox())?.height).toBeLessThanOrEqual(tallest + 1)
    await offer.click()
    await expect(page.getByRole('dialog', { name: /^Offer to Fulfill/ })).toBeVisible()
  })
}

test('the list of items is sorted by its heads with the keyboard, and a reload keeps the sort', async ({ market }) => {
  const page = await market.visitor(desktop)
  await page.goto('/items')
  const table = page.getByRole('table', { name: 'Items' })
  await table.getByRole('button', { name: 'Level' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?sort=level$/)
  await expect(table.getByRole('columnheader', { name: 'Level' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(table.getByRole('row').nth(1).getByRole('cell').last()).toHaveText(/^\d$/)
  const lowest = await table.getByRole('link').first().innerText()
  await page.reload()
  await expect(table.getByRole('link').first()).toHaveText(lowest)
})

test('the report of demand leads to an item and to the requests of its band', async ({ market }) => {
  await market.request('Rowan', { itemName: unique('Star Dust'), quantity: 900, levelRequirement: 120 })
  const page = await market.visitor(desktop)
  await page.goto('/items/wanted')
  const band = page.getByRole('link', { name: /^\S+ \d+–\d+$/ }).first()
  const [, profession, top] = /^(\S+) \d+–(\d+)$/.exec(await band.innerText()) ?? []
  await page
    .getByRole('link', { name: /^[\d,]+ × / })
    .first()
    .click()
  await expect(page).toHaveURL(/\/(items\/\d+|\?q=)/)
  await page.goBack()
  await band.click()
  await expect(page).toHaveURL(new RegExp(`category=${profession}&level=${top}`))
  await expect(page.getByRole('article').first()).toBeVisible()
})
