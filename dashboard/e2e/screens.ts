// Every screen and state of the page, and how to get there. The tests look at each with axe, and `npm run screens` takes
// a picture of each.
import type { Page } from '@playwright/test'
import type { Player } from './market'

export type Screen = {
  name: string
  as?: Player
  path: string
  /** Before the page is opened: what the server is to answer. */
  given?: (page: Page) => Promise<unknown>
  /** After it was opened. */
  act?: (page: Page) => Promise<unknown>
}

const soon = () => new Date(Date.now() + 12 * 86_400_000).toISOString()

const nothing = { orders: [], total: 0, nextCursor: null }
const json = (body: unknown, status = 200) => ({ status, contentType: 'application/json', body: JSON.stringify(body) })
const answer =
  (url: RegExp, body: unknown, status = 200) =>
  (page: Page) =>
    page.route(url, (route) => route.fulfill(json(body, status)))

const orders = /\/api\/orders(\?|$)/
const counts = /\/api\/orders\/counts/
const own = (status: string) => new RegExp(`/api/me/orders\\?.*status=${status}`)
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

async function fromMenu(page: Page, item: string) {
  await press(/Actions for your request/)(page)
  await page.getByRole('menuitem', { name: item }).click()
  await dialog(page).waitFor()
}

/** What the figures beside the tabs say. */
const counting = (counts: object) => (page: Page) =>
  page.route(/\/api\/me$/, async (route) => {
    const me = await (await route.fetch()).json()
    await route.fulfill(json({ ...me, counts: { ...me.counts, ...counts } }))
  })

const both =
  (first: (page: Page) => Promise<unknown>, second: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await first(page)
    await second(page)
  }

const youngMarket = {
  ...{ young: true, trusted: 4, trustedWanted: 10, circles: 2, circlesWanted: 3 },
  candidates: ['rowan.ashdown', 'juniper_fox', 'the_longest_name_of_an_account_32'].map((username, i) => ({
    ...{ id: 11 + i, username, partners: 9 - i, apart: 7 - 2 * i },
    firstTrade: '2026-05-04T13:00:00Z',
    ...(i !== 1 && { accountMade: '2021-02-03T04:05:06Z' }),
  })),
}

const seen = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

/** What was agreed: with a seller who has an account, and with a visitor. */
const receipts = answer(/\/api\/me\/receipts/, {
  receipts: [
    {
      ...{ id: 2, offerId: 71, orderId: 7, itemName: 'Iron Ore', quantity: 400, pricePerUnit: 2_500_250 },
      ...{ total: '1000100000', side: 'buyer', ign: 'Maple of the Mill', acceptedAt: new Date().toISOString() },
      with: {
        name: 'Fern',
        contact: 'fern',
        verified: true,
        discordUrl: 'https://discord.com/users/80351110224678912',
      },
    },
    {
      ...{
        id: 1,
        offerId: 70,
        orderId: 7,
        itemName: 'Iron Ore',
        quantity: 3,
        pricePerUnit: 2_500_000,
        total: '7500000',
      },
      ...{ side: 'buyer', ign: null, acceptedAt: new Date(Date.now() - 7_200_000).toISOString() },
      with: { name: 'Oakley Underhill the Younger', contact: '@oakley.underhill', verified: false, discordUrl: null },
    },
  ],
  nextCursor: null,
})

const slipLine = (handover: object, more: object = {}) => ({
  handover: {
    ...{
      orderId: 7,
      offerId: 70,
      itemName: 'Iron Ore',
      quantity: 400,
      total: '1000100000',
      side: 'buyer',
      partnerId: 4,
    },
    ...{ with: { name: 'Fern', contact: 'fern' }, state: 'agreed', settledAt: null, missing: 0 },
    ...{ acceptedAt: '2026-05-01T12:00:00Z', agreedBy: '2026-05-04T18:00:00Z' },
    ...{ canSay: true, canTakeBack: false, lookedAt: null, canPutOff: false, canAgree: false },
    ...handover,
  },
  ...{ pricePerUnit: 2_500_250, description: '', message: '' },
  ...more,
})

