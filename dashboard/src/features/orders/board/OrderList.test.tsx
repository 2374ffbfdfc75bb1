import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { rememberView } from '@/lib/boardView'
import { dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

const ore = order({ id: 1, itemName: 'Iron Ore', importance: 'urgent' })
const coal = order({ id: 2, itemName: 'Coal', sold: 0, progress: 0, maxPricePerUnit: 4_250 })
const tin = order({ id: 3, itemName: 'Tin', levelRequirement: null })

const row = (item: string) => screen.findByRole('row', { name: new RegExp(item) })
const link = async (item: string) => within(await screen.findByRole('table')).findByRole('link', { name: item })
const rowNames = () =>
  within(screen.getByRole('table'))
    .getAllByRole('link')
    .map((l) => l.textContent)
const panel = (item: string) => screen.findByRole('complementary', { name: item })
const closed = () => waitFor(() => expect(document.querySelector('[aria-labelledby=panel-title]')).toBeNull())

let server: Server
beforeEach(() => {
  server = new Server().shows([ore, coal, tin])
})

/** The page as a browser of a phone shows it. */
const onPhone = () =>
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: false,
    media,
    addEventListener() {},
    removeEventListener() {},
  }))

test('the list keeps its rows and the focus after its code was loaded', async () => {
  const reader = openPage('/?view=list') // the first test of the file: the code of the list is not there yet
  const stop = await link('Iron Ore')
  stop.focus()
  await reader.keyboard('{Enter}')
  await waitFor(async () => expect(within(await panel('Iron Ore')).getByRole('heading', { level: 2 })).toHaveFocus())
  expect(stop).toBeInTheDocument()
})

test('a visitor switches to the list, which the address and the browser keep', async () => {
  const reader = openPage()
  await screen.findByRole('article', { name: 'Iron Ore' })
  await reader.click(screen.getByRole('button', { name: 'List' }))
  expect(await screen.findByRole('table', { name: 'Requests' })).toBeVisible()
  expect(screen.queryByRole('article')).toBeNull()
  expect(location.search).toBe('?view=list')
  expect(localStorage.getItem('tradepost.view')).toBe('list')
  await reader.click(screen.getByRole('button', { name: 'Cards' }))
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
  expect(location.search).toBe('?view=cards')
})

test('the remembered view is shown and named in the address; a link wins over it', async () => {
  rememberView('list')
  openPage('/?category=Miner')
  expect(await screen.findByRole('table')).toBeVisible()
  expect(location.search).toBe('?category=Miner&view=list')
})

test('a link to cards shows cards', async () => {
  rememberView('list')
  openPage('/?view=cards')
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Cards' })).toHaveAttribute('aria-pressed', 'true')
})

test('a row shows what a seller decides by', async () => {
  server.signedIn([], {}, {
    ...order(),
    id: 9,
    username: 'fern',
    displayName: 'Fern',
    email: null,
    moderator: false,
  } as never)
  openPage('/?view=list')
  const cells = within(await row('Iron Ore'))
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
  expect(cells[0]).toContain('Miner: Iron Ore')
  expect(cells[0]).toContain('Importance: Urgent')
  expect(cells[0]).toContain('Status: Active')
  expect(cells[1]).toBe('400 of 500 left')
  expect(cells[2]).toContain('2 gold 500 silver')
  expect(cells[3]).toContain('1 platinum 250 gold')
  expect(cells.slice(4)).toEqual(['30+', 'rowan.ashdown', '3d', '9mo', 'Offer'])
  expect(within(await row('Iron Ore')).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '20')
  expect(within(await row('Coal')).queryByRole('progressbar')).toBeNull()
  expect(await row('Tin')).toHaveTextContent('Any')
})

test('silver stands under silver', async () => {
  openPage('/?view=list')
  const slots = (item: HTMLElement) =>
    [...(within(item).getAllByRole('cell')[2]?.querySelectorAll('[aria-hidden]:not(svg)') ?? [])].map(
      (s) => s.textContent,
    )
  expect(slots(await row('Iron Ore'))).toEqual(['2g', '500s', ''])
  expect(slots(await row('Coal'))).toEqual(['', '4s', '250c'])
})

test('the heads of the columns sort', async () => {
  const reader = openPage('/?view=list')
  await row('Iron Ore')
  expect(screen.getByRole('columnheader', { name: 'Age' })).toHaveAttribute('aria-sort', 'ascending')
  for (const [head, sort, order] of [
    ['Each', 'price', 'descending'],
    ['Total', 'total', 'descending'],
    ['Ends', 'ending', 'ascending'],
    ['Age', null, 'ascending'],
  ] as const) {
    const asked = server.calls('GET /api/orders').length
    await reader.click(screen.getByRole('button', { name: head }))
    if (sort) await waitFor(() => expect(server.calls('GET /api/orders').length).toBeGreaterThan(asked))
    if (sort) expect(server.calls('GET /api/orders').at(-1)?.query.get('sort')).toBe(sort)
    await waitFor(() => expect(screen.getByRole('columnheader', { name: head })).toHaveAttribute('aria-sort', order))
    expect(document.querySelectorAll('[aria-sort]')).toHaveLength(1)
  }
})

