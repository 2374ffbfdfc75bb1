// Loads a thousand requests, as cards and as a list, and does what people do, on a processor four times slower, and prints how long each takes until
// the next paint. Fails above the mark. Needs a running market: BASE_URL=http://127.0.0.1:8080 npm run smooth (TIMES=3 for a quick look)
import { chromium } from '@playwright/test'

const mark = 100 // ms from an interaction to the next paint
const cards = 1000
const slower = 4
const address = process.env.BASE_URL ?? 'http://127.0.0.1:8080'

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, baseURL: address })
  await serveMany(page)
  await page.addInitScript(() => {
    window.interactions = []
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) if (interactionId) window.interactions.push(duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  })
  await page.goto('/')
  await loadAll(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })

  const took = []
  /** Does something a few times. The best figure stands, because other programs run beside this one and slow it down. */
  async function measure(what, act, undo, { times = Number(process.env.TIMES ?? 7), before } = {}) {
    const figures = []
    for (let i = 0; i < times; i++) {
      await before?.()
      await settle(page)
      await page.evaluate(() => {
        window.interactions.length = 0
      })
      await act()
      await settle(page)
      figures.push(await page.evaluate(() => Math.max(0, ...window.interactions)))
      await undo?.()
    }
    figures.sort((a, b) => a - b)
    took.push(figures[0])
    console.log(`${String(figures[0]).padStart(5)} ms  ${what}  (${figures.join(', ')})`)
  }
  // By its place, because to look for a name takes long on a slow processor, and would be counted.
  const click = (place) => () => page.mouse.click(place.x, place.y)
  const press = (key) => () => page.keyboard.press(key)
  const gone = () => page.waitForSelector('[role=dialog]', { state: 'detached' })

  const middleOfPage = () => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  const toTop = () => page.evaluate(() => window.scrollTo(0, 0))
  const opened = () => page.waitForSelector('[role=dialog]:not([aria-busy=true])')

  async function measureDialog(where, offer) {
    await click(offer)() // its code is loaded by now, or here
    await opened()
    await press('Escape')()
    await gone()
    await measure(`${where}: open a dialog`, click(offer), async () => {
      await opened()
      await press('Escape')()
      await gone()
    })
    await click(offer)()
    await opened()
    await measure(`${where}: close a dialog`, press('Escape'), async () => {
      await gone()
      await click(offer)()
      await opened()
    })
    await press('Escape')()
    await gone()
  }

  async function measureControls(where) {
    await toTop()
    await page.getByRole('searchbox').focus()
    await measure(`${where}: type into the search`, press('x'), press('Backspace'))
    await press('Tab')()
    // Their row scrolls to the one that was pressed.
    const chip = (name) => page.getByRole('button', { name })
    let miner
    const back = async () => {
      await settle(page)
      await chip(/^All/).click()
    }
    const before = async () => {
      await chip(/^Miner/).scrollIntoViewIfNeeded()
      miner = await middle(chip(/^Miner/))
    }
    await measure(`${where}: choose a category`, () => click(miner)(), back, { before })
    const theme = await middle(page.getByRole('button', { name: /^Switch to the/ }))
    await measure(`${where}: switch the theme`, click(theme))
  }

  await middleOfPage()
  await settle(page)
  const card = page.locator(`[data-order="${await cardInSight(page)}"]`)
  await card.getByRole('spinbutton').focus()
  await measure('cards: type into the calculator', press('ArrowDown'))
  await measureDialog('cards', await middle(card.getByRole('button', { name: /^Offer to Fulfill/ })))
  await measureControls('cards')
  console.log(`longest frame while scrolling: ${await longestFrame(page)} ms`)
  await settle(page) // the wheel may still turn
  await toTop()
  await settle(page)
  const [cardsButton, listButton] = [
    await middle(page.getByRole('button', { name: 'Cards', exact: true })),
    await middle(page.getByRole('button', { name: 'List', exact: true })),
  ]
  await click(listButton)() // its code is loaded by now, or here
  await loadAllRows(page)
  await measure('cards to list', click(listButton), click(cardsButton), { before: click(cardsButton) })
  await measure('list to cards', click(cardsButton), click(listButton), { before: click(listButton) })

  await click(listButton)()
  await settle(page)
  await middleOfPage()
  await settle(page)
  const link = await middleRow(page)
  await measure('list: open a request beside it', click(link), press('Escape'))
  await click(link)()
  await settle(page)
  await measure('list: walk to the next request', press('j'))
  await press('Escape')()
  const group = await middleRow(page, 'button[aria-expanded]')
  await measure('list: show the requests of an item', click(group), click(group))
  await click(group)()
  await measure('list: fold them', click(group), click(group))
  await click(group)()
  await measureDialog('list', await middleRow(page, 'button[aria-label^="Offer on"]'))
  await measureControls('list')
  console.log(`longest frame while scrolling: ${await longestFrame(page)} ms`)

  const worst = Math.max(...took)
  console.log(
    `${cards} requests in both views, processor ${slower} times slower: next paint within ${worst} ms (at most ${mark})`,
  )
  process.exitCode = worst > mark ? 1 : 0
} finally {
  await browser.close()
}

