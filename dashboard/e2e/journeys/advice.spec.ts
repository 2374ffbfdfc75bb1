import type { Locator } from '@playwright/test'
import { expect, test } from '../market'

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

test('advice moves no field of the form and leaves no hole in it', async ({ market }) => {
  for (const size of sizes) {
    const page = await market.player('Juniper')
    await page.setViewportSize(size)
    await page.goto('/?dialog=post')
    const form = page.getByRole('dialog', { name: 'Post New Request' })
    const name = form.getByLabel('Item name')
    await form.getByLabel('Quantity').fill('50')
    await form.getByLabel('Max price per unit').fill('4s')
    const fold = form.getByRole('button', { name: /^More about the request/ })
    const fields = [form.getByLabel('Quantity'), form.getByLabel('Max price per unit'), fold]
    const before = await tops([name, ...fields])

    await name.fill('Masic Adathril Oer')
    const advice = form.getByRole('complementary', { name: 'Advice' })
    await advice.getByRole('button', { name: 'Masic Adathril Ore' }).click()
    await expect(advice.getByText(/Made by Miner/)).toBeVisible()
    await expect(advice.getByText(/price/i).first()).toBeVisible()
    await page.evaluate(() => document.activeElement?.scrollIntoView({ block: 'nearest' }))
    expect(await tops([name, ...fields])).toEqual(before)
  }
})

/** How far below the first field each is: scrolling changes nothing about it. */
async function tops(fields: Locator[]): Promise<number[]> {
  const all = await Promise.all(fields.map(async (field) => (await field.boundingBox())?.y ?? Number.NaN))
  return all.map((top) => Math.round(top - (all[0] ?? 0)))
}