/** One trade, and what else is open with the partner: bought, sold, answered and disputed. */
const bought = {
  receipt: {
    ...{ id: 12, offerId: 70, orderId: 7, itemName: 'Iron Ore', quantity: 400, pricePerUnit: 2_500_250 },
    ...{ total: '1000100000', side: 'buyer', ign: null, acceptedAt: '2026-05-01T12:00:00Z' },
    with: {
      name: 'Fern',
      contact: 'fern',
      verified: true,
      discordUrl: 'https://discord.com/users/80351110224678912',
    },
  },
  handover: slipLine({ id: 12, theirWord: 'met' }).handover,
  undoneAt: null,
  description: 'Any grade, for the new guild hall.',
  message: 'I have them all in my bank, tonight?',
  with: {
    id: 4,
    name: 'Fern',
    contact: 'fern',
    inGameNames: ['Fern of the Long Valley#1234', 'Fernling#9'],
    lookAlike: false,
  },
  you: { id: 1, name: 'Maple', contact: 'maple', inGameNames: [], lookAlike: false },
  open: [
    slipLine(
      { id: 12, theirWord: 'met' },
      { description: 'Any grade, for the new guild hall.', message: 'I have them all in my bank, tonight?' },
    ),
    slipLine(
      { id: 13, itemName: 'Sturdy Hickory Log of the Northern Woods', quantity: 20, total: '9000', side: 'seller' },
      { pricePerUnit: 450 },
    ),
    slipLine(
      { id: 14, itemName: 'Tin', quantity: 1_000_000, total: '999999999999000000', side: 'seller', theirWord: 'met' },
      { pricePerUnit: 999_999_999_999 },
    ),
    slipLine(
      { id: 15, itemName: 'Coal', quantity: 3, total: '7500', canSay: false, yourWord: 'met' },
      { pricePerUnit: 2500 },
    ),
    slipLine(
      {
        id: 16,
        itemName: 'Silver Ring',
        quantity: 1,
        total: '1000000',
        state: 'disputed',
        canSay: false,
        yourWord: 'met',
        theirWord: 'not_met',
      },
      { pricePerUnit: 1_000_000 },
    ),
  ],
  more: false,
  place: { text: 'At the fountain of Silverhall', saidByYou: false, saidAt: '2026-05-02T12:00:00Z' },
  canSayPlace: true,
  history: [
    { kind: 'accepted', by: 'you', at: '2026-05-01T12:00:00Z' },
    { kind: 'placed', by: 'them', at: '2026-05-02T12:00:00Z' },
    { kind: 'met', by: 'them', at: '2026-05-04T19:00:00Z' },
  ],
  next: { state: 'met', at: '2026-05-07T19:00:00Z' },
}

const ownTrade = /\/api\/me\/trades\/12$/
const trade = answer(ownTrade, bought)

/** The trade with a time that is proposed and that neither has agreed to. */
const timed = answer(ownTrade, {
  ...bought,
  handover: {
    ...bought.handover,
    theirWord: undefined,
    meeting: { at: soon(), works: false, worksForThem: false, proposalsLeft: 3 },
  },
})

/** The reader's active requests, as they would be had they expired. */
async function expired(page: Page) {
  await counting({ expired: 2 })(page)
  await page.route(own('expired'), async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('expired', 'active') })
    const list = await response.json()
    const past = new Date(Date.now() - 3 * 86_400_000).toISOString()
    list.orders = list.orders.slice(0, 2).map((o: object) => ({ ...o, expired: true, expiresAt: past }))
    await route.fulfill(json(list))
  })
}

/** Another edit has come first. */
async function conflict(page: Page) {
  await page.route(/\/api\/orders\/\d+$/, async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    const now = await (await page.request.get(route.request().url())).json()
    const problem = {
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'This request has changed since you opened it. Look at it again and repeat your change.',
      current: { ...now, quantity: now.quantity + 15, version: now.version + 1 },
    }
    await route.fulfill({ ...json(problem, 409), contentType: 'application/problem+json' })
  })
}

/** A request has been reported. */
async function reported(page: Page) {
  const { orders } = await (await page.request.get('/api/orders')).json()
  const order = orders.find((o: { buyerContact: string }) => o.buyerContact !== 'oldtamsin')
  await page.request.post(`/api/orders/${order.id}/report`, { data: { reason: 'There is no such item in the game' } })
}

