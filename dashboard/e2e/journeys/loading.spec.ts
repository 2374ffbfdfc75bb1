import type { Locator, Page } from '@playwright/test'
import { cardOf, expect, find, test, unique } from '../market'

test.use({ motion: true })

/** What the page has asked of the API, with what began it and whether that was before the page's scripts were there. */
const asked = (page: Page) =>
  page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = Math.min(...entries.filter((e) => /\/index-[^/]+\.js$/.test(e.name)).map((e) => e.responseEnd))
    return (
      entries
        // The record of a buyer is asked for once their request is shown.
        .filter((e) => e.name.includes('/api/') && !e.name.endsWith('/events') && !e.name.includes('/api/traders'))
        .map(
          (e) =>
            `${new URL(e.name).pathname}${new URL(e.name).search} by ${e.initiatorType}${e.startTime < scripts ? '' : ', late'}`,
        )
        .sort()
    )
  })

test('the first data is preloaded in parallel with the scripts, once', async ({ market }) => {
  const request = await market.request('Rowan')
  for (const [path, data] of [
    ['/', ['/api/me', '/api/orders', '/api/orders/counts']],
    ['/?category=Miner&sort=price', ['/api/me', '/api/orders/counts', '/api/orders?category=Miner&sort=price']],
    ['/?category=Miner&view=list', ['/api/me', '/api/orders/counts', '/api/orders?category=Miner&group=item']],
    [`/requests/${request.id}`, ['/api/me', `/api/orders/${request.id}`]],
  ] as const) {
    const page = await market.visitor()
    const warnings: string[] = []
    page.on('console', (message) => message.text().includes('preload') && warnings.push(message.text()))
    await page.route(/\/api\/events/, () => {}) // with it everything is asked for again
    await page.goto(path)
    await expect(page.locator('article, [data-row]').first()).toBeVisible()
    await expect(page.locator('[data-first-look]')).toHaveCount(0) // the page has taken over
    await expect.poll(() => asked(page)).toEqual(data.map((address) => `${address} by link`))
    expect(warnings).toEqual([])
    await page.context().close()
  }
})

test('a change while the page loads is shown', async ({ market }) => {
  const request = await market.request('Maple', { quantity: 10 })
  const page = await market.visitor()
  await page.route(/\/api\/events/, async (route) => {
    await expect(cardOf(page, request)).toContainText('10 of 10 left')
    await market.sale('Maple', request, 4)
    await route.continue()
  })
  await page.goto(`/requests/${request.id}`)
  await expect(cardOf(page, request)).toContainText('6 of 10 left')
})

test('a dialog opens at once, and its form takes the place of the skeleton', async ({ market }) => {
  const request = await market.request('Rowan')
  const page = await market.visitor()
  let run = () => {}
  const held = new Promise<void>((resolve) => {
    run = resolve
  })
  await page.route('**/assets/*/offering-*.js', async (route) => {
    await held
    await route.continue()
  })
  const opener = (await find(page, request)).getByRole('button', { name: 'Offer to Fulfill' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Offer to Fulfill' })
  await expect(dialog).toHaveAttribute('aria-busy', 'true')
  await expect(dialog).toBeFocused()
  run()
  await expect(dialog.getByLabel('Your name')).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

/** Follows the page's scripts that are loaded: their names without the hash, and what they weigh as they are sent. */
function followScripts(page: Page) {
  const loaded = new Map<string, Promise<number>>()
  page.on('requestfinished', (request) => {
    const [, name] = new URL(request.url()).pathname.match(/([\w-]+?)(?:-[\w-]{7})?\.js$/) ?? []
    if (name)
      loaded.set(
        name,
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      )
  })
  return {
    names: () => [...loaded.keys()],
    bytes: async () => (await Promise.all(loaded.values())).reduce((sum, size) => sum + size, 0),
  }
}

/** Lets ten seconds pass in which no one does anything. */
async function restOf(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.clock.runFor(10_000)
  await page.waitForLoadState('networkidle')
}

for (const reader of ['visitor', 'Maple'] as const) {
  test(`dialogs are loaded once the page is used, and the likely ones only: ${reader}`, async ({ market }) => {
    const request = await market.request('Rowan')
    const page = reader === 'visitor' ? await market.visitor() : await market.player(reader)
    await page.clock.install()
    const scripts = followScripts(page)
    await page.goto(`/?q=${encodeURIComponent(request.itemName)}`)
    const card = cardOf(page, request)
    await expect(card).toBeVisible()
    await restOf(page)
    const before = scripts.names()
    expect(before).toContain('vendor')
    expect(before).not.toContain('forms')
    const bytes = await scripts.bytes()
    console.log(`${reader}: ${bytes} bytes of script in ${before.length} files before the page is used`)
    expect(bytes, before.join(' ')).toBeLessThan(150_000)

    await card.getByRole('button', { name: 'Offer to Fulfill' }).hover()
    await expect.poll(scripts.names).toContain('offering')
    await restOf(page)
    const after = scripts.names().filter((name) => !before.includes(name))
    const likely = ['DialogHost', 'dist', 'forms', 'later', 'offering', 'overlays', 'posting', 'toasts']
    expect(after.filter((name) => !likely.includes(name))).toEqual([])
    expect(after.includes('posting')).toBe(reader === 'Maple')
  })
}

test('a browser that saves data loads a dialog with the press', async ({ market }) => {
  const request = await market.request('Rowan')
  const page = await market.visitor()
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, addEventListener: () => {} } }),
  )
  await page.clock.install()
  const scripts = followScripts(page)
  const offer = (await find(page, request)).getByRole('button', { name: 'Offer to Fulfill' })
  await offer.hover()
  await restOf(page)
  expect(scripts.names()).toContain('vendor')
  expect(scripts.names()).not.toContain('offering')
  await offer.click()
  await expect(page.getByRole('dialog', { name: 'Offer to Fulfill' }).getByLabel('Your name')).toBeFocused()
})

