import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { maple, order, Server } from '@/test/server'

/** Presses the key of the command menu. */
const pressKey = (target: Element = document.body) => fireEvent.keyDown(target, { key: 'k', ctrlKey: true })

async function openCommands() {
  pressKey()
  return dialog('Commands')
}

const labels = (menu: Awaited<ReturnType<typeof dialog>>) =>
  menu.getAllByRole('option').map((option) => option.textContent?.trim())
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('Ctrl+K opens the menu with its field, and closes it; the focus returns', async () => {
  new Server().signedIn()
  openPage()
  const opener = await screen.findByRole('button', { name: 'Post Request' })
  opener.focus()
  const menu = await openCommands()
  expect(menu.getByRole('combobox', { name: 'Commands' })).toHaveFocus()
  expect(menu.getByRole('listbox')).toBeVisible()
  pressKey()
  await gone()
  await waitFor(() => expect(opener).toHaveFocus())
  expect(location.search).toBe('')
})

describe('the menu has what its user may do', () => {
  test('a visitor', async () => {
    new Server()
    openPage()
    await screen.findByRole('heading', { name: 'All Requests' })
    const known = labels(await openCommands())
    expect(known).toEqual(expect.arrayContaining(['Browse Requests', 'Post Request', 'Sign In with Discord', 'Miner']))
    for (const other of ['My Requests', 'Inbox', 'Moderation', 'Sign Out', 'Your Data'])
      expect(known).not.toContain(other)
  })

  test('a user, with counts', async () => {
    new Server().signedIn([], { active: 3, received: 1_200 })
    openPage()
    await screen.findByRole('button', { name: /^Account of/ })
    const known = labels(await openCommands())
    expect(known).toEqual(expect.arrayContaining(['My Requests3', 'Offers Received1,200', 'My Offers', 'Sign Out']))
    expect(known).not.toContain('Moderation')
    expect(known).not.toContain('Sign In with Discord')
  })

  test('a moderator who is blocked', async () => {
    new Server().signedIn([], {}, { ...maple, moderator: true, blockedFor: 'Floods the board' })
    openPage()
    await screen.findByRole('button', { name: /^Account of/ })
    const known = labels(await openCommands())
    expect(known).toContain('Moderation')
    expect(known).not.toContain('Post Request')
  })
})

test('words choose a command, and Enter runs it; back leads to the page before', async () => {
  new Server().signedIn()
  const reader = openPage('/completed')
  await screen.findByText('No completed requests yet')
  const menu = await openCommands()
  await reader.type(menu.getByRole('combobox'), 'off rec')
  expect(labels(menu)[0]).toBe('Offers Received')
  await reader.keyboard('{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/mine/offers'))
  await gone()
  await waitFor(() => expect(document.getElementById('content')).toHaveFocus())
  act(() => history.back())
  await waitFor(() => expect(location.pathname + location.search).toBe('/completed'))
})

test('a profession and a view are chosen from any page', async () => {
  const server = new Server().signedIn()
  const reader = openPage('/inbox')
  await reader.type((await openCommands()).getByRole('combobox'), 'miner{Enter}')
  await waitFor(() => expect(server.calls('GET /api/orders').at(-1)?.query.get('category')).toBe('Miner'))
  expect(location.pathname + location.search).toBe('/?category=Miner')
  await gone()
  await reader.type((await openCommands()).getByRole('combobox'), 'list{Enter}')
  await waitFor(() => expect(location.search).toBe('?category=Miner&view=list'))
  expect(localStorage.getItem('tradepost.view')).toBe('list')
})

test('the theme changes, also on its button in the header', async () => {
  new Server()
  const reader = openPage()
  await screen.findByRole('button', { name: 'Switch to the dark theme' })
  await reader.click((await openCommands()).getByRole('option', { name: 'Switch to the dark theme' }))
  await gone()
  await waitFor(() => expect(document.documentElement).toHaveClass('dark'))
  await reader.click(screen.getByRole('button', { name: 'Switch to the light theme' }))
  await waitFor(() => expect(document.documentElement).not.toHaveClass('dark'))
})

