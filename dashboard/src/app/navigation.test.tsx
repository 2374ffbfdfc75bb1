import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dialog, openPage, withFeatures } from '@/test/page'
import { maple, order, Server } from '@/test/server'

/** Makes the window as narrow as a phone. */
function onPhone() {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }))
}

const settings = { kinds: {}, quietFrom: null, quietTo: null, timeZone: 'UTC', unreachable: null }

test('the account menu has the name, settings, data and Sign Out, and its dialogs return the focus', async () => {
  const server = new Server().signedIn([order({ userId: 1 })])
  server.on('GET /api/me/notices/settings', () => ({ json: settings }))
  const reader = openPage()
  const button = await screen.findByRole('button', { name: /^Account of Maple, maple@example.com$/ })
  button.focus()
  await reader.keyboard('{Enter}')
  const menu = within(await screen.findByRole('menu'))
  expect(menu.getByText('Maple')).toBeVisible()
  expect(menu.getAllByRole('menuitem').map((item) => item.textContent?.trim())).toEqual([
    'Commands Ctrl K',
    'My Offers', // there is no Selling without stock
    'Saved Searches',
    'Notice Settings',
    'Your Data',
    'Sign Out',
  ])
  await reader.click(menu.getByRole('menuitem', { name: 'Your Data' }))
  const data = await dialog('Your Data')
  expect(data.getByRole('link', { name: 'Download My Data' })).toHaveAttribute('href', '/api/me/data')
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: /^Account of/ })).toHaveFocus())
  await reader.keyboard('{Enter}')
  await reader.click(await screen.findByRole('menuitem', { name: 'Notice Settings' }))
  await dialog('Notice Settings')
})

test('Sign Out in the account menu signs out', async () => {
  const server = new Server().signedIn()
  server.on('POST /auth/sign-out', () => {
    server.signedOut()
    return { status: 204 }
  })
  const reader = openPage('/mine')
  await reader.click(await screen.findByRole('button', { name: /^Account of/ }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  expect(document.getElementById('content')).toHaveFocus()
})

test('on a phone the bottom bar has the counts of the tabs, and replaces them', async () => {
  onTestFinished(withFeatures('stock handover'))
  new Server().signedIn([order({ userId: 1 })], { active: 1_200, confirm: 1, unread: 3, fulfilled: 5 })
  onPhone()
  const reader = openPage()
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }))
  await waitFor(() =>
    expect(bar.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
      'Browse',
      'Requests, 1,200 active',
      'Selling',
      'Trades, 1 waits for your answer',
    ]),
  )
  expect(screen.getByRole('link', { name: 'Inbox, 3 unread' })).toBeVisible()
  expect(bar.getByRole('link', { name: 'Browse' })).toHaveAttribute('aria-current', 'page')
  expect(screen.queryByRole('link', { name: /Browse Requests/ })).toBeNull()
  await reader.click(bar.getByRole('link', { name: /^Requests/ }))
  const parts = within(await screen.findByRole('navigation', { name: 'My Requests' }))
  await reader.click(parts.getByRole('link', { name: /Completed\s*5/ }))
  expect(await screen.findByRole('heading', { name: 'Completed' })).toBeVisible()
  expect(bar.getByRole('link', { name: /^Requests/ })).toHaveAttribute('aria-current', 'page')
  await reader.click(bar.getByRole('button', { name: 'Post Request' }))
  await dialog('Post New Request')
})

test('the tab of the requests has the number of offers to answer', async () => {
  new Server().signedIn([order({ userId: 1 })], { received: 14 })
  openPage()
  const tab = await screen.findByRole('link', { name: 'My Requests 1, 14 offers to answer' })
  expect(tab).toHaveTextContent('My Requests1 14')
  expect(tab).toHaveAttribute('href', '/mine')
})

test('on a phone the offers to answer come before the number of requests', async () => {
  new Server().signedIn([order({ userId: 1 })], { received: 14 })
  onPhone()
  openPage('/mine')
  expect(await screen.findByRole('link', { name: 'Requests 1, 14 offers to answer' })).toHaveTextContent('14')
  const parts = within(await screen.findByRole('navigation', { name: 'My Requests' }))
  expect(parts.getByRole('link', { name: /^Offers Received\W*14/ })).toHaveAttribute('href', '/mine/offers')
})

