import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '../market'
import { looked, lookedAtAll, shorten, show } from '../screens'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const desktop = { viewport: { width: 1280, height: 900 } }
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

const tablet = { viewport: { width: 800, height: 1000 } }

/** How a screen is looked at. In `make axe-all` in both themes and at three widths. Otherwise so that every screen is seen in each
 * theme and at each width, and every width in each theme: by turns light on a desktop and dark on a phone, or the other way. */
const everyLook = [desktop, tablet, phone].flatMap((device) => [
  { device, theme: 'light' as const },
  { device, theme: 'dark' as const },
])
const pairs = (turn: number) => [
  { device: desktop, theme: turn % 2 === 0 ? ('light' as const) : ('dark' as const) },
  { device: phone, theme: turn % 2 === 0 ? ('dark' as const) : ('light' as const) },
]

for (const [turn, screen] of looked.entries()) {
  test(`axe finds nothing: ${screen.name}`, async ({ market }) => {
    const row: string[] = []
    const everything: string[] = []
    for (const { device, theme } of lookedAtAll ? everyLook : pairs(turn)) {
      const options = { ...device, colorScheme: theme, reducedMotion: 'reduce' } as const
      const page = screen.as ? await market.player(screen.as, options) : await market.visitor(options)
      await shorten(page)
      await show(page, screen)
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark')
      // Without frames of other origins one run says the same as a run and a report in a second page, in half of the time.
      const axe = new AxeBuilder({ page })
        .options({ resultTypes: ['violations'] })
        .withTags(rules)
        .setLegacyMode()
      // The page under a dialog is inert, and has a screen of its own.
      if (screen.name.startsWith('dialog-')) axe.include('[role=dialog], [role=alertdialog]')
      const { violations } = await axe.analyze()
      const found = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)
      row.push(`${device.viewport.width} ${theme}: ${found.length}`)
      everything.push(...found.map((one) => `${theme}, ${device.viewport.width} wide: ${one}`))
      await page.unrouteAll({ behavior: 'ignoreErrors' }) // a list may be on its way once more
      await page.context().close()
    }
    if (lookedAtAll) console.log(`| ${screen.name} | ${row.join(' | ')} |`)
    expect(everything, screen.name).toEqual([])
  })
}

test('at 200 % zoom nothing is cut off sideways', async ({ market }) => {
  // 200 % on a window of 1280 leaves the page 640.
  const page = await market.visitor({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 })
  for (const path of ['/', '/?dialog=sign-in', '/requests/62']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeAttached()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('at 200 % zoom a request is on the first screen', async ({ market }) => {
  for (const page of [
    await market.visitor({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }),
    await market.player('Maple', { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }),
  ]) {
    await page.goto('/?view=cards')
    await expect(page.getByRole('article').first()).toBeVisible()
    const cards = await page.getByRole('article').evaluateAll(
      (all) =>
        all.filter((card) => {
          const name = card.querySelector('h2, h3')?.getBoundingClientRect()
          return name && name.bottom < innerHeight && card.getBoundingClientRect().top + 150 <= innerHeight
        }).length,
    )
    expect(cards, 'cards of which the name and at least 150 px are shown').toBeGreaterThanOrEqual(1)
  }
})

test('with forced colours the progress and the chosen chip can be seen', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  await market.sale('Maple', request, 4)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await market.visitor({ forcedColors: 'active', colorScheme })
    await page.goto(`/?q=${encodeURIComponent(request.itemName)}`)
    const bar = page.getByRole('progressbar').first()
    await expect(bar).toBeVisible()
    const style = (element: Element) => {
      const { backgroundColor, borderTopStyle, borderTopColor, color } = getComputedStyle(element)
      return { backgroundColor, borderTopStyle, borderTopColor, color }
    }
    const around = await bar.evaluate(style)
    const done = await bar.locator('> *').evaluate(style)
    expect(done.backgroundColor).not.toBe(around.backgroundColor)
    expect(around.borderTopStyle).toBe('solid')
    expect(around.borderTopColor).not.toBe(around.backgroundColor)
    const [chosen, other] = await Promise.all(
      [/^All/, /^Miner/].map((name) => page.getByRole('button', { name }).evaluate(style)),
    )
    expect(chosen?.backgroundColor).not.toBe(other?.backgroundColor)
    expect(chosen?.backgroundColor).not.toBe(chosen?.color)
  }
})

test('on a phone everything that can be touched is 44 px tall and wide', async ({ market }) => {
  const page = await market.player('Maple', phone)
  for (const path of ['/', '/mine', '/inbox', '/?dialog=post']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeAttached()
    await page.waitForLoadState('networkidle')
    const small = await page.evaluate(() => {
      const tooSmall: string[] = []
      for (const element of document.querySelectorAll<HTMLElement>('button, select, input, [role=menuitem], nav a')) {
        const box = element.getBoundingClientRect()
        if (box.width === 0 || element.closest('[aria-hidden=true]')) continue
        const label = element.closest('label')?.getBoundingClientRect()
        const after = getComputedStyle(element, '::after')
        const reach = (own: number, side: 'width' | 'height') =>
          Math.max(own, after.content === 'none' ? 0 : Number.parseFloat(after[side]) || 0, label?.[side] ?? 0)
        if (reach(box.width, 'width') < 43.5 || reach(box.height, 'height') < 43.5) {
          tooSmall.push(
            `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent} ${box.width}×${box.height}`,
          )
        }
      }
      return tooSmall
    })
    expect(small, path).toEqual([])
  }
})
