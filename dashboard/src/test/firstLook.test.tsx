// What the server draws into the document before the page runs is what the page draws: web/firstlook holds the server's side.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Counts, Order } from '@/api/types'
import { loadView } from '@/features/orders/board/Board'
import { sorts } from '@/hooks/useBrowseFilter'
import fixture from '../../../core/testdata/first_look.json'
import { openPage } from './page'
import { Server } from './server'

const repository = join(process.cwd(), '..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

/** The document that the server sends, as an element. */
function drawn(name: 'cards' | 'list'): HTMLElement {
  const document = new DOMParser().parseFromString(read(`web/firstlook/testdata/${name}.html`), 'text/html')
  return document.body
}

const text = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim()
const texts = (root: ParentNode, selector: string) => [...root.querySelectorAll(selector)].map(text)
/** What users typed: it has a direction of its own. */
const typed = (root: Element) =>
  [...root.querySelectorAll('[dir="auto"]')].filter(({ localName }) => localName !== 'input').map(text)

const howToMend =
  'the server draws something else: change web/firstlook/*.html like the component, then run go test ./web/firstlook -update'

let phone = false

beforeEach(() => {
  process.env.TZ = 'UTC'
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(fixture.now) })
  phone = false
  const server = new Server()
  server.shows(fixture.page.orders as unknown as Order[], fixture.page.total)
  server.on('GET /api/orders/counts', () => ({ json: fixture.counts as unknown as Counts }))
  const media = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...media(query),
    matches: query.includes('min-width') ? !phone : phone,
  }))
  vi.stubGlobal('innerHeight', 2000)
})

describe('the first look', () => {
  test('has the texts of the cards', async () => {
    openPage('/')
    const cards = await screen.findAllByRole('article')
    const server = [...drawn('cards').querySelectorAll('article')]
    expect(server).toHaveLength(6)
    server.forEach((card, i) => {
      expect(text(card), howToMend).toBe(text(cards[i] as Element))
      expect(typed(card), howToMend).toEqual(typed(cards[i] as Element))
      expect(card.dataset.order).toBe(cards[i]?.dataset.order)
      expect(card.querySelector('h2 a')?.getAttribute('href')).toBe(
        cards[i]?.querySelector('h2 a')?.getAttribute('href'),
      )
    })
  })

  test('has the texts above the board', async () => {
    openPage('/')
    await screen.findAllByRole('article')
    const server = drawn('cards')
    expect(texts(server, 'h1'), howToMend).toEqual(texts(document, 'h1'))
    expect(text(server), howToMend).toContain(text(screen.getByText(/^Showing/)))
    const chips = screen.getByRole('button', { name: /^All/ }).closest('fieldset') as Element
    expect(texts(server, 'nav a'), howToMend).toEqual(texts(chips, 'button'))
    expect(texts(server, 'option'), howToMend).toEqual(sorts.map(({ label }) => label))
    expect(texts(server, 'option')[0], howToMend).toBe(text(screen.getByRole('combobox', { name: 'Sort' })))
    expect(text(server.querySelector('[data-view-hint]') as Element)).toBe('See more at once?Show the list')
    expect(screen.getByText('See more at once?').parentElement).toHaveTextContent('See more at once?Show the list')
  })

  test.each([
    ['a table', false, 'tr[data-row]'],
    ['the rows of a phone', true, 'li[data-row]'],
  ])('has the texts of %s', async (_, onPhone, selector) => {
    phone = onPhone
    await loadView('list')
    openPage('/?view=list')
    await waitFor(() => expect(document.querySelectorAll(selector).length).toBeGreaterThanOrEqual(14))
    const server = drawn('list')
    const [ours, theirs] = [server, document].map((root) => [...root.querySelectorAll<HTMLElement>(selector)])
    expect(ours).toHaveLength(14)
    ours?.forEach((row, i) => {
      const other = theirs?.[i] as HTMLElement
      expect(text(row), howToMend).toBe(text(other))
      expect(typed(row), howToMend).toEqual(typed(other))
      expect(row.dataset.row).toBe(other.dataset.row)
    })
    if (onPhone) return
    const head = (root: ParentNode) => [...root.querySelectorAll('th')].map((th) => [text(th), th.style.width])
    expect(head(server), howToMend).toEqual(head(document))
  })

  test('has no class that the page has not', () => {
    const sources = readdirSync(join(repository, 'dashboard/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'))
      .map((file) => read(`dashboard/src/${file}`))
      .join('\n')
    const known = new Set(`${sources}\n${read('dashboard/index.html')}`.split(/[\s'"`]+/))
    const used = [...drawn('cards').querySelectorAll('*'), ...drawn('list').querySelectorAll('*')]
    const unknown = new Set(used.flatMap(({ classList }) => [...classList]).filter((name) => !known.has(name)))
    expect([...unknown], 'Tailwind writes only classes that it finds in the page').toEqual([])
  })
})
