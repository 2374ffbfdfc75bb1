import { vi } from 'vitest'
import { signedOut } from '@/api/me'
import type {
  AuditEntry,
  BlockedUser,
  Me,
  Notice,
  Offer,
  Order,
  Receipt,
  Report,
  Sale,
  SentOffer,
  Undo,
  User,
} from '@/api/types'
import { standInForBrowser } from './browser'

type Call = { method: string; path: string; query: URLSearchParams; body: unknown; key: string | null }
type Reply = { status?: number; json?: unknown } | 'unreachable'
type Handler = (call: Call) => Reply | Promise<Reply>

/** A scripted server for the page, which replaces fetch and EventSource. */
export class Server {
  readonly received: Call[] = []
  private readonly handlers = new Map<string, Handler>()
  private readonly streams = new Set<FakeEventSource>()
  private holdsStreams = false

  constructor() {
    this.signedOut()
    this.shows([])
    this.on('GET /api/me/offers/received', () => ({ json: { requests: [], nextCursor: null } }))
    this.on('GET /api/me/sessions', () => ({ json: { sessions: [] } }))
    this.on('GET /api/me/offers/open', () => ({ json: { offers: [] } }))
    this.on('GET /api/me/offers/ready', () => ({
      json: { ready: [], message: 'I have these ready.', remembered: false },
    }))
    this.on('GET /api/me/skills', () => ({ json: { skills: [] } }))
    this.on('GET /api/me/saved', () => ({ json: { saved: [] } }))
    this.on('GET /api/me/receipts', () => ({ json: { receipts: [], nextCursor: null } }))
    this.on('GET /api/rules', () => ({ json: { signedInOnlySince: null } }))
    this.on('GET /api/orders/counts', () => ({ json: { all: 0, categories: {} } }))
    vi.stubGlobal('fetch', (request: Request) => this.answer(request))
    const { streams } = this
    const server = this
    vi.stubGlobal(
      'EventSource',
      class extends FakeEventSource {
        constructor() {
          super()
          streams.add(this)
          if (!server.holdsStreams) queueMicrotask(() => this.onopen?.())
        }
      },
    )
    standInForBrowser()
    window.scrollTo = () => {}
    vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver)
  }

  /** Scripts the response to a call such as "GET /api/orders/7". */
  on(call: string, handler: Handler): this {
    this.handlers.set(call, handler)
    return this
  }

  /** Makes a call fail with a status and the server's message. */
  fails(call: string, status: number, detail: string, more: object = {}): this {
    return this.on(call, () => ({ status, json: { title: 'Error', status, detail, ...more } }))
  }

  /** Sets the orders on the board, and each at its own address. */
  shows(orders: Order[], total = orders.length): this {
    for (const order of orders) {
      this.on(`GET /api/orders/${order.id}`, () => ({ json: order }))
      this.on(`GET /api/orders/${order.id}/my-offer`, () => ({ json: { offer: null } }))
    }
    return this.on('GET /api/orders', () => ({ json: { orders, total, nextCursor: null } }))
  }

  /** Signs the user out. */
  signedOut(): this {
    return this.on('GET /api/me', () => ({
      json: signedOut,
    }))
  }

  /** Signs in a user with these active requests. */
  signedIn(own: Order[] = [], counts: Partial<Me['counts']> = {}, user = maple, todo: Me['todo'] = []): this {
    this.on('GET /api/me', () => ({
      json: {
        user,
        counts: { ...signedOut.counts, active: own.length, ...counts },
        todo,
      },
    }))
    for (const order of own) this.on(`GET /api/orders/${order.id}`, () => ({ json: order }))
    return this.on('GET /api/me/orders', ({ query }) => ({
      json: query.get('status') === 'active' ? page(own) : page([]),
    }))
  }

  /** Returns the received calls, such as "POST /api/orders". */
  calls(call: string): Call[] {
    return this.received.filter(({ method, path }) => `${method} ${path}` === call)
  }

  /** From now on event streams do not open by themselves. */
  holdStreams() {
    this.holdsStreams = true
  }

  openStreams() {
    this.holdsStreams = false
    for (const stream of this.streams) stream.onopen?.()
  }

  /** The number of event streams that the page has opened so far. */
  get streamsOpened(): number {
    return this.streams.size
  }

  /** Sends an event on every open stream. */
  sendEvent(kind: 'change' | 'resync', data: object = {}) {
    if (this.streams.size === 0) throw new Error('no event stream is open')
    for (const stream of this.streams) stream.dispatch(kind, JSON.stringify(data))
  }

  private async answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const text = await request.text()
    const call: Call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: text ? JSON.parse(text) : undefined,
      key: request.headers.get('Idempotency-Key'),
    }
    this.received.push(call)
    const handler = this.handlers.get(`${call.method} ${call.path}`)
    if (!handler)
      return json(404, { title: 'Not found', status: 404, detail: `no handler for ${call.method} ${call.path}` })
    const answer = await handler(call)
    if (answer === 'unreachable') throw new TypeError('Failed to fetch')
    return answer.status === 204 ? new Response(null, { status: 204 }) : json(answer.status ?? 200, answer.json)
  }
}

