// The market as the journeys meet it: players, their pages, and requests of their own to act on.
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  request,
} from '@playwright/test'

let visitors = 0 // that asked the server without a page

export const board = () => process.env.BASE_URL ?? 'http://127.0.0.1:8080'
export const discord = () => process.env.DISCORD_URL ?? 'http://127.0.0.1:8081'

/** How soon an open board shows what others do: sooner than a server that no change wakes would look for it. */
export const soon = { timeout: 10_000 * Number(process.env.PATIENCE || 1) }

export type Player = 'Maple' | 'Rowan' | 'Juniper' | 'Tamsin'
/** A community member for one journey, without messages from other journeys. */
export type Member = { name: string; username: string }
type Session = Awaited<ReturnType<BrowserContext['storageState']>>
type SignedIn = { session: Session; at: number }

// What asks for a sign-in of the last ten minutes would ask late in a long run: a journey gets one that lasts until it ends.
const signInFor = 5 * 60_000
type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

export type Request = { id: number; itemName: string; version: number; quantity: number }

export class Market {
  constructor(
    private readonly browser: Browser,
    private readonly sessions: Map<string, SignedIn>,
    private readonly opened: BrowserContext[],
    private readonly motion: boolean,
  ) {}

  /** A page of a visitor. */
  async visitor(options: ContextOptions = {}): Promise<Page> {
    return this.open(options)
  }

  /** A page of a player who has signed in, at the stand-in Discord. */
  async player(who: Player | Member, options: ContextOptions = {}): Promise<Page> {
    return this.open({ ...options, storageState: await this.sessionOf(who) })
  }

  /** The session of a player who has signed in without the page: signIn does it with the page. */
  private async sessionOf(who: Player | Member): Promise<Session> {
    const name = typeof who === 'string' ? who : who.name
    const kept = this.sessions.get(name)
    if (kept && Date.now() - kept.at < signInFor) return kept.session
    const at = Date.now()
    const session = await this.asking(async (api) => {
      const consent = await api.get('/auth/discord')
      const continues = new RegExp(`value="(\\d+)" aria-label="Continue as ${name}"`).exec(await consent.text())
      const back = await api.post(consent.url(), { form: { player: continues?.[1] ?? '' } })
      expect(back.ok(), `${name} signs in: ${back.url()}`).toBe(true)
      return api.storageState()
    })
    this.sessions.set(name, { session, at })
    return session
  }

  /** Adds a member to the community, as the stand-in's page does. */
  async addMember(name: string): Promise<Member> {
    const member = { name: unique(name), username: unique(name).toLowerCase().replace(' ', '.') }
    await this.asking(async (api) => {
      const response = await api.post(`${discord()}/_standin/join`, { data: member })
      expect(response.ok(), await response.text()).toBe(true)
    })
    return member
  }

  /** Asks the server without a page: a page takes half a second of the processor before it shows anything. */
  private async asking<T>(ask: (api: APIRequestContext) => Promise<T>, who?: Player | Member): Promise<T> {
    const api = await request.newContext({
      baseURL: board(),
      storageState: who && (await this.sessionOf(who)),
      // Each visitor is a client of its own: one may send twenty offers in ten minutes, and all journeys share a market.
      extraHTTPHeaders: who ? {} : { 'X-Forwarded-For': `10.${process.pid % 250}.${visitors++ % 250}.1` },
    })
    try {
      return await ask(api)
    } finally {
      await api.dispose()
    }
  }

  private async open(options: ContextOptions): Promise<Page> {
    const reducedMotion = this.motion ? 'no-preference' : 'reduce'
    const context = await this.browser.newContext({ baseURL: board(), reducedMotion, ...options })
    this.opened.push(context)
    return options.javaScriptEnabled === false ? context.newPage() : this.pageIn(context)
  }

  /** One more page for who has a page already: market.player(…).context(). */
  async pageIn(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    // What the server draws looks like the page before the page runs: journeys begin when it does.
    const goto = page.goto.bind(page)
    page.goto = async (address, how) => {
      const response = await goto(address, how)
      if (!how?.waitUntil) await page.locator('#root main:not(#content)').first().waitFor({ state: 'detached' })
      return response
    }
    return page
  }