test('a row opens the whole request beside the list, and back closes it', async () => {
  const reader = openPage('/?view=list')
  await reader.click(await link('Coal'))
  expect(location.search).toBe('?view=list&request=2')
  expect(await panel('Coal')).toHaveTextContent('0 fulfilled')
  expect(await panel('Coal')).toHaveTextContent('Any amount helps.')
  expect(await row('Coal')).toHaveAttribute('aria-current', 'true')
  expect(await link('Coal')).toHaveFocus()
  act(() => history.back())
  await closed()
  expect(screen.getByRole('table')).toBeVisible()
})

test('the keys walk, open, offer and close, and the focus is never lost', async () => {
  const reader = openPage('/?view=list')
  await row('Iron Ore')
  await reader.keyboard('j')
  expect(await link('Iron Ore')).toHaveFocus()
  await reader.keyboard('jj')
  expect(await link('Tin')).toHaveFocus()
  await reader.keyboard('j') // the last one
  expect(await link('Tin')).toHaveFocus()
  await reader.keyboard('k')
  expect(await link('Coal')).toHaveFocus()
  await reader.keyboard('{Enter}')
  expect(within(await panel('Coal')).getByRole('heading')).toHaveFocus()
  await reader.keyboard('j')
  expect(await panel('Tin')).toBeVisible()
  expect(within(screen.getByRole('table')).getByRole('link', { name: 'Tin' })).toHaveFocus()
  await reader.keyboard('o')
  expect((await dialog('Offer to Fulfill')).getByText('Price per unit, set by the request')).toBeVisible()
  expect(document.querySelector('[aria-labelledby=panel-title]')).toHaveTextContent('Tin')
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await reader.keyboard('{Escape}')
  await closed()
  expect(await link('Tin')).toHaveFocus()
})

test('the keys rest while the user types, and are listed', async () => {
  const reader = openPage('/?view=list')
  await row('Iron Ore')
  await reader.keyboard('/')
  expect(screen.getByRole('searchbox')).toHaveFocus()
  await reader.keyboard('jo?')
  expect(screen.getByRole('searchbox')).toHaveValue('jo?')
  act(() => screen.getByRole('searchbox').blur())
  await reader.keyboard('?')
  expect((await dialog('Keys')).getByText('Next request')).toBeVisible()
})

test('only one row is a tab stop, with its action', async () => {
  openPage('/?view=list')
  await row('Iron Ore')
  const table = within(screen.getByRole('table'))
  const stops = [...table.getAllByRole('link'), ...table.getAllByRole('button', { name: /^Offer on/ })].filter(
    (e) => e.tabIndex === 0,
  )
  expect(stops.map((e) => e.getAttribute('aria-label') ?? e.textContent)).toEqual(['Iron Ore', 'Offer on Iron Ore'])
})

test('an own row has its badge and its offers; an offered one what was offered', async () => {
  server.signedIn([{ ...order({ id: 4, itemName: 'Pearl', userId: 1 }), offerCount: 3 }])
  server.shows([order({ id: 4, itemName: 'Pearl', userId: 1 }), ore])
  server.on('GET /api/me/offers/open', () => ({
    json: { offers: [{ orderId: 1, offerId: 70, quantityOffered: 8, quantityAccepted: 0 }] },
  }))
  const reader = openPage('/?view=list')
  expect(await row('Pearl')).toHaveTextContent('Your Request')
  expect(await screen.findByRole('button', { name: 'View Offers on Pearl (3)' })).toHaveTextContent('Offers 3')
  expect(await row('Iron Ore')).toHaveTextContent('You offered 8')
  await reader.click(screen.getByRole('button', { name: 'Change my offer on Iron Ore' }))
  expect(location.search).toContain('dialog=offer&request=1')
  expect(document.querySelector('[aria-labelledby=panel-title]')).toBeNull()
})

test('a change shows in its row, and a closed request passes the focus on', async () => {
  const reader = openPage('/?view=list')
  await row('Iron Ore')
  await reader.keyboard('jj')
  expect(await link('Coal')).toHaveFocus()
  server.on('GET /api/orders/1', () => ({ json: { ...ore, version: 9, sold: 450, progress: 90 } }))
  server.on('GET /api/orders/2', () => ({ json: { ...coal, version: 9, status: 'fulfilled', progress: 100 } }))
  act(() => server.sendEvent('change', { orders: [1, 2], mine: false }))
  expect(await screen.findByText('Showing 2 active requests')).toBeVisible()
  expect(await row('Iron Ore')).toHaveTextContent('50 of 500 left')
  expect(rowNames()).toEqual(['Iron Ore', 'Tin'])
  expect(await link('Tin')).toHaveFocus()
})

