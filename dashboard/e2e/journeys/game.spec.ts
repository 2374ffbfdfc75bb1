import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDemo } from '../demo'
import { cardOf, expect, pick, signIn, test, unique } from '../market'

test('a community that plays another game posts and filters by its professions and coins', async ({ browser }) => {
  const vectors = fileURLToPath(new URL('../../../core/testdata/game.json', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-game-'))
  const file = join(folder, 'game.json')
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(vectors, 'utf8')).game))
  const demo = await startDemo('--game', file)
  const context = await browser.newContext({ baseURL: demo.board })
  try {
    const page = await context.newPage()
    await signIn(page, 'Maple')
    await expect(page.getByRole('button', { name: /^(All|Bow Maker|Pearl Diver|Éclaireur) ?\d/ })).toHaveCount(4)
    await expect(page.getByRole('button', { name: /^Miner/ })).toHaveCount(0)

    await page.getByRole('button', { name: 'Post Request', exact: true }).click()
    const post = page.getByRole('dialog', { name: 'Post New Request' })
    const request = { itemName: unique('Yew Bow') }
    await post.getByRole('button', { name: /^More about the request/ }).click()
    await expect(post.getByLabel('Category')).toHaveText('Pearl Diver')
    await expect(post.getByText('For example 3K 50d')).toBeVisible()
    await post.getByLabel('Item name').fill(request.itemName)
    await post.getByLabel('Quantity').fill('2')
    await post.getByLabel('Max price per unit').fill('1p')
    await post.getByRole('button', { name: 'Post Request' }).click()
    await expect(post.getByText('Invalid format. Use: 3K 50d')).toBeVisible()
    await post.getByLabel('Max price per unit').fill('3k 50d')
    await expect(post.getByText('3 crown 50 penny').first()).toBeAttached()
    await pick(post.getByLabel('Category'), 'Bow Maker')
    await post.getByRole('button', { name: 'Post Request' }).click()
    await expect(post).toBeHidden()

    await page.getByRole('button', { name: /^Bow Maker/ }).click()
    await expect(page).toHaveURL(/category=Bow(\+|%20)Maker/)
    const card = cardOf(page, request)
    await expect(card).toContainText('Bow Maker')
    await expect(card).toContainText('7 crown')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Bow Maker Requests' })).toBeVisible()
    await expect(card).toBeVisible()
  } finally {
    await context.close()
    await demo.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
