// What the server draws into the document before the page runs is what the page draws: web/firstlook holds the server's side.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Counts, Order } from '@/api/types'
import { loadView } from '@/features/orders/board/Board'
import { sorts } from '@/hooks/useBrowseFilter'
import fixture from '../../../core/testdata/first_look.json'
import cases from '../../../web/firstlook/testdata/orders.gen.json'
import { openPage, withFeatures } from './page'
import { maple, Server } from './server'
import { shown } from './shown'

const repository = join(process.cwd(), '..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

/** A document that the server draws. */
function drawn(name: 'cards' | 'list' | 'orders' | 'frame'): HTMLElement {
  const document = new DOMParser().parseFromString(read(`web/firstlook/testdata/${name}.html`), 'text/html')
  return document.body
}

const text = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim()
const texts = (root: ParentNode, selector: string) => [...root.querySelectorAll(selector)].map(text)

const howToFix =
  'the server draws something else: change web/firstlook/*.html like the component, then run go test ./web/firstlook -update'

type Shape = 'cards' | 'a table' | 'the rows of a phone'
/** What both sides draw for a request, and the element that tells which it is. */
const shapes: Record<Shape, { each: string; inside?: string; address: string; phone: boolean }> = {
  cards: { each: 'article', address: '/', phone: false },
  'a table': { each: 'tr[data-row]', address: '/?view=list', phone: false },
  // The page says where each is.
  'the rows of a phone': { each: 'li[data-row]', inside: 'div', address: '/?view=list', phone: true },
}
const everyShape = Object.keys(shapes) as Shape[]

/** The requests in a document or on the page. */
function requestsIn(root: ParentNode, shape: Shape): { key: string | undefined; element: Element }[] {
  const { each, inside } = shapes[shape]
  return [...root.querySelectorAll<HTMLElement>(each)].map((place) => ({
    key: place.dataset.order ?? place.dataset.row,
    element: (inside && place.querySelector(inside)) || place,
  }))
}

const made = cases.board.map(({ order }) => order) as unknown as Order[]
const byHand = fixture.page.orders as unknown as Order[]

let phone = false
let server: Server

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(fixture.now) })
  phone = false
  server = new Server()
  server.shows(byHand, fixture.page.total)
  server.on('GET /api/orders/counts', () => ({ json: fixture.counts as unknown as Counts }))
  const media = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...media(query),
    matches: query.includes('min-width') ? !phone : phone,
  }))
  vi.stubGlobal('innerHeight', 2000)
})

/** Opens the board and returns its requests once they are all drawn. */
async function draw(shape: Shape, orders: Order[]) {
  phone = shapes[shape].phone
  if (shape !== 'cards') await loadView('list')
  server.shows(orders)
  openPage(shapes[shape].address)
  await waitFor(() => expect(requestsIn(document, shape)).toHaveLength(orders.length))
  await act(() => vi.dynamicImportSettled())
  return requestsIn(document, shape)
}

/** Waits until the parts of the page that load by themselves are drawn as well. */
function settled(compare: () => void) {
  return waitFor(compare, { interval: 200 })
}