test('of many rows those near the window are rendered, and the one with the focus', async () => {
  server.shows(Array.from({ length: 400 }, (_, i) => order({ id: i + 1, itemName: `Item ${i}.` })))
  const reader = openPage('/?view=list')
  await row('Item 0\\.')
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '401')
  expect(rowNames().length).toBeLessThan(60)
  await reader.keyboard('j')
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: -8_000 } as DOMRect)
  Object.defineProperty(window, 'scrollY', { value: 8_000, configurable: true })
  act(() => void window.dispatchEvent(new Event('scroll')))
  await waitFor(() => expect(rowNames()).toContain('Item 190.'))
  expect(await link('Item 0.')).toHaveFocus()
  expect(rowNames().length).toBeLessThan(60)
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true })
})

describe('requests of one item', () => {
  const best = order({ id: 5, itemName: 'iron ore', maxPricePerUnit: 25_000, quantity: 900, sold: 0, progress: 0 })
  const group = { requests: 2, wanted: 1_300, best: 25_000 }
  /** The market folds Iron Ore, which two requests are for. */
  function folds(lead = { ...ore, group }, members = [ore, best]) {
    server.on('GET /api/orders', ({ query }) => {
      const item = query.get('item')?.toLowerCase()
      const grouped = query.get('group') === 'item'
      const all = grouped ? [lead, { ...coal, group: { requests: 1, wanted: 500, best: 4_250 } }] : members
      const orders = item ? all.filter((o) => o.itemName.toLowerCase() === item) : all
      return { json: { orders, total: 3, nextCursor: null } }
    })
  }

  test('fold to one row, which opens to them by mouse and keyboard', async () => {
    folds()
    const reader = openPage('/?view=list')
    const head = await row('2 requests')
    expect(head).toHaveTextContent('1,300 wanted')
    expect(head).toHaveTextContent('best25 silver')
    expect(rowNames()).toEqual(['Coal'])
    expect(screen.getByText('Showing 3 active requests')).toBeVisible()
    const toggle = within(head).getByRole('button', { name: /Iron Ore/ })
    await reader.click(toggle)
    expect(await link('iron ore')).toBeVisible()
    expect(rowNames()).toEqual(['Iron Ore', 'iron ore', 'Coal'])
    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await reader.keyboard('jj')
    expect(await link('iron ore')).toHaveFocus()
    await reader.keyboard('{ArrowLeft}')
    await waitFor(() => expect(rowNames()).toEqual(['Coal']))
    expect(within(await row('2 requests')).getByRole('button')).toHaveFocus()
    await reader.keyboard('{ArrowRight}')
    expect(await link('iron ore')).toBeVisible()
  })

  test('have a name that leads to the item, for the pointer', async () => {
    folds({ ...ore, itemId: 12, group })
    openPage('/?view=list')
    const head = await row('2 requests')
    const name = head.querySelector('a[href="/items/12"]')
    expect(name).toHaveTextContent('Iron Ore')
    expect(name).toHaveAttribute('aria-hidden', 'true')
    expect(name).toHaveAttribute('tabindex', '-1')
    expect(within(head).getByRole('button', { name: /Iron Ore/ })).toBeVisible()
  })

  test('a change is in their sums, and the row stays when its first request closes', async () => {
    folds()
    const reader = openPage('/?view=list')
    await reader.click(within(await row('2 requests')).getByRole('button'))
    await link('iron ore')
    const closed = { ...ore, version: 9, status: 'fulfilled', progress: 100 } as const
    server.on('GET /api/orders/1', () => ({ json: closed }))
    folds({ ...best, group: { requests: 1, wanted: 900, best: 25_000 } } as never, [best])
    act(() => server.sendEvent('change', { orders: [1], mine: false }))
    await waitFor(() => expect(rowNames()).toEqual(['iron ore', 'Coal']))
    expect(screen.queryByText('2 requests')).toBeNull()
    expect(screen.getByText('Showing 2 active requests')).toBeVisible()
  })

  test('another one that does not come first changes the sums and moves nothing', async () => {
    folds()
    openPage('/?view=list')
    await row('2 requests')
    folds({ ...ore, group: { requests: 3, wanted: 1_340, best: 25_000 } })
    act(() => server.sendEvent('change', { orders: [77], mine: false }))
    expect(await row('3 requests')).toHaveTextContent('1,340 wanted')
    expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
  })
})

test('empty and failed lists say so as the cards do', async () => {
  server.fails('GET /api/orders', 400, 'no')
  const reader = openPage('/?view=list')
  expect(await screen.findByText('Failed to load orders. Please try again.')).toBeVisible()
  server.shows([])
  await reader.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No requests yet')).toBeVisible()
})

test('on a phone a row has two lines and opens the request as a page', async () => {
  onPhone()
  const reader = openPage('/?view=list')
  const list = within(await screen.findByRole('list', { name: 'Requests' }))
  const first = list.getAllByRole('listitem')[0] as HTMLElement
  expect(first).toHaveTextContent('Iron Ore')
  expect(first).toHaveTextContent('400 of 500 left')
  expect(first).toHaveTextContent('30+ level')
  expect(screen.queryByRole('table')).toBeNull()
  await reader.click(within(first).getByRole('link'))
  expect(await screen.findByRole('heading', { level: 1, name: 'Iron Ore' })).toBeVisible()
  expect(location.pathname).toBe('/requests/1')
})
