import { expect, test } from '../market'

test('a trader saves a search with one press, turns its bell off, and finds work by it', async ({ market }) => {
  const member = await market.addMember('Saver')
  const page = await market.player(member)
  await page.goto('/?category=Miner')
  await page.getByRole('button', { name: 'Save search' }).click()
  await expect(page.getByText("Saved. We'll message you about new requests that fit.")).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Save search' })).toBeVisible()
  await page.getByRole('button', { name: 'Save search' }).click()
  await expect(page.getByRole('button', { name: 'Saved. Remove Miner' })).toBeVisible()

  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: 'All Saved Searches' }).click()
  await expect(page.getByRole('navigation', { name: 'Selling' }).getByRole('link', { name: 'Saved 1' })).toBeVisible()
  const bell = page.getByRole('switch', { name: 'Message me about Miner' })
  await expect(bell).toBeChecked()
  await bell.focus()
  const kept = page.waitForResponse((response) => response.request().method() !== 'GET')
  await page.keyboard.press('Enter')
  await expect(bell).not.toBeChecked()
  await kept // the switch moves before the server has it
  await page.reload()
  await expect(bell).not.toBeChecked()
  await page.getByRole('link', { name: 'Miner', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Miner Requests' })).toBeVisible()
})

test('on a phone the bell is a switch of 48, and an item is saved from its page', async ({ market }) => {
  const page = await market.player(await market.addMember('Saver'), {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto('/items/1')
  await page.getByRole('button', { name: 'Save', exact: true }).tap()
  await expect(page.getByRole('button', { name: /^Saved\. Remove/ })).toBeVisible()
  await page.goto('/selling/saved')
  const bell = await page.getByRole('switch', { name: /^Message me about/ }).boundingBox()
  expect([bell?.width, bell?.height]).toEqual([48, 48])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
