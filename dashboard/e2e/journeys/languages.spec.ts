// The page in other languages: the screens that differ with texts a third longer, and every screen in German, without an English word
// and with nothing cut off.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { englishOn } from '../german'
import { expect, test } from '../market'
import { looked, type Screen, screens, shorten, show } from '../screens'

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

test.describe('in the pseudo-language', () => {
  // One worker builds its scripts once.
  test.describe.configure({ mode: 'default' })
  let built = ''
  test.beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), 'tradepost-pseudo-'))
    execFileSync('npx', ['vite', 'build', '--outDir', built, '--emptyOutDir', '--logLevel', 'error'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, PSEUDO_LANGUAGE: '1' },
    })
  })
  test.afterAll(() => rmSync(built, { recursive: true, force: true }))

  /** Gives a page the scripts with longer texts: they have the names of the English ones. */
  async function longer(context: BrowserContext) {
    await context.route(/\/assets\/(en|pseudo)\/[^/]+\.js$/, (route) => {
      const file = join(built, 'assets/pseudo', basename(new URL(route.request().url()).pathname))
      if (!existsSync(file)) throw new Error(`${file} is missing: bin/tradepost was built from other sources`)
      return route.fulfill({ contentType: 'text/javascript', body: readFileSync(file, 'utf8') })
    })
  }

  for (const as of [undefined, 'Maple', 'Tamsin'] as const) {
    test(`nothing is cut off at 360 px: screens of ${as ?? 'a visitor'}`, async ({ market }) => {
      test.slow()
      const context = (as ? await market.player(as, phone) : await market.visitor(phone)).context()
      await longer(context)
      const found: string[] = []
      let longerTexts = 0
      const page = await market.pageIn(context) // a page for each screen takes a third more of the processor's time
      for (const screen of looked.filter((screen) => screen.as === as)) {
        await shorten(page)
        await show(page, screen)
        found.push(...(await page.evaluate(cutOff)).map((what) => `${screen.name}: ${what}`))
        longerTexts += await page.evaluate(() => (document.body.innerText.match(/ē/g) ?? []).length)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
      expect(longerTexts, 'letters that the pseudo-language adds').toBeGreaterThan(100)
      expect(found).toEqual([])
    })
  }
})

/** Returns the texts of ours that are cut off or stand outside of the window. What people typed may be shortened. */
function cutOff(): string[] {
  const found = []
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider > 0) found.push(`the page is ${wider} px wider than the window`)
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (/(auto|scroll)/.test(getComputedStyle(element).overflowX) ||
      (element !== document.body && scrolls(element.parentElement)))
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    if (own.length === 0 || element.closest('.sr-only, [aria-hidden=true], [inert], [dir=auto], noscript, svg, select'))
      continue
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || getComputedStyle(element).visibility !== 'visible') continue
    const text = `“${element.textContent?.trim().slice(0, 60)}”`
    const style = getComputedStyle(element)
    if (style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) found.push(`${text} is cut off`)
    else if (style.overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 2)
      found.push(`${text} loses lines`)
    if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(element))
      found.push(`${text} is outside of the window`)
    const button = element.closest('button, [role=button], a')?.getBoundingClientRect()
    if (button && (box.right > button.right + 2 || box.left < button.left - 2))
      found.push(`${text} is wider than its button`)
  }
  return [...new Set(found)]
}

/** Names of players and of made-up screens. Names of items are asked for. */
const names = [
  /A Name as Long .* Breaks|Old Pim|At the fountain (of Silverhall|.* bank)|In Ravenia, by the east gate|There is no such item in the game/g,
  /New guild hall|For me(?= (?:pausieren|entfernen))|@example.com|pim_the_elder|the_longest_name_of_an_account_32|Potion Boost Level/g,
  /\p{Lu}\S*(?: (?:of|the|and))+ \p{Lu}\S*/gu, // Fox of the Fen
]

/** Returns the names of the items that are asked for, the longest first. */
async function itemNames(page: Page): Promise<string[]> {
  const found = new Set<string>()
  for (let next: string | null = ''; next !== null; ) {
    const list: { orders: { itemName: string }[]; nextCursor: string | null } = await (
      await page.request.get(`/api/orders?cursor=${next}`)
    ).json()
    for (const { itemName } of list.orders) found.add(itemName)
    next = list.nextCursor
  }
  return [...found].sort((a, b) => b.length - a.length)
}

/** Opens a screen that needs no button, in German. */
async function inGerman(page: Page, screen: Screen) {
  await screen.given?.(page)
  await page.goto(screen.path)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('heading').first().waitFor()
  if (screen.path.includes('dialog=')) await page.getByRole('dialog').waitFor()
  await page
    .getByRole('status', { name: /^(Loading|Wird|Lade)/ })
    .first()
    .waitFor({ state: 'detached' })
}

for (const as of [undefined, 'Maple', 'Tamsin'] as const) {
  test(`in German no English word is left, and nothing is cut off: screens of ${as ?? 'a visitor'}`, async ({
    market,
  }) => {
    test.slow()
    const options = { ...phone, locale: 'de-DE' }
    const context = (as ? await market.player(as, options) : await market.visitor(options)).context()
    const found: string[] = []
    const page = await market.pageIn(context)
    let items: string[] | undefined
    for (const screen of screens.filter((screen) => screen.as === as && !/loading|failed/.test(screen.name))) {
      await shorten(page)
      await inGerman(page, screen)
      items ??= await itemNames(page)
      const wrong = [...(await englishOn(page, [...names, ...items])), ...(await page.evaluate(cutOff))]
      found.push(...wrong.map((what) => `${screen.name}: ${what}`))
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    expect([...new Set(found)]).toEqual([])
  })
}
