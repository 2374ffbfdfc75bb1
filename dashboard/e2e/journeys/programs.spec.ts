import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { board, expect, soon, test } from '../market'

const example = (name: string) => fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url))

test('the price sheet of the examples has usual prices and open requests, and follows changes', async ({ market }) => {
  test.slow()
  const file = join(mkdtempSync(join(tmpdir(), 'sheet-')), 'prices.csv')
  const run = () => execFileSync('node', [example('price-sheet.mjs'), board(), file], { encoding: 'utf8' }).trim()
  const formula = await market.request('Maple', { itemName: `=Formula ${Date.now()}`, maxPricePerUnit: 12_345 })
  expect(run()).toMatch(/^\d+ items$/)
  const sheet = readFileSync(file, 'utf8')
  expect(sheet.split('\n')[0]).toBe('item,usual,low,high,days,bestRequest,wanted')
  expect(sheet).toContain(`\n'${formula.itemName},,,,,12345,${formula.quantity}\n`)
  expect(sheet).toMatch(/\nWaltzing Cod,\d+,\d+,\d+,\d+,/)
  await expect(() => expect(run()).toBe('nothing has changed')).toPass(soon) // between two writes of other journeys

  const later = await market.request('Maple', { itemName: `Later, "quoted" ${Date.now()}` })
  await expect(() => {
    run()
    expect(readFileSync(file, 'utf8')).toContain(`\n"${later.itemName.replaceAll('"', '""')}",`)
  }).toPass(soon)
})

test('the restock bot of the examples keeps stock as a sheet says, with a token that its owner made', async ({
  market,
}) => {
  test.slow()
  const page = await market.player('Juniper')
  await page.goto('/?dialog=data')
  await page.getByRole('button', { name: 'Make a Token' }).click()
  await page.getByLabel('Name of the program').fill('Restock bot')
  for (const scope of [/^read:/, /^stock:/]) await page.getByRole('checkbox', { name: scope }).check()
  await page.getByRole('button', { name: 'Make the Token' }).click()
  const token = await page.getByRole('textbox', { name: 'Token' }).inputValue()
  const sheet = join(mkdtempSync(join(tmpdir(), 'stock-')), 'stock.csv')
  const run = (TOKEN = token) =>
    execFileSync('node', [example('restock-bot.mjs'), board(), sheet], {
      encoding: 'utf8',
      env: { ...process.env, TOKEN },
    })
  const [ore, log] = [`Bot Ore ${Date.now()}`, `Bot Log ${Date.now()}`]
  writeFileSync(sheet, `${ore},200,500\n${log},30,700\n`)
  expect(run()).toBe(`added ${ore}\nadded ${log}\n`)
  expect(run()).toBe('')
  writeFileSync(sheet, `${ore},120,500\n${log},0,700\n`)
  expect(run().split('\n')).toEqual(expect.arrayContaining([`changed ${ore}`, `removed ${log}`]))
  await page.goto('/selling/stock')
  await expect(page.getByRole('listitem').filter({ hasText: ore }).first()).toContainText('120')
  const wrong = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
  expect(() => run(wrong)).toThrow(/token_unknown/)
})

test('the overlay of the examples shows open requests, and follows them', async ({ market }) => {
  const name = `Overlay <b>Ore</b> ${Date.now()}`
  await market.request('Maple', { itemName: name, category: 'Detective', maxPricePerUnit: 12_345 })
  const page = await market.visitor()
  const query = `market=${encodeURIComponent(board())}&category=Detective&rows=20`
  await page.goto(`${pathToFileURL(example('overlay.html'))}?${query}`)
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('12s 345c')
  await expect(page.getByRole('status')).toContainText(/^\d+ open requests?$/)
  await market.request('Maple', { itemName: `${name} too`, category: 'Detective' })
  await expect(row.filter({ hasText: 'too' })).toBeVisible(soon)
  await page.context().setOffline(true)
  await expect(page.getByRole('status')).toContainText('No connection since', soon)
  await expect(row).toHaveCount(2)
})

test('the receiver of webhooks of the examples takes what is signed, once', async () => {
  const key = Buffer.from('a secret of thirty-two characters')
  const env = { ...process.env, SECRET: `whsec_${key.toString('base64')}` }
  const receiver = spawn('node', [example('webhook.mjs'), '0'], { env })
  let printed = ''
  receiver.stdout.on('data', (text) => (printed += text))
  try {
    await once(receiver.stdout, 'data')
    const port = /listening on (\d+)/.exec(printed)?.[1]
    const body = '{"type":"offer.received","timestamp":"2027-06-01T12:00:00Z","data":{"id":70,"version":141}}'
    const send = async (signer: Buffer, at = Math.floor(Date.now() / 1000)) => {
      const signature = createHmac('sha256', signer).update(`msg_n141.${at}.${body}`).digest('base64')
      const headers = {
        'webhook-id': 'msg_n141',
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,aaaa v1,${signature}`,
      }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
    }
    expect(await send(Buffer.from('another'))).toBe(401)
    expect(await send(key, 1_811_851_200)).toBe(401)
    expect([await send(key), await send(key)]).toEqual([204, 204])
    expect(printed.match(/offer\.received \{"id":70,"version":141\}/g)).toHaveLength(1)
  } finally {
    receiver.kill()
  }
})

for (const [colorScheme, viewport] of [
  ['light', { width: 390, height: 844 }],
  ['dark', { width: 1440, height: 900 }],
] as const) {
  test(`the page for programs reads well, ${colorScheme} and ${viewport.width} wide`, async ({ market }) => {
    test.slow()
    const page = await market.visitor({ colorScheme, viewport, javaScriptEnabled: true })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('for programs')
    await page.getByRole('navigation').getByText('public', { exact: false }).first().click()
    await page.getByRole('link', { name: 'List open requests, for programs' }).first().click()
    await expect(page).toHaveURL(/#list-public-orders$/)
    await expect(page.locator('#list-public-orders')).toBeInViewport()
    await expect(page.locator('#list-public-orders')).toContainText(`curl "${board()}/api/public/orders`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    const found = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .exclude('article:not(#list-public-orders):not(#post-order):not(#shape-Order)') // the others have the same parts
      .analyze()
    expect(found.violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([])
    expect(complaints).toEqual([])
  })
}