/** Two names wait for a moderator. */
async function newNames(page: Page) {
  const { items } = await (await page.request.get('/api/catalogue?limit=1')).json()
  const waiting = ['Moon Perl', 'A Name as Long as One Can Type in the Form of a Request to See Where It Breaks'].map(
    (name, i) => ({
      item: { ...items[0], id: 90_001 + i, name, provisional: true },
      requests: 3,
      near: i ? null : items[0],
    }),
  )
  await answer(/\/api\/moderation\/items/, { items: waiting, nextCursor: null })(page)
}

const stocked = (more: object) => ({
  ...{ id: 9, itemId: 1, itemName: 'Sturdy Hickory Log', quantity: 600, price: 4000, note: '', public: true },
  ...{ touchedAt: '2026-05-01T12:00:00Z', endsAt: soon(), asked: false, alerts: true, snoozedUntil: null },
  ...more,
})

/** Stock in every state. */
const stock = answer(/\/api\/me\/stock$/, {
  stock: [
    stocked({}),
    stocked({ id: 10, itemName: 'Iron Ore', asked: true, public: false, note: 'In Ravenia, by the east gate' }),
    stocked({ id: 11, itemName: 'Coal', quantity: 0, alerts: false }),
    stocked({ id: 12, itemName: 'Tin', quantity: 1_000_000, price: 999_999_999_999, snoozedUntil: soon() }),
  ],
})

const search = (more: object) => ({
  ...{
    id: 4,
    watch: true,
    bell: true,
    name: 'ore',
    sort: 'newest',
    view: '',
    items: [],
    kind: '',
    q: 'ore',
    category: [],
    importance: [],
    level: 0,
    minPrice: 0,
  },
  ...{ maxPrice: 0, forMe: false, minQuantity: 0, way: 'direct', pause: 0, snoozedUntil: null },
  ...{ createdAt: '2026-05-01T12:00:00Z', updatedAt: '2026-05-01T12:00:00Z' },
  ...more,
})

/** Saved searches in every state, and a buyer who is not heard of. */
const watched = both(
  answer(/\/api\/me\/saved$/, {
    saved: [
      search({}),
      search({ id: 1, watch: false, bell: false, name: 'Evening round', q: '', category: ['Miner'], sort: 'price' }),
      search({ id: 5, bell: false, name: 'Sturdy Hickory Log', q: '', items: [12] }),
      search({ id: 6, name: 'tin', q: 'tin', minPrice: 4000, minQuantity: 50, pause: 60, way: 'digest' }),
      search({ id: 7, name: 'Erze', q: '', forMe: true, snoozedUntil: soon() }),
    ],
  }),
  answer(/\/api\/me\/watches$/, { watches: [], mutedBuyers: [{ id: 9, username: 'juniper_fox' }] }),
)

const alert = (more: object) => ({
  ...{ id: 31, kind: 'request_watched', orderId: 62, offerId: null, itemName: 'Sturdy Hickory Log', quantity: 80 },
  ...{ pricePerUnit: 4000, counterpart: { name: 'ore', contact: '' }, watchId: 4, message: '', state: 'delivered' },
  ...{ reason: null, createdAt: '2026-05-01T12:00:00Z', read: false, offer: null },
  ...more,
})

/** Alerts by a saved search, by one whose bell is off, and by stock, before the inbox as it is. */
async function alerts(page: Page) {
  const added = [
    alert({ watchId: null, counterpart: { name: '', contact: '' } }),
    alert({ id: 30, orderId: 63, itemName: 'Iron Ore' }),
    alert({ id: 29, orderId: 64, itemName: 'Coal', watchId: 5, read: true }),
  ]
  await page.route(/\/api\/me\/notices(\?|$)/, async (route) => {
    const response = await route.fetch()
    const inbox = await response.json()
    await route.fulfill({ response, json: { ...inbox, notices: [...added, ...inbox.notices] } })
  })
}

