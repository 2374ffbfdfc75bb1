import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/api/client'
import type { SessionMessage } from '@/api/session'
import { dialog, openPage } from '@/test/page'
import { order, rowan, Server } from '@/test/server'

test('a visitor sees no tabs, but an invitation to sign up', async () => {
  new Server().shows([order()])
  openPage()
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  expect(screen.getByText(/Sign up to post requests/)).toBeVisible()
  expect(screen.queryByRole('link', { name: /My Requests/ })).toBeNull()
})

test('Post Request opens sign-up for a visitor, and the two modes link to each other', async () => {
  new Server()
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: 'Post Request' }))
  const join = await dialog('Join the Community')
  await reader.click(join.getByRole('button', { name: 'Sign in' }))
  const back = await dialog('Welcome Back')
  expect(back.getByRole('button', { name: 'Continue with Discord' })).toBeEnabled()
  await reader.click(back.getByRole('button', { name: 'Sign up' }))
  await dialog('Join the Community')
})

test('a signed-in user sees tabs with counts, the e-mail and Sign Out', async () => {
  new Server().signedIn([order({ userId: 1 })], { active: 12, fulfilled: 3 })
  openPage()
  expect(await screen.findByText('maple@example.com')).toBeVisible()
  expect(screen.getByRole('link', { name: /My Requests\s*12/ })).toBeVisible()
  expect(screen.getByRole('link', { name: /Completed\s*3/ })).toBeVisible()
  expect(screen.getByRole('button', { name: /Sign Out/i })).toBeVisible()
})

test("signing out clears the user's data, even if the call fails", async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = new Server().signedIn([order({ userId: 1 })])
  server.on('POST /auth/sign-out', () => 'unreachable')
  const reader = openPage('/mine')
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
  await reader.click(screen.getByRole('button', { name: /Sign Out/i }))
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
  expect(log).toHaveBeenCalledWith('sign out', expect.any(ApiError))

  // The cookie is still valid, but after a reload the user is signed out, and the call is retried.
  cleanup()
  openPage('/mine')
  expect(await screen.findByText('Sign in to see this page')).toBeVisible()
  cleanup()
  server.on('POST /auth/sign-out', () => {
    server.signedOut()
    return { status: 204 }
  })
  openPage('/mine')
  expect(await screen.findByText('Sign in to see this page')).toBeVisible()
  expect(localStorage.getItem('tradepost.sign-out-owed')).toBeNull()
})

/** What another tab of the same browser tells. */
function anotherTab(news: SessionMessage) {
  const tab = new BroadcastChannel('tradepost.session')
  tab.postMessage(news)
  setTimeout(() => tab.close())
}

const mine = order({ userId: 1, itemName: 'Mine' })

test('a sign-out in another tab signs out this one and sends no request for the old user', async () => {
  const server = new Server().signedIn([mine])
  openPage('/mine')
  expect(await screen.findByRole('article', { name: 'Mine' })).toBeVisible()
  const before = server.received.length
  server.signedOut()
  anotherTab({ kind: 'left' })
  expect(await screen.findByText("You're signed out.")).toBeVisible()
  expect(screen.queryByRole('article', { name: 'Mine' })).toBeNull()
  expect(screen.queryByText('maple@example.com')).toBeNull()
  expect(screen.getByText('Sign in to see this page')).toBeVisible()
  const since = server.received.slice(before).map(({ path }) => path)
  expect(since.filter((path) => path.startsWith('/api/me/'))).toEqual([])
})

test('when another user signs in in another tab, this tab switches and does nothing for the old user', async () => {
  const server = new Server().signedIn([mine])
  const reader = openPage('/mine')
  await reader.click(await screen.findByRole('button', { name: 'Post Request' }))
  await reader.type((await dialog('Post New Request')).getByLabelText('Item name'), 'Half a na')
  await reader.keyboard('{Escape}')
  expect(await screen.findByRole('article', { name: 'Mine' })).toBeVisible()

  let answer = () => {}
  let list = () => {}
  const otherOrders = { orders: [order({ id: 8, userId: 2, itemName: 'Other Ore' })], total: 1, nextCursor: null }
  server.on('GET /api/me/orders', () => new Promise((resolve) => (list = () => resolve({ json: otherOrders }))))
  const me = { user: rowan, counts: { active: 1, fulfilled: 0, archived: 0, expired: 0, unread: 0, received: 0 } }
  server.on('GET /api/me', () => new Promise((resolve) => (answer = () => resolve({ json: me }))))
  const streams = server.streamsOpened
  const asked = server.calls('GET /api/me').length
  anotherTab({ kind: 'here', user: 2 })
  await waitFor(() => expect(server.calls('GET /api/me').length).toBeGreaterThan(asked))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Mine' })).toBeNull())
  answer()
  expect(await screen.findByText('rowan@example.com')).toBeVisible()
  expect(screen.queryByRole('article', { name: 'Mine' })).toBeNull()
  list()
  expect(await screen.findByRole('article', { name: 'Other Ore' })).toBeVisible()
  expect(screen.queryByRole('article', { name: 'Mine' })).toBeNull()
  expect(server.streamsOpened).toBe(streams + 1) // news comes for who is here now
  await reader.click(screen.getByRole('button', { name: 'Post Request' }))
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Item name')).toHaveValue('')
  expect(form.getByLabelText('Discord username')).toHaveValue('rowan')
})

test('returning to the tab checks the session again', async () => {
  const server = new Server().signedIn([mine])
  openPage('/mine')
  expect(await screen.findByRole('article', { name: 'Mine' })).toBeVisible()
  server.signedOut()
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  expect(await screen.findByText("You're signed out.")).toBeVisible()
  expect(screen.queryByRole('article', { name: 'Mine' })).toBeNull()
})

test('other tabs are notified of the signed-in user and of a sign-out', async () => {
  const heard: SessionMessage[] = []
  const tab = new BroadcastChannel('tradepost.session')
  tab.addEventListener('message', ({ data }: MessageEvent) => heard.push(data))
  const server = new Server().signedIn()
  server.on('POST /auth/sign-out', () => ({ status: 204 }))
  const reader = openPage()
  await waitFor(() => expect(heard).toEqual([{ kind: 'here', user: 1 }]))
  server.signedOut()
  await reader.click(await screen.findByRole('button', { name: /Sign Out/i }))
  await waitFor(() => expect(heard).toEqual([{ kind: 'here', user: 1 }, { kind: 'left' }]))
  tab.close()
})

test('a 401 response signs out the whole page', async () => {
  const server = new Server().signedIn([mine])
  server.fails('GET /api/me/offers/received', 401, 'Sign in with Discord first')
  const reader = openPage('/mine')
  await screen.findByRole('article', { name: 'Mine' })
  server.signedOut()
  await reader.click(screen.getByRole('link', { name: /^Offers Received/ }))
  expect(await screen.findByText("You're signed out.")).toBeVisible()
  expect(await screen.findByText('Sign in to see this page')).toBeVisible()
})

test('a session that cannot be loaded is logged and the user counts as signed out', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  new Server().on('GET /api/me', () => 'unreachable')
  openPage()
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  expect(log).toHaveBeenCalledWith('session', expect.any(ApiError))
})

test.each([
  ['denied', 'You cancelled the sign-in on Discord.'],
  ['failed', 'An error occurred'],
])('a sign-in that failed as %s shows a message', async (outcome, sentence) => {
  new Server()
  openPage(`/?signin=${outcome}`)
  expect(await (await dialog('Welcome Back')).findByText(sentence)).toBeVisible()
})
