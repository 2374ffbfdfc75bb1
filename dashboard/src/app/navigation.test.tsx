import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

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
  new Server().signedIn([order({ userId: 1 })], { active: 1_200, received: 1, unread: 3, fulfilled: 5 })
  onPhone()
  const reader = openPage()
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }))
  await waitFor(() =>
    expect(bar.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
      'Browse',
      'Requests, 1,200 active',
      'Offers, 1 waits for your answer',
      'Inbox, 3 unread',
    ]),
  )
  expect(bar.getByRole('link', { name: 'Browse' })).toHaveAttribute('aria-current', 'page')
  expect(screen.queryByRole('link', { name: /Browse Requests/ })).toBeNull()
  await reader.click(bar.getByRole('link', { name: /^Requests/ }))
  const parts = within(await screen.findByRole('navigation', { name: 'Requests' }))
  await reader.click(parts.getByRole('link', { name: /Completed\s*5/ }))
  expect(await screen.findByRole('heading', { name: 'Completed' })).toBeVisible()
  expect(bar.getByRole('link', { name: /^Requests/ })).toHaveAttribute('aria-current', 'page')
  await reader.click(bar.getByRole('button', { name: 'Post Request' }))
  await dialog('Post New Request')
})

test('a visitor on a phone sees the invitation and no bar', async () => {
  new Server()
  onPhone()
  openPage()
  expect(await screen.findByText(/Sign up to post requests/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Post Request' })).toBeVisible()
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
})

test('a visitor on a phone has the commands beside the invitation', async () => {
  new Server().shows([order()])
  onPhone()
  const reader = openPage()
  const invitation = within(await screen.findByRole('complementary', { name: 'Invitation' }))
  await reader.click(invitation.getByRole('button', { name: 'Commands' }))
  expect(await screen.findByRole('combobox', { name: 'Commands' })).toBeVisible()
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
