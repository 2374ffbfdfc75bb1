// The market as the journeys meet it: players, their pages, and requests of their own to act on.
import { type Browser, type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test'

export const board = () => process.env.BASE_URL ?? 'http://127.0.0.1:8080'
export const discord = () => process.env.DISCORD_URL ?? 'http://127.0.0.1:8081'

export type Player = 'Maple' | 'Rowan' | 'Juniper' | 'Tamsin'
/** A community member for one journey, without messages from other journeys. */
export type Member = { name: string; username: string }
type Session = Awaited<ReturnType<BrowserContext['storageState']>>
type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

export type Request = { id: number; itemName: string; version: number; quantity: number }

export class Market {
  constructor(
    private readonly browser: Browser,
    private readonly sessions: Map<string, Session>,
    private readonly opened: BrowserContext[],
  ) {}

  /** A page of a visitor. */
  async visitor(options: ContextOptions = {}): Promise<Page> {
    return this.open(options)
  }

  /** A page of a player who has signed in, at the stand-in Discord. */
  async player(who: Player | Member, options: ContextOptions = {}): Promise<Page> {
    const name = typeof who === 'string' ? who : who.name
    let storageState = this.sessions.get(name)
    if (!storageState) {
      storageState = await this.sessionOf(name)
      this.sessions.set(name, storageState)
    }
    return this.open({ ...options, storageState })
  }

  /** Signs a player in without the page: signIn does it with the page. */
  private async sessionOf(name: string): Promise<Session> {
    const page = await this.open({})
    const consent = await page.request.get('/auth/discord')
    const player = new RegExp(`value="(\\d+)" aria-label="Continue as ${name}"`).exec(await consent.text())?.[1] ?? ''
    const back = await page.request.post(consent.url(), { form: { player } })
    expect(back.ok(), `${name} signs in: ${back.url()}`).toBe(true)
    const session = await page.context().storageState()
    await page.context().close()
    return session
  }

  /** Adds a member to the community, as the stand-in's page does. */
  async addMember(name: string): Promise<Member> {
    const member = { name: unique(name), username: unique(name).toLowerCase().replace(' ', '.') }
    const page = await this.visitor()
    const response = await page.request.post(`${discord()}/_standin/join`, { data: member })
    expect(response.ok(), await response.text()).toBe(true)
    await page.context().close()
    return member
  }

  private async open(options: ContextOptions): Promise<Page> {
    const context = await this.browser.newContext({ baseURL: board(), ...options })
    this.opened.push(context)
    const page = await context.newPage()
    if (options.javaScriptEnabled === false) return page
    // What the server draws looks like the page before the page runs: journeys begin when it does.
    const goto = page.goto.bind(page)
    page.goto = async (address, how) => {
      const response = await goto(address, how)
      if (!how?.waitUntil) await page.locator('[data-first-look]').first().waitFor({ state: 'detached' })
      return response
    }
    return page
  }

  /** A request posted by a player without the page: for journeys about what comes afterwards. */
  async request(owner: Player, fields: Partial<Record<string, unknown>> = {}): Promise<Request> {
    const draft = {
      itemName: unique('Iron Ore'),
      quantity: 20,
      maxPricePerUnit: 1_500_000,
      description: '',
      buyerContact: owner.toLowerCase(),
      levelRequirement: null,
      ign: null,
      category: 'Miner',
      importance: 'medium',
      ...fields,
    }
    return this.write<Request>(await this.player(owner), '/api/orders', draft)
  }

  /** An offer made without the page. */
  async offer(request: Request, quantity: number, from?: Player): Promise<void> {
    const draft = {
      sellerName: from ?? 'Bramblewick',
      sellerContact: 'bramblewick',
      message: 'I have plenty',
      quantityOffered: quantity,
    }
    await this.write(from ? await this.player(from) : await this.visitor(), `/api/orders/${request.id}/offers`, draft)
  }

  /** A sale logged without the page. */
  async sale(owner: Player, request: Request, quantitySold: number): Promise<void> {
    await this.write(await this.player(owner), `/api/orders/${request.id}/sales`, { quantitySold, notes: null })
  }

  private async write<T>(page: Page, path: string, data: object): Promise<T> {
    const response = await page.request.post(path, { data })
    const text = await response.text()
    await page.context().close()
    expect(response.ok(), text).toBe(true)
    return JSON.parse(text) as T
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

type Fixtures = { market: Market }
type WorkerFixtures = { sessions: Map<string, Session> }

export const test = base.extend<Fixtures, WorkerFixtures>({
  sessions: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      await use(new Map())
    },
    { scope: 'worker' },
  ],
  market: async ({ browser, sessions }, use) => {
    const opened: BrowserContext[] = []
    await use(new Market(browser, sessions, opened))
    for (const page of opened.flatMap((context) => context.pages())) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await Promise.all(opened.map((context) => context.close()))
  },
})

export { expect }