/** An item with a price on most days. */
async function priced(page: Page) {
  const price = (median: number) => ({
    median,
    low: median - 300,
    high: median + 450,
    medianFrom: median - 90,
    medianTo: median + 110,
    fills: 23,
    trades: 49,
  })
  const day = (n: number) => new Date(Date.now() - (89 - n) * 86_400_000).toISOString().slice(0, 10)
  const days = Array.from({ length: 90 }, (_, n) => ({
    day: day(n),
    price: n > 30 && n < 37 ? null : price(4000 + n * 3 + (n % 7) * 40),
    fills: n > 30 && n < 37 ? 0 : 3 + ((n * 5) % 9),
  }))
  const windows = [7, 30, 90].map((length) => ({ days: length, price: price(4250) }))
  const asked = { requests: 4, low: 3600, median: 4100, high: 4250 }
  await answer(/\/api\/catalogue\/\d+\/prices/, { itemId: 1, young: true, onTheirWay: 0, windows, asked, days })(page)
}

/** Hours that were said, and hours that were learned. */
const plays = answer(/\/api\/me\/hours$/, { hours: [18, 19, 42, 43, 66, 67], learned: [18, 44], learns: true })

const planLines = '30x Signal Oyster 40s\n20x Greater Eel 100s\n900x Iron Ore 300c\n50x Unheard Thing'

async function plan(page: Page) {
  await page.getByLabel('Name of the list').fill('Guild hall')
  await press('Find the Cheapest Way')(page)
  const lines = page.getByRole('list', { name: 'Lines of the plan' })
  await lines
    .getByText(/^\d for sale: details/)
    .first()
    .click()
  await lines.getByRole('button', { name: 'Request Signal Oyster instead of buying it' }).waitFor()
}

async function offerForm(page: Page) {
  await press('Offer to Fulfill')(page)
  await dialog(page).waitFor()
}