/** Reports an element as visible when a test scrolls to it. */
class FakeIntersectionObserver {
  static readonly open = new Set<FakeIntersectionObserver>()
  private readonly watched = new Set<Element>()
  constructor(private readonly callback: IntersectionObserverCallback) {}
  observe(element: Element) {
    this.watched.add(element)
    FakeIntersectionObserver.open.add(this)
  }
  unobserve(element: Element) {
    this.watched.delete(element)
  }
  disconnect() {
    FakeIntersectionObserver.open.delete(this)
  }
  watches(element: Element) {
    return this.watched.has(element)
  }
  meet(target: Element, isIntersecting: boolean) {
    if (!this.watches(target)) return
    const boundingClientRect = { height: 432 }
    this.callback(
      [{ isIntersecting, target, boundingClientRect } as unknown as IntersectionObserverEntry],
      this as never,
    )
  }
}

function move(element: Element, near: boolean) {
  for (let e: Element | null = element; e; e = e.parentElement) {
    for (const observer of [...FakeIntersectionObserver.open]) observer.meet(e, near)
  }
}

/** Reports whether the page looks at where an element is. */
export const watched = (element: Element) => [...FakeIntersectionObserver.open].some((o) => o.watches(element))

/** Scrolls the page until this element is in or near the viewport. */
export const scrollTo = (element: Element) => move(element, true)

/** Scrolls the page until this element is far outside the viewport. */
export const scrollAway = (element: Element) => move(element, false)

class FakeEventSource extends EventTarget {
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  dispatch(kind: string, data: string) {
    this.dispatchEvent(new MessageEvent(kind, { data }))
  }
  close() {}
}

function json(status: number, body: unknown): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } })
}

const page = (orders: Order[]) => ({ orders, total: orders.length, nextCursor: null })

export const rowan: User = {
  id: 2,
  username: 'rowan',
  displayName: 'Rowan',
  email: 'rowan@example.com',
  language: null,
  moderator: false,
  blockedFor: null,
  deletionAt: null,
}
export const maple: User = {
  id: 1,
  username: 'maple',
  displayName: 'Maple',
  email: 'maple@example.com',
  language: null,
  moderator: false,
  blockedFor: null,
  deletionAt: null,
}

/** A request of another user for 500 Iron Ore with 100 sold, with the given changes. */
export function order(change: Partial<Order> = {}): Order {
  const o: Order = {
    id: 7,
    userId: 2,
    version: 3,
    itemName: 'Iron Ore',
    quantity: 500,
    sold: 100,
    progress: 20,
    maxPricePerUnit: 2_500_000,
    totalValue: '1250000000',
    remainingValue: '1000000000',
    description: 'Any amount helps.',
    buyerContact: 'rowan.ashdown',
    ign: 'Ashdown',
    levelRequirement: 30,
    category: 'Miner',
    importance: 'medium',
    signedInOnly: false,
    status: 'active',
    closeReason: null,
    expired: false,
    hidden: false,
    createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    updatedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 300 * 86_400_000).toISOString(),
    closedAt: null,
  }
  return { ...o, ...change }
}

export function offer(change: Partial<Offer> = {}): Offer {
  return {
    id: 70,
    orderId: 7,
    sellerName: 'Fern',
    sellerContact: 'fern',
    message: 'I have plenty',
    pricePerUnit: 2_500_000,
    quantityOffered: 50,
    createdAt: new Date().toISOString(),
    verified: false,
    ...change,
  }
}

