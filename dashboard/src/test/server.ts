import { vi } from 'vitest'
import type { Me, Offer, Order, Sale } from '@/api/types'

type Asked = { method: string; path: string; query: URLSearchParams; body: unknown; key: string | null }
type Answer = { status?: number; json?: unknown } | 'unreachable'
type Handler = (asked: Asked) => Answer | Promise<Answer>

/** The server as the page sees it, scripted: the double stands at the edge, where fetch and EventSource are called. */
export class Server {
  readonly asked: Asked[] = []
  private readonly handlers = new Map<string, Handler>()
  private readonly streams = new Set<FakeEventSource>()

  constructor() {
    this.on('GET /api/me', () => ({ json: { user: null, counts: { active: 0, fulfilled: 0, expired: 0, unread: 0 } } }))
    this.shows([])
    this.on('GET /api/orders/counts', () => ({ json: { all: 0, categories: {} } }))
    vi.stubGlobal('fetch', (request: Request) => this.answer(request))
    const streams = this.streams
    vi.stubGlobal(
      'EventSource',
      class extends FakeEventSource {
        constructor() {
          super()
          streams.add(this)
        }
      },
    )
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('min-width'),
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }))
    window.scrollTo = () => {}
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    )
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    )
  }

  /** Scripts the answer to "GET /api/orders/7" or the like. */
  on(call: string, handler: Handler): this {
    this.handlers.set(call, handler)
    return this
  }

  /** Refuses a call with the server's own sentence. */
  refuses(call: string, status: number, detail: string, more: object = {}): this {
    return this.on(call, () => ({ status, json: { title: 'Refused', status, detail, ...more } }))
  }

  /** Puts orders on the board, and each at its own address. */
  shows(orders: Order[], total = orders.length): this {
    for (const order of orders) this.on(`GET /api/orders/${order.id}`, () => ({ json: order }))
    return this.on('GET /api/orders', () => ({ json: { orders, total, nextCursor: null } }))
  }

  /** Signs a reader in whose own active requests these are. */
  signedIn(own: Order[] = [], counts: Partial<Me['counts']> = {}): this {
    this.on('GET /api/me', () => ({
      json: { user: maple, counts: { active: own.length, fulfilled: 0, expired: 0, unread: 0, ...counts } },
    }))
    for (const order of own) this.on(`GET /api/orders/${order.id}`, () => ({ json: order }))
    return this.on('GET /api/me/orders', ({ query }) => ({
      json: query.get('status') === 'active' ? page(own) : page([]),
    }))
  }

  /** The calls that were made, such as "POST /api/orders". */
  calls(call: string): Asked[] {
    return this.asked.filter(({ method, path }) => `${method} ${path}` === call)
  }

  /** Sends news down every open stream. */
  news(kind: 'change' | 'resync', data: object = {}) {
    for (const stream of this.streams) stream.hear(kind, JSON.stringify(data))
  }

  private async answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const text = await request.text()
    const asked: Asked = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: text ? JSON.parse(text) : undefined,
      key: request.headers.get('Idempotency-Key'),
    }
    this.asked.push(asked)
    const handler = this.handlers.get(`${asked.method} ${asked.path}`)
    if (!handler)
      return json(404, { title: 'Not found', status: 404, detail: `nobody scripted ${asked.method} ${asked.path}` })
    const answer = await handler(asked)
    if (answer === 'unreachable') throw new TypeError('Failed to fetch')
    return answer.status === 204 ? new Response(null, { status: 204 }) : json(answer.status ?? 200, answer.json)
  }
}

class FakeEventSource extends EventTarget {
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  constructor() {
    super()
    queueMicrotask(() => this.onopen?.())
  }
  hear(kind: string, data: string) {
    this.dispatchEvent(new MessageEvent(kind, { data }))
  }
  close() {}
}

function json(status: number, body: unknown): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } })
}

const page = (orders: Order[]) => ({ orders, total: orders.length, nextCursor: null })

export const maple = { id: 1, username: 'maple', displayName: 'Maple', email: 'maple@example.com' }

/** A request of somebody else for 500 Iron Ore, of which 100 are sold; changed as the test says. */
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

export function sale(change: Partial<Sale> = {}): Sale {
  return {
    id: 1,
    orderId: 7,
    quantitySold: 10,
    notes: null,
    unitPrice: 2_500_000,
    createdAt: new Date().toISOString(),
    ...change,
  }
}