export const screens: Screen[] = [
  { name: 'board', path: '/' },
  { name: 'board-signed-in', as: 'Maple', path: '/' },
  { name: 'board-category', path: '/?category=Miner' },
  {
    name: 'board-filters',
    path: '/?importance=urgent&level=400',
    act: both(press(/^Filters/), seen('Maximum unit price')),
  },
  { name: 'board-calculator', path: '/', act: (page) => page.getByRole('spinbutton').first().fill('7') },
  {
    name: 'board-loading',
    path: '/',
    given: (page) => page.route(orders, () => {}),
    act: (page) => page.locator('[role=status][aria-label^=Loading]:not(.opacity-0)').waitFor(),
  },
  { name: 'board-failed', path: '/', given: (page) => page.route(orders, (route) => route.abort()) },
  {
    name: 'board-empty',
    path: '/',
    given: both(answer(orders, nothing), answer(counts, { all: 0, categories: {} })),
    act: seen('No requests yet'),
  },
  { name: 'board-no-match', path: '/?q=philosopher', act: seen('No requests match') },
  {
    name: 'board-offline',
    path: '/',
    given: (page) => page.route(/\/api\/events/, (route) => route.abort()),
    act: (page) => page.getByText(/^Offline/).waitFor(),
  },
  { name: 'list', path: '/?view=list' },
  { name: 'list-signed-in', as: 'Maple', path: '/?view=list' },
  {
    name: 'list-request',
    path: '/?view=list&request=62',
    act: (page) => page.locator('[data-row]').first().waitFor(),
  },
  {
    name: 'list-loading',
    path: '/?view=list',
    given: (page) => page.route(orders, () => {}),
    act: (page) => page.locator('[role=status][aria-label^=Loading]:not(.opacity-0)').waitFor(),
  },
  { name: 'list-failed', path: '/?view=list', given: (page) => page.route(orders, (route) => route.abort()) },
  {
    name: 'list-empty',
    path: '/?view=list',
    given: both(answer(orders, nothing), answer(counts, { all: 0, categories: {} })),
    act: seen('No requests yet'),
  },
  { name: 'sale', as: 'Maple', path: '/?side=sale', act: seen('Ask for') },
  { name: 'sale-list', as: 'Maple', path: '/?side=sale&view=list', act: seen('Ask for') },
  { name: 'sale-none', path: '/?side=sale&q=philosopher', act: seen('Nothing for sale matches') },
  { name: 'both', as: 'Maple', path: '/?side=both', act: seen('Ask for') },
  { name: 'both-list', as: 'Maple', path: '/?side=both&view=list', act: seen('Ask for') },
  { name: 'request', path: '/requests/62' },
  { name: 'request-gone', path: '/requests/999999999', act: seen('Request not found') },
  { name: 'nowhere', path: '/nowhere', act: seen('Page not found') },
  { name: 'mine', as: 'Maple', path: '/mine' },
  { name: 'mine-menu', as: 'Maple', path: '/mine', act: press(/Actions for your request/) },
  {
    name: 'mine-expired',
    as: 'Maple',
    path: '/mine?show=expired',
    given: expired,
    act: (page) => page.locator('button:enabled', { hasText: 'Renew' }).first().waitFor(),
  },
  {
    name: 'mine-empty',
    as: 'Maple',
    path: '/mine',
    given: both(answer(own('active'), nothing), counting({ active: 0 })),
    act: seen('No requests posted yet'),
  },
  { name: 'mine-signed-out', path: '/mine', act: seen('Sign in to see this page') },
  { name: 'completed', as: 'Maple', path: '/completed' },
  {
    name: 'completed-empty',
    as: 'Maple',
    path: '/completed',
    given: both(answer(own('fulfilled'), nothing), counting({ fulfilled: 0 })),
    act: seen('No completed requests yet'),
  },
  { name: 'offers', as: 'Maple', path: '/selling/offers' },
  { name: 'offers-received', as: 'Maple', path: '/mine/offers' },
  {
    name: 'offers-received-chosen',
    as: 'Maple',
    path: '/mine/offers',
    act: async (page) => {
      await page.getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Accept 1 offer' }).waitFor()
    },
  },
  {
    name: 'offers-received-empty',
    as: 'Maple',
    path: '/mine/offers',
    given: both(answer(/\/api\/me\/offers\/received/, { requests: [], nextCursor: null }), counting({ received: 0 })),
    act: seen('No offers are waiting'),
  },
  {
    name: 'offers-empty',
    as: 'Maple',
    path: '/selling/offers',
    given: answer(/\/api\/me\/offers/, { offers: [], nextCursor: null }),
    act: seen('No offers sent yet'),
  },
  { name: 'inbox', as: 'Maple', path: '/inbox', given: both(alerts, both(watched, stock)), act: seen('Resume') },
  {
    name: 'inbox-empty',
    as: 'Maple',
    path: '/inbox',
    given: both(
      answer(/\/api\/me\/notices(\?|$)/, { notices: [], unread: 0, nextCursor: null }),
      counting({ unread: 0 }),
    ),
    act: seen('Nothing here yet'),
  },
  { name: 'stock', as: 'Maple', path: '/selling/stock', given: stock, act: seen('Still there?') },
  { name: 'stock-asked', as: 'Rowan', path: '/selling/stock', act: seen('Fine Granite') },
  { name: 'plan', as: 'Maple', path: `/lists/new?lines=${encodeURIComponent(planLines)}`, act: plan },
  {
    name: 'trade-time',
    as: 'Maple',
    path: '/trades/12',
    given: timed,
    act: async (page) => {
      await press('Choose a Time')(page)
      await page.getByLabel('Day and time').waitFor()
    },
  },
  {
    name: 'saved-change',
    as: 'Maple',
    path: '/selling/saved',
    given: watched,
    act: async (page) => {
      await press('More for tin')(page)
      await page.getByRole('menuitem', { name: 'Change' }).click()
      await page.getByRole('form', { name: 'Change tin' }).waitFor()
    },
  },
  { name: 'trade', as: 'Maple', path: '/trades/12', given: trade, act: seen('Also open with Fern') },
  { name: 'saved', as: 'Maple', path: '/selling/saved', given: watched, act: seen('juniper_fox') },
  {
    name: 'slip-empty',
    as: 'Maple',
    path: '/trades/with/4',
    given: answer(/\/api\/me\/slips\/4$/, { status: 404 }, 404),
    act: seen('No open trades'),
  },
  { name: 'board-menu', path: '/', act: both(press(/^Actions for the request/), seen('Report…')) },
  {
    name: 'moderation',
    as: 'Tamsin',
    path: '/moderation',
    given: reported,
    act: seen('There is no such item in the game'),
  },
  { name: 'items', path: '/items' },
  { name: 'items-filtered', path: '/items?q=log&profession=Carpenter&level=200' },
  { name: 'items-none', path: '/items?q=nothingofthatname', act: seen('No items match') },
  {
    name: 'items-loading',
    path: '/items',
    given: (page) => page.route(/\/api\/catalogue/, () => {}),
    act: (page) => page.getByRole('status', { name: 'Loading items' }).waitFor(),
  },
  { name: 'items-failed', path: '/items', given: (page) => page.route(/\/api\/catalogue/, (route) => route.abort()) },
  { name: 'item', path: '/items/1', act: seen('Open requests') },
  { name: 'item-priced', path: '/items/1', given: priced, act: seen('Young market') },
  { name: 'item-table', path: '/items/1', given: priced, act: press('Show as a table') },
  { name: 'item-not-found', path: '/items/9999999', act: seen('Item not found') },
  {
    name: 'moderation-names',
    as: 'Tamsin',
    path: '/moderation?show=names',
    given: newNames,
    act: both(seen('Looks like'), press(/^Merge Moon Perl into/)),
  },
  {
    name: 'moderation-vouch',
    as: 'Tamsin',
    path: '/moderation?show=vouch',
    given: answer(/\/api\/moderation\/vouches/, youngMarket),
    act: seen('4 of 10 people are established'),
  },
  { name: 'moderation-log', as: 'Tamsin', path: '/moderation?show=log', act: seen('vouched for') },
  { name: 'dialog-sign-in', path: '/?dialog=sign-in', act: (page) => dialog(page).waitFor() },
  { name: 'dialog-join', path: '/?dialog=sign-in&mode=sign-up', act: (page) => dialog(page).waitFor() },
  { name: 'dialog-sign-in-failed', path: '/?signin=denied', act: (page) => dialog(page).waitFor() },
  { name: 'dialog-post', as: 'Maple', path: '/?dialog=post', act: filled },
  {
    name: 'dialog-post-errors',
    as: 'Maple',
    path: '/?dialog=post',
    act: async (page) => {
      await dialog(page).getByRole('button', { name: 'Post Request' }).click()
      await page.getByText(/^Item name.* is required/).waitFor()
    },
  },
  { name: 'dialog-edit', as: 'Maple', path: '/mine', act: (page) => fromMenu(page, 'Edit Request') },
  {
    name: 'dialog-edit-conflict',
    as: 'Maple',
    path: '/mine',
    given: conflict,
    act: async (page) => {
      await fromMenu(page, 'Edit Request')
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await page.getByText('Now:').first().waitFor()
    },
  },
  { name: 'dialog-offer', path: '/', act: offerForm },
  {
    name: 'dialog-offer-sent',
    path: '/',
    given: async (page) => {
      await page.addInitScript(() => {
        // It would be gone after two seconds: sooner than it is read.
        const later = window.setTimeout.bind(window)
        const patient = (run: () => void, wait?: number) => later(run, wait === 2000 ? 600_000 : wait)
        window.setTimeout = patient as typeof window.setTimeout
      })
      await page.route(/\/offers$/, (route) => route.fulfill(json({ offer: {}, order: {}, replaced: false }, 201)))
    },
    act: async (page) => {
      await offerForm(page)
      await dialog(page).getByLabel('Your name').fill('Bramble')
      await dialog(page).getByLabel('Discord username').fill('bramble')
      await dialog(page).getByLabel('Message').fill('Tonight at the harbour')
      await page.getByRole('button', { name: 'Send Offer' }).click()
      await page.getByText('Your offer was sent').waitFor()
    },
  },
  {
    name: 'dialog-offers',
    as: 'Maple',
    path: '/mine',
    act: async (page) => {
      await press(/View Offers \([2-9]\)/)(page)
      await page.getByText('Next Steps').waitFor()
    },
  },
  {
    name: 'dialog-offers-receipts',
    as: 'Maple',
    path: '/mine',
    given: receipts,
    act: async (page) => {
      await press('View Offers (0)')(page)
      await page.getByText('You buy from Fern').waitFor()
    },
  },
  { name: 'dialog-offers-empty', as: 'Maple', path: '/mine', act: press('View Offers (0)') },
  {
    name: 'dialog-sales',
    as: 'Maple',
    path: '/mine',
    act: async (page) => {
      await page
        .locator('article')
        .filter({ hasText: 'Hightower Gold' })
        .getByRole('button', { name: 'Update Sales' })
        .click()
      await page.getByText('Recent updates').waitFor()
    },
  },
  { name: 'dialog-close', as: 'Maple', path: '/mine', act: (page) => fromMenu(page, 'Close Request') },
  { name: 'dialog-delete', as: 'Maple', path: '/mine', act: (page) => fromMenu(page, 'Delete Request') },
  {
    name: 'dialog-report',
    path: '/',
    act: async (page) => {
      const id = await page.locator('article').first().getAttribute('data-order')
      await page.goto(`/?dialog=report&request=${id}`)
      await dialog(page).waitFor()
    },
  },
  {
    name: 'dialog-keys',
    path: '/?view=list',
    act: async (page) => {
      await page.locator('[data-row]').first().waitFor()
      await page.keyboard.press('?')
      await dialog(page).waitFor()
    },
  },
  { name: 'dialog-data', as: 'Maple', path: '/?dialog=data', act: (page) => dialog(page).waitFor() },
  {
    name: 'dialog-data-hours',
    as: 'Maple',
    path: '/?dialog=data',
    given: plays,
    // The bar of what is not saved covers what stands at the end of the dialog.
    act: both(both(press('Choose hours'), press('Weekday mornings')), (page) =>
      page.locator('[aria-expanded=true]').evaluate((button) => button.scrollIntoView({ block: 'center' })),
    ),
  },
  {
    name: 'dialog-notices',
    as: 'Maple',
    path: '/inbox',
    given: watched,
    act: async (page) => {
      await press('Notice Settings')(page)
      await page
        .getByText(/^Quiet hours/)
        .first()
        .waitFor()
      await seen('juniper_fox')(page)
    },
  },
]