  /** A request posted by a player without the page: for journeys about what comes afterwards. */
  async request(owner: Player | Member, fields: Partial<Record<string, unknown>> = {}): Promise<Request> {
    const draft = {
      itemName: unique('Iron Ore'),
      quantity: 20,
      maxPricePerUnit: 1_500_000,
      description: '',
      buyerContact: typeof owner === 'string' ? owner.toLowerCase() : owner.username,
      levelRequirement: null,
      ign: null,
      category: 'Miner',
      importance: 'medium',
      ...fields,
    }
    return this.write<Request>('/api/orders', draft, owner)
  }

  /** An offer made without the page. */
  async offer(request: Request, quantity: number, from?: Player | Member): Promise<void> {
    const draft = {
      sellerName: (typeof from === 'object' ? from.name : from) ?? 'Bramblewick',
      sellerContact: 'bramblewick',
      message: 'I have plenty',
      quantityOffered: quantity,
    }
    await this.write(`/api/orders/${request.id}/offers`, draft, from)
  }

  /** Stock that buyers do not see, listed without the page. */
  async stock(owner: Player, itemName: string, quantity: number): Promise<void> {
    const line = { itemName, quantity, price: 1, note: '', public: false }
    await this.write('/api/me/stock', { stock: [line] }, owner)
  }

  /** Stock for sale, listed without the page; up to a number a day without asking. */
  async sells(owner: Player, itemName: string, quantity: number, price: number, sellsDaily = 0): Promise<void> {
    const line = { itemName, quantity, price, note: '', public: true, sellsDaily }
    await this.write('/api/me/stock', { stock: [line], confirmPrice: true }, owner)
  }

  /** A sale logged without the page. */
  async sale(owner: Player, request: Request, quantitySold: number): Promise<void> {
    await this.write(`/api/orders/${request.id}/sales`, { quantitySold, notes: null }, owner)
  }

  /** A request closed without the page. */
  async close(owner: Player, request: Request): Promise<void> {
    await this.write(`/api/orders/${request.id}/close`, undefined, owner)
  }

  private async write<T>(path: string, data: object | undefined, who?: Player | Member): Promise<T> {
    return this.asking(async (api) => {
      const response = await api.post(path, { data })
      const text = await response.text()
      expect(response.ok(), text).toBe(true)
      return JSON.parse(text) as T
    }, who)
  }
}

export async function signIn(page: Page, name: string) {
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign In with Discord' }).click()
  await page.getByRole('button', { name: 'Continue with Discord' }).click()
  await page.getByRole('button', { name: `Continue as ${name}` }).click()
  await expect(page.getByRole('link', { name: /My Requests/ })).toBeVisible()
}

let counter = 0
/** A name that no other journey uses. */
export function unique(name: string): string {
  counter++
  return `${name} ${process.pid.toString(36)}${Date.now().toString(36).slice(-4)}${counter}`
}

/** The card of a request on a page, also under an open dialog. */
export const cardOf = (page: Page, request: Pick<Request, 'itemName'>): Locator =>
  page.locator('article[data-order]').filter({ hasText: request.itemName }) // receipts are articles too

/** Opens the board narrowed to one request. */
export async function find(page: Page, request: Pick<Request, 'itemName'>): Promise<Locator> {
  await page.goto(`/?q=${encodeURIComponent(request.itemName)}`)
  const card = cardOf(page, request)
  await expect(card).toBeVisible()
  return card
}

/** Chooses one of a list, such as the order of the board. */
export async function pick(field: Locator, option: string) {
  await field.click()
  await field.page().getByRole('option', { name: option, exact: true }).click()
}

/** Chooses from the owner's menu of a card. */
export async function choose(page: Page, card: Locator, item: RegExp | string) {
  await card.getByRole('button', { name: /Actions for your request/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

type Fixtures = {
  market: Market
  /** Whether the pages move as they do for users who have not asked for less motion. Drawing the frames of dialogs that fade in
   * takes a third of a journey's time, so journeys that are about something else leave them out. */
  motion: boolean
}
type WorkerFixtures = { sessions: Map<string, SignedIn> }

export const test = base.extend<Fixtures, WorkerFixtures>({
  sessions: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      await use(new Map())
    },
    { scope: 'worker' },
  ],
  motion: [false, { option: true }],
  market: async ({ browser, sessions, motion }, use) => {
    const opened: BrowserContext[] = []
    await use(new Market(browser, sessions, opened, motion))
    for (const page of opened.flatMap((context) => context.pages())) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await Promise.all(opened.map((context) => context.close()))
  },
})

export { expect }