test('a text finds open requests and items, and leads to the search', async () => {
  const server = new Server().shows([order({ itemName: 'Iron Ore' })], 1_240)
  server.on('GET /api/items', ({ query }) => ({ json: { items: query.get('q') === 'iron' ? ['Iron Bar'] : [] } }))
  const reader = openPage('/completed')
  await screen.findByText('Sign in to see this page')
  const menu = await openCommands()
  await reader.paste('iron') // at once, so that there is one pause
  const found = await menu.findByRole('option', { name: /Iron Ore.*400 at/ })
  await waitFor(() => expect(menu.getByRole('status')).toHaveTextContent('1,240 open requests found'))
  expect(menu.getByRole('option', { name: /Search requests for “Iron Bar”/ })).toBeVisible()
  expect(found.querySelector('bdi')).toHaveAttribute('dir', 'auto')
  const asked = server.calls('GET /api/orders').map(({ query }) => [query.get('q'), query.get('limit')])
  expect(asked).toEqual([['iron', '5']])
  await reader.keyboard('{Enter}')
  await waitFor(() => expect(location.pathname + location.search).toBe('/?q=iron'))
})

test('a request that was found opens', async () => {
  new Server().shows([order()])
  const reader = openPage('/completed')
  await screen.findByText('Sign in to see this page')
  const menu = await openCommands()
  await reader.type(menu.getByRole('combobox'), 'iron')
  await reader.click(await menu.findByRole('option', { name: /Iron Ore.*400 at/ }))
  await waitFor(() => expect(location.pathname).toBe('/requests/7'))
})

test('a search that fails says so and can be repeated', async () => {
  const server = new Server().fails('GET /api/orders', 400, 'no')
  const reader = openPage('/completed')
  await screen.findByText('Sign in to see this page')
  const menu = await openCommands()
  await reader.click(menu.getByRole('combobox'))
  await reader.paste('iron') // one search: each further one would draw another option to press
  const retry = await menu.findByRole('option', { name: 'Failed to load orders. Please try again.' })
  await waitFor(() => expect(menu.getByRole('status')).toHaveTextContent('Search failed'))
  server.shows([order()])
  await reader.click(retry)
  expect(await menu.findByRole('option', { name: /Iron Ore.*400 at/ })).toBeVisible()
})

test('a post starts with the item that was typed', async () => {
  new Server().signedIn()
  const reader = openPage()
  await screen.findByRole('button', { name: /^Account of/ })
  const menu = await openCommands()
  await reader.type(menu.getByRole('combobox'), 'Tin Ore')
  await reader.click(await menu.findByRole('option', { name: 'Post a request for “Tin Ore”' }))
  const form = await dialog('Post New Request')
  expect(form.getByLabelText('Item name')).toHaveValue('Tin Ore')
  expect(form.queryByText(/Your earlier input/)).toBeNull()
  await waitFor(() => expect(form.getByLabelText('Item name')).toHaveFocus())
  act(() => history.back()) // not to the menu
  await gone()
})

test('a visitor who posts signs in first, and the item is kept', async () => {
  new Server()
  const reader = openPage()
  await screen.findByRole('heading', { name: 'All Requests' })
  await reader.type((await openCommands()).getByRole('combobox'), 'Tin Ore')
  await reader.click(await screen.findByRole('option', { name: 'Post a request for “Tin Ore”' }))
  await dialog('Join the Community')
  expect(location.search).toContain('next=post')
  expect(sessionStorage.getItem('tradepost.draft.post')).toContain('Tin Ore')
})

test('an open dialog keeps what is typed in it: Ctrl+K does nothing there', async () => {
  new Server().signedIn()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), 'Half')
  pressKey(form.getByLabelText('Item name'))
  await reader.type(form.getByLabelText('Item name'), ' a name')
  expect(form.getByLabelText('Item name')).toHaveValue('Half a name')
  expect(screen.queryByRole('combobox', { name: 'Commands' })).toBeNull()
})

test('the account menu opens it, and shows its key', async () => {
  new Server().signedIn()
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: /^Account of/ }))
  const entry = await screen.findByRole('menuitem', { name: /^Commands/ })
  expect(within(entry).getByText('Ctrl K')).toBeInTheDocument()
  await reader.click(entry)
  await dialog('Commands')
})

test('Sign Out signs out', async () => {
  const server = new Server().signedIn()
  server.on('POST /auth/sign-out', () => {
    server.signedOut()
    return { status: 204 }
  })
  const reader = openPage('/mine')
  await screen.findByRole('button', { name: /^Account of/ })
  await reader.type((await openCommands()).getByRole('combobox'), 'sign out{Enter}')
  expect(await screen.findByText("You're signed out.")).toBeVisible()
  await waitFor(() => expect(location.pathname + location.search).toBe('/'))
})