async function filled(page: Page) {
  await dialog(page).getByLabel('Item name').fill('Ironwood Plank')
  await dialog(page).getByLabel('Quantity').fill('500')
  await dialog(page).getByLabel('Max price per unit').fill('1p 500g 250s')
}

/** Shortens the board: looking closely at sixty cards takes minutes and finds no more than at nine. */
export async function shorten(page: Page) {
  await page.route(orders, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const list = await response.json()
    await route.fulfill(json({ ...list, orders: list.orders.slice(0, 9), nextCursor: null }))
  })
}

/** Opens a screen and waits until its animations end. */
export async function show(page: Page, { path, as, given, act, name }: Screen) {
  await given?.(page)
  await page.goto(path)
  await page
    .getByRole('heading', { level: 1 })
    .or(page.getByRole('heading', { level: 2 }))
    .first()
    .waitFor()
  if (!name.endsWith('-loading'))
    await page
      .getByRole('status', { name: /^Loading/ })
      .first()
      .waitFor({ state: 'detached' })
  if (as && !path.includes('dialog=')) await page.getByRole('button', { name: /^Account of/ }).waitFor()
  await act?.(page)
  if (name.startsWith('dialog-')) await dialog(page).and(page.locator(':not([aria-busy=true])')).waitFor()
  await page.evaluate(async () => {
    await document.fonts.ready
    const ending = document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((a) => a.finished)) // one whose element goes is cancelled
  })
}

/** `make axe-all` looks at every screen. */
export const lookedAtAll = process.env.AXE === 'all'

/** The screens with different parts. Every other screen has the parts of one of these, or fewer. */
const differ = [
  ...['board-signed-in', 'board-filters', 'board-failed', 'list-signed-in', 'request', 'mine', 'completed'],
  ...['offers', 'offers-received', 'inbox', 'stock', 'trade', 'moderation', 'items-filtered', 'item-priced'],
  ...['sale-list', 'both', 'stock-asked', 'plan', 'trade-time', 'dialog-data-hours'],
  ...['dialog-sign-in', 'dialog-post-errors', 'dialog-offers', 'dialog-sales', 'dialog-delete'],
]

/** The screens that are looked at closely. */
export const looked = lookedAtAll
  ? screens
  : differ.map((name) => screens.find((screen) => screen.name === name) ?? unknown(name))

function unknown(name: string): never {
  throw new Error(`no screen is called ${name}`)
}