for (const [device, viewport] of Object.entries({
  desktop: { width: 1280, height: 900 },
  phone: { width: 360, height: 740 },
})) {
  test(`the header is shown before the scripts load, and does not move: ${device}`, async ({ market }) => {
    const page = await market.visitor({ viewport })
    let run = () => {}
    const held = new Promise<void>((resolve) => {
      run = resolve
    })
    await page.route('**/assets/*/index-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    const name = page.getByText('Tradepost', { exact: true })
    const tagline = page.getByText('Powered by your own community')
    await expect(name).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const place = (text: Locator) => text.boundingBox().then((box) => [box?.x, box?.y, box?.height])
    const places = () => Promise.all([name, tagline].map(place))
    const before = await places()
    run()
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Tradepost, all requests' })).toBeVisible()
    expect(await places()).toEqual(before)
  })
}

/** Holds the page's scripts until it is told to go on. */
async function heldScripts(page: Page) {
  let run = () => {}
  const held = new Promise<void>((resolve) => {
    run = resolve
  })
  await page.route('**/assets/*/index-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.route(/\/api\/events/, () => {}) // what others post in the meantime does move the board
  await followShifts(page)
  return run
}

const followShifts = (page: Page) =>
  page.addInitScript(() => {
    type Rect = { x: number; y: number; width: number; height: number }
    type Shift = PerformanceEntry & { value: number; sources: { node?: Node; previousRect: Rect; currentRect: Rect }[] }
    const shifts: { value: number; what: string[] }[] = []
    Object.assign(window, { shifts })
    const read = ({ x, y, width, height }: Rect) => [x, y, width, height].map((n) => n.toFixed(1)).join(' ')
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        shifts.push({
          value: entry.value,
          what: entry.sources.map(
            ({ node, previousRect, currentRect }) =>
              `${node?.nodeName} ${node?.textContent?.slice(0, 60)}: ${read(previousRect)} -> ${read(currentRect)}`,
          ),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Waits until what is in the document was drawn. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

const shifts = async (page: Page) => {
  await drawn(page)
  return page.evaluate(() => Reflect.get(window, 'shifts'))
}

/** Where the requests are, and what is above them. A card that was never drawn has a height that stands in for its own. */
const placesOf = async (page: Page) => {
  await drawn(page)
  return page.evaluate(() =>
    [...document.querySelectorAll('h1, article, [data-row], th')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.top < innerHeight)
      .map(({ element, box }) =>
        [element.getAttribute('data-order') ?? element.getAttribute('data-row') ?? element.textContent].concat(
          [box.x, box.y, box.width, box.height].map((n) => n.toFixed(1)),
        ),
      ),
  )
}

/** A number in a card that is longer in another font counts for less. A card that moves by one line counts nine times as much
 * on a phone, and the line of a header a little more. */
const visible = 0.001

for (const [path, width, height] of [
  ['/', 1440, 900],
  ['/', 360, 740],
  ['/?view=list', 900, 740],
  ['/?view=list&category=Fisher&sort=price', 360, 740], // which no other journey posts in
] as const) {
  test(`the first requests are in the document, and stay where they are: ${path} on ${width}`, async ({ market }) => {
    const page = await market.visitor({ viewport: { width, height } })
    const run = await heldScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator('[data-first-look]')).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const before = await placesOf(page)
    expect(before.length).toBeGreaterThan(2)
    run()
    await expect(page.getByRole('banner')).toBeVisible() // the page's own header
    expect((await placesOf(page)).slice(0, before.length)).toEqual(before) // the page has more than nine cards
    const moved = await shifts(page)
    const cumulative = moved.reduce((sum: number, { value }: { value: number }) => sum + value, 0)
    expect(cumulative, JSON.stringify(moved, null, 1)).toBeLessThan(visible)
  })
}

const places = [
  ...['/mine', '/mine/offers', '/completed', '/selling', '/selling/offers', '/selling/saved', '/selling/stock'],
  ...['/trades', '/items', '/items/1', '/items/wanted', '/inbox'],
]
/** Follows what the browser takes for the page's main content. */
const followPaints = () => {
  const largest: { at: number; what: string | undefined }[] = []
  Object.assign(window, { largest })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[])
      largest.push({ at: entry.startTime, what: entry.element?.outerHTML.slice(0, 200) })
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}

/** The page waits four seconds to be whole, which a machine that does much else may miss. */
const waitForWhole = () => {
  const { setTimeout } = window
  Object.assign(window, {
    setTimeout: (run: TimerHandler, after?: number) => setTimeout(run, after === 4_000 ? 60_000 : after),
  })
}

test('a place is shown before its scripts load, and comes whole', async ({ market }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const context = (await market.player('Juniper', phone)).context()
  for (const path of places) {
    const page = await market.pageIn(context)
    await page.addInitScript(followPaints)
    await page.addInitScript(waitForWhole)
    const run = await heldScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    const sentence = await page.locator('main p').first().innerText()
    const headings = await page.locator('main h1').allInnerTexts()
    run()
    const whole = page.locator('#root > #content')
    await expect(whole, path).toBeVisible()
    await expect(whole, path).toContainText(sentence)
    if (headings.length > 0) await expect(whole.locator('h1'), path).toHaveText(headings)
    await drawn(page)
    const [largest, scripts] = await page.evaluate(() => [
      Reflect.get(window, 'largest').at(-1),
      performance.getEntriesByType('resource').find(({ name }) => /\/index-[^/]+\.js$/.test(name))?.startTime ?? 0,
    ])
    expect(largest.at, `${path}: ${largest.what}`).toBeLessThan(scripts)
    const moved = await shifts(page)
    const cumulative = moved.reduce((sum: number, { value }: { value: number }) => sum + value, 0)
    expect(cumulative, `${path}: ${JSON.stringify(moved, null, 1)}`).toBeLessThan(0.02)
    await page.close()
  }
})

test('text and focus from before the page runs stay', async ({ market }) => {
  const request = await market.request('Rowan', { itemName: unique('Cobalt') })
  const page = await market.visitor()
  const run = await heldScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('searchbox').fill(request.itemName)
  run()
  await expect(cardOf(page, request)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('without scripts the requests are links to their pages', async ({ market }) => {
  const page = await market.visitor({ javaScriptEnabled: false })
  await page.goto('/')
  await expect(page.getByRole('article')).toHaveCount(9)
  await page.getByRole('article').first().getByRole('heading').getByRole('link').click()
  await expect(page).toHaveURL(/\/requests\/\d+$/)
})

test("a user's own requests are never shown as another's", async ({ market }) => {
  const own = await market.request('Juniper')
  const page = await market.player('Juniper')
  await page.goto('/')
  await expect(cardOf(page, own)).toContainText('Your Request')
  const run = await heldScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('[data-first-look]')).toBeAttached()
  await expect(cardOf(page, own).getByText('Offer to Fulfill')).toBeHidden()
  run()
  await expect(cardOf(page, own)).toContainText('Your Request')
})

test('large counts cause no layout shift', async ({ market }) => {
  const page = await market.visitor({ viewport: { width: 360, height: 740 } })
  await page.route(/\/api\/events/, () => {}) // what others post in the meantime does move the board
  await page.route(/\/api\/orders\/counts/, async (route) => {
    const counts = await (await route.fetch()).json()
    for (const category of Object.keys(counts.categories)) counts.categories[category] = 123_456
    await expect(page.getByRole('article').first()).toBeVisible() // so they come last
    await route.fulfill({ json: { ...counts, all: 1_851_840 } })
  })
  await followShifts(page)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'All 1,851,840' })).toBeVisible()
  expect(await shifts(page)).toEqual([])
})