/** What the server says of an act that can be undone for ten minutes: nothing when they are over. */
export function undoOf(kind: Undo['kind'], id: number, at: string): { undo?: Undo } {
  const until = new Date(new Date(at).getTime() + 10 * 60_000)
  return until > new Date() ? { undo: { kind, id, until: until.toISOString() } } : {}
}

export function sentOffer(change: Partial<SentOffer> = {}): SentOffer {
  const { id = 70, updatedAt = new Date().toISOString(), state, orderId } = change
  return {
    ...(state === 'withdrawn' && orderId !== null ? undoOf('offer', id, updatedAt) : {}),
    id: 70,
    orderId: 7,
    itemName: 'Iron Ore',
    sellerName: 'Maple',
    message: 'I have plenty',
    pricePerUnit: 2_500_000,
    quantityOffered: 50,
    quantityAccepted: 0,
    quantityLeft: 50,
    buyerContact: null,
    state: 'open',
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    ...change,
  }
}

export function notice(change: Partial<Notice> = {}): Notice {
  return {
    id: 90,
    kind: 'offer_received',
    orderId: 7,
    offerId: 70,
    itemName: 'Iron Ore',
    quantity: 50,
    pricePerUnit: 2_500_000,
    watchId: null,
    message: '',
    counterpart: { name: 'Fern', contact: 'fern' },
    state: 'delivered',
    reason: null,
    read: true,
    offer: { open: true, accepted: 0 },
    createdAt: new Date().toISOString(),
    ...change,
  }
}

export function sale(change: Partial<Sale> = {}): Sale {
  const { id = 1, createdAt = new Date().toISOString(), reversed = false } = change
  return {
    ...(reversed ? {} : undoOf('sale', id, createdAt)),
    id: 1,
    orderId: 7,
    quantitySold: 10,
    notes: null,
    unitPrice: 2_500_000,
    createdAt: new Date().toISOString(),
    reversed: false,
    ...change,
  }
}

/** What one accept agreed, for the buyer, with the given changes. */
export function receipt(change: Partial<Receipt> = {}): Receipt {
  const { id = 12, acceptedAt = new Date().toISOString(), side = 'buyer' } = change
  return {
    ...(side === 'buyer' ? undoOf('sale', id, acceptedAt) : {}),
    id: 12,
    offerId: 70,
    orderId: 7,
    itemName: 'Iron Ore',
    quantity: 400,
    pricePerUnit: 2_500_000,
    total: '1000000000',
    side: 'buyer',
    with: { name: 'Fern', contact: 'fern', verified: true, discordUrl: 'https://discord.com/users/80351110224678912' },
    ign: null,
    acceptedAt: new Date().toISOString(),
    ...change,
  }
}

export function report(change: Partial<Report> = {}): Report {
  const first = {
    reason: 'There is no such item',
    reporter: { id: 3, username: 'juniper' },
    createdAt: new Date().toISOString(),
    ...change,
  }
  return {
    id: 12,
    orderId: 7,
    offerId: null,
    itemName: 'Iron Ore',
    reason: 'There is no such item',
    reporter: { id: 3, username: 'juniper' },
    subject: { id: 2, username: 'rowan' },
    order: order(),
    offer: null,
    createdAt: new Date().toISOString(),
    count: 1,
    reasons: [{ reason: first.reason, reporter: first.reporter, createdAt: first.createdAt }],
    ...change,
  }
}

export function auditEntry(change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 5,
    at: new Date().toISOString(),
    moderator: { id: 1, username: 'maple' },
    action: 'order_removed',
    orderId: 7,
    offerId: null,
    reportId: null,
    subject: { id: 2, username: 'rowan' },
    itemName: 'Iron Ore',
    reason: 'There is no such item',
    undoable: false,
    ...(change.undoable ? { undo: { kind: 'removal', id: change.id ?? 5, until: '2099-01-01T00:00:00Z' } } : {}),
    ...change,
  }
}

export function blockedUser(change: Partial<BlockedUser> = {}): BlockedUser {
  return {
    user: { id: 2, username: 'rowan' },
    reason: 'Floods the board',
    blockedAt: new Date().toISOString(),
    ...change,
  }
}