test('a visitor on a phone sees the invitation and no bar', async () => {
  new Server()
  onPhone()
  openPage()
  expect(await screen.findByText(/Sign up to post requests/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Post Request' })).toBeVisible()
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
})

const marked = () => [...document.querySelectorAll('nav [aria-current]')].map((link) => link.textContent)

test('a visitor who has offered on this device finds the offers again', async () => {
  onTestFinished(withFeatures('items stock'))
  localStorage.setItem('tradepost.visitor-offers', JSON.stringify([{ order: 7, token: 'secret' }]))
  const server = new Server()
  server.on('GET /api/offer-links/secret', () => ({
    json: {
      offer: { itemName: 'Iron Ore', quantityOffered: 5, state: 'open', createdAt: new Date().toISOString() },
      order: null,
      receipts: [],
    },
  }))
  const reader = openPage()
  const places = within(await screen.findByRole('navigation', { name: 'Main' }))
  expect(places.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Browse',
    'Items',
    'My offers on this device',
  ])
  await reader.click(places.getByRole('link', { name: 'My offers on this device' }))
  expect(await screen.findByRole('link', { name: /5 × Iron Ore/ })).toHaveAttribute('href', '/offer/secret')
  expect(marked()).toEqual(['My offers on this device'])
})

test.each([
  [[], ['Browse Requests', 'My Requests1', 'Completed0']],
  [
    ['items', 'stock', 'handover', 'lists'],
    ['Browse Requests', 'My Requests1', 'Completed0', 'Selling', 'Trades2', 'Items'],
  ],
] as const)('a user has the places of the features %j', async (features, places) => {
  onTestFinished(withFeatures(features.join(' ')))
  new Server().signedIn([order({ userId: 1 })], { confirm: 2 })
  openPage('/mine')
  const own = await screen.findByRole('link', { name: /My Requests/ })
  const tabs = within(own.closest('nav') as HTMLElement)
  await waitFor(() => expect(tabs.getAllByRole('link').map((link) => link.textContent)).toEqual(places))
  expect(marked()).toContain('My Requests1')
  if (features.length > 0) expect(tabs.getByRole('link', { name: 'Trades, 2 wait for your answer' })).toBeVisible()
})

test('the line above the board has what waits, each with its action', async () => {
  const friday = new Date(Date.now() + 86_400_000).toISOString()
  new Server().signedIn([], { received: 3, confirm: 1 }, maple, [
    { kind: 'answer_offers', count: 3, partner: null, order: null, endsAt: null },
    { kind: 'confirm_trades', count: 1, partner: 4, order: null, endsAt: null },
    { kind: 'renew_requests', count: 1, partner: null, order: 7, endsAt: friday },
  ])
  openPage()
  const line = within(await screen.findByRole('region', { name: 'What waits for you' }))
  expect(line.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['3 offers to answer Answer', '/mine/offers'],
    ['1 trade to confirm We met', '/trades/with/4'],
    ['1 request ends tomorrow Renew', '/requests/7'],
  ])
  await userEvent.click(line.getByRole('link', { name: /^3 offers/ }))
  await screen.findByRole('heading', { name: 'Offers Received' })
  expect(document.getElementById('content')).toHaveFocus() // the line is only on the board
})

test('without anything to do there is no such line', async () => {
  new Server().signedIn()
  openPage()
  await screen.findByRole('link', { name: /My Requests/ })
  expect(screen.queryByRole('region', { name: 'What waits for you' })).toBeNull()
})

test('moderation has its number in the account menu', async () => {
  new Server().signedIn([], { cases: 2 }, { ...maple, moderator: true })
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: /^Account of/ }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Moderation, 2 cases wait' }))
  await waitFor(() => expect(location.pathname).toBe('/moderation'))
})

test.each([
  ['/offers?show=past', '/selling/offers?show=past'],
  ['/offers/received', '/mine/offers'],
])('the old address %s leads on', async (from, to) => {
  new Server().signedIn()
  openPage(from)
  await waitFor(() => expect(location.pathname + location.search).toBe(to))
})

test('the logo leads to the board as it was last shown', async () => {
  new Server().signedIn().shows([order()])
  const reader = openPage('/?category=Miner&sort=price')
  const logo = () => screen.getByRole('link', { name: /all requests$/ })
  await screen.findByRole('article', { name: 'Iron Ore' })
  await reader.click(await screen.findByRole('link', { name: /^Inbox/ }))
  await screen.findByRole('heading', { name: 'Inbox' })
  await reader.click(logo())
  expect(await screen.findByRole('heading', { name: 'Miner Requests' })).toBeVisible()
  expect(location.search).toBe('?category=Miner&sort=price')
  await reader.click(logo())
  expect(location.search).toBe('?category=Miner&sort=price')
})