/** Answers the board's list with the market's own requests, over and over, until there are enough. */
async function serveMany(page) {
  const { orders } = await (await fetch(`${address}/api/orders`)).json()
  const many = Array.from({ length: cards }, (_, i) => ({ ...orders[i % orders.length], id: 1_000_000 - i }))
  // Each row of the list is an item of its own, and every fifth has four requests.
  const items = many.map((order, i) => ({
    ...order,
    itemName: `${order.itemName} ${i}`,
    ...(i % 5 === 0 && { group: { requests: 4, wanted: 1240, best: order.maxPricePerUnit } }),
  }))
  const size = 60
  await page.route(/\/api\/orders(\?|$)/, (route) => {
    const query = new URL(route.request().url()).searchParams
    const from = Number(query.get('cursor') ?? 0)
    const folded = query.get('item')
    if (folded) {
      const { group, ...order } = items.find((o) => o.itemName.toLowerCase() === folded)
      const four = Array.from({ length: 4 }, (_, i) => ({ ...order, id: 10 * order.id + i }))
      return route.fulfill({ json: { orders: four, total: 4, nextCursor: null } })
    }
    const all = query.get('group') ? items : many
    const list = query.get('category') ? all.filter((o) => o.category === query.get('category')) : all
    const next = from + size < list.length ? String(from + size) : null
    return route.fulfill({ json: { orders: list.slice(from, from + size), total: list.length, nextCursor: next } })
  })
  await page.route(/\/api\/orders\/\d+$/, (route) => {
    const id = Number(route.request().url().split('/').pop())
    return route.fulfill({ json: many.find((o) => o.id === id) })
  })
}

async function loadAll(page) {
  const shown = page.locator('ul[aria-label=Requests] > li')
  await shown.first().waitFor()
  for (let tries = 0; (await shown.count()) < cards; tries++) {
    if (tries > 400) throw new Error(`only ${await shown.count()} cards were loaded`)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(50)
  }
  await page.evaluate(() => window.scrollTo(0, 0))
}

async function loadAllRows(page) {
  const table = page.getByRole('table')
  await table.waitFor()
  for (let tries = 0; Number(await table.getAttribute('aria-rowcount')) <= cards; tries++) {
    if (tries > 400) throw new Error(`only ${await table.getAttribute('aria-rowcount')} rows were loaded`)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(50)
  }
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** Brings a card wholly into sight, and returns the id of its request. */
async function cardInSight(page) {
  const order = await page.evaluate(() => {
    const card = [...document.querySelectorAll('article')].find(
      (card) => card.getBoundingClientRect().top > 0 && card.querySelector('input[type=number]'),
    )
    card.scrollIntoView({ block: 'center' })
    return card.dataset.order
  })
  await settle(page)
  return order
}

/** Where a row in the middle of the window has its link or its button. */
async function middleRow(page, element = 'a') {
  return page.evaluate((element) => {
    const row = [...document.querySelectorAll('tr[data-row]')].find(
      (row) => row.getBoundingClientRect().top > innerHeight / 2 && row.querySelector(element),
    )
    const { x, y, width, height } = row.querySelector(element).getBoundingClientRect()
    return { x: x + Math.min(width, 40) / 2, y: y + height / 2 }
  }, element)
}

async function middle(locator) {
  const { x, y, width, height } = await locator.boundingBox()
  return { x: x + width / 2, y: y + height / 2 }
}

/** Two frames, and whatever the page had left to do. */
function settle(page) {
  return page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 250)))
      }),
  )
}

async function longestFrame(page) {
  await page.evaluate(() => {
    window.frames_ = []
    let last = performance.now()
    const frame = (now) => {
      window.frames_.push(now - last)
      last = now
      window.framesEnd = requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  await page.mouse.move(700, 500)
  for (let i = 0; i < 40; i++) {
    await page.mouse.wheel(0, 600)
    await page.waitForTimeout(40)
  }
  return page.evaluate(() => {
    cancelAnimationFrame(window.framesEnd)
    return Math.round(Math.max(...window.frames_))
  })
}