describe('the first look', () => {
  test.each(everyShape)('has what the page draws for every field and for none: %s', async (shape) => {
    await draw(shape, made)
    const ours = requestsIn(drawn('orders'), shape)
    await settled(() => {
      const page = requestsIn(document, shape)
      expect(ours.map(({ key }) => key)).toEqual(page.map(({ key }) => key))
      page.forEach(({ element }, i) => {
        const server = ours[i]?.element as Element
        expect(shown(server, element), `${cases.board[i]?.case}: ${howToFix}`).toEqual(shown(element))
      })
    })
  })

  test.each(everyShape)('has what the page draws for texts of every kind: %s', async (shape) => {
    await draw(shape, byHand)
    const ours = requestsIn(drawn(shape === 'cards' ? 'cards' : 'list'), shape)
    expect(ours).toHaveLength(shape === 'cards' ? 9 : 15)
    await settled(() => {
      const page = requestsIn(document, shape)
      ours.forEach(({ key, element: server }, i) => {
        const { element } = page[i] as (typeof page)[number]
        expect(key).toBe(page[i]?.key)
        expect(shown(server, element), howToFix).toEqual(shown(element))
      })
    })
    if (shape !== 'a table') return
    const head = (root: ParentNode) => [...root.querySelectorAll('th')].map((th) => [text(th), th.style.width])
    expect(head(drawn('list')), howToFix).toEqual(head(document))
  })

  test.each(everyShape)("marks the owner's request where the page draws it for its owner: %s", async (shape) => {
    const others = (await draw(shape, made)).map(({ element }) => shown(element))
    cleanup()
    server.signedIn(made, {}, { ...maple, id: made[0]?.userId ?? 0 })
    const own = (await draw(shape, made)).map(({ element }) => shown(element))
    const marks = [...drawn('orders').querySelectorAll<HTMLElement>('[data-by]')]
    const inShape = marks.filter((mark) => mark.closest(shapes[shape].each))
    // theme.js leaves what is marked blank, so that nobody is offered to fill their own request.
    own.forEach((lines, i) => {
      if (lines.join() !== others[i]?.join()) expect(inShape[i]?.dataset.by, cases.board[i]?.case).toBe('3')
    })
    expect(own[0]).not.toEqual(others[0])
  })

  test('has the texts above the board', async () => {
    openPage('/')
    await screen.findAllByRole('article')
    const server = drawn('cards')
    expect(texts(server, 'h1'), howToFix).toEqual(texts(document, 'h1'))
    expect(text(server), howToFix).toContain(text(screen.getByText(/^Showing/)))
    const chips = screen.getByRole('button', { name: /^All/ }).closest('fieldset') as Element
    const shownTo = (who: 'visitor' | 'user') =>
      texts(server, 'nav a').filter((name) => who === 'user' || name !== 'For me')
    expect(shownTo('visitor'), howToFix).toEqual(texts(chips, 'button'))
    expect(texts(server, 'option'), howToFix).toEqual(sorts.map(({ label }) => label))
    expect(texts(server, 'option')[0], howToFix).toBe(text(screen.getByRole('combobox', { name: 'Sort' })))
  })

  test("has a visitor's places and a user's, and what this is", async () => {
    onTestFinished(withFeatures('items stock handover'))
    openPage('/')
    const [visitors, users] = [...drawn('frame').querySelectorAll('nav')]
    const here = await screen.findByRole('navigation', { name: 'Main' })
    expect(texts(visitors as Element, 'a'), howToFix).toEqual(texts(here, 'a'))
    expect(text(drawn('frame').querySelector('aside') as Element), howToFix).toBe(
      text(screen.getByRole('complementary', { name: 'Invitation' })),
    )
    cleanup()
    server.signedIn()
    openPage('/')
    const own = await screen.findByRole('link', { name: /^My Requests/ })
    const names = [...(own.closest('nav') as Element).querySelectorAll('a')].map((a) =>
      text(a).replace(/ ?[\d,]+$/, ''),
    )
    expect(texts(users as Element, 'a'), howToFix).toEqual(names)
  })

  test('has no class that the page has not', () => {
    const sources = readdirSync(join(repository, 'dashboard/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'))
      .map((file) => read(`dashboard/src/${file}`))
      .join('\n')
    const known = new Set(`${sources}\n${read('dashboard/index.html')}`.split(/[\s'"`]+/))
    const used = (['cards', 'list', 'orders', 'frame'] as const).flatMap((name) => [
      ...drawn(name).querySelectorAll('*'),
    ])
    const unknown = new Set(used.flatMap(({ classList }) => [...classList]).filter((name) => !known.has(name)))
    expect([...unknown], 'Tailwind writes only classes that it finds in the page').toEqual([])
  })
})
