import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Skill } from '@/api/types'
import { dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const lastList = (server: Server) => server.calls('GET /api/orders').at(-1)?.query
const forMe = () => screen.findByRole('switch', { name: 'For me' })

/** An account whose skills are kept by the scripted server. */
function withSkills(server: Server, skills: Skill[]) {
  server.on('GET /api/me/skills', () => ({ json: { skills } }))
  return server.on('PUT /api/me/skills', ({ body }) => {
    skills.splice(0, skills.length, ...(body as { skills: Skill[] }).skills)
    return { json: { skills } }
  })
}

test('For me asks a visitor for their skills, and shows what these are enough for', async () => {
  const server = new Server().shows([order()])
  const reader = openPage('/?category=Miner&for=me')
  await reader.click(await screen.findByRole('button', { name: 'Set My Skills' }))
  const skills = await dialog('My Skills')
  await reader.type(skills.getByRole('spinbutton', { name: 'Miner' }), '120')
  await reader.type(skills.getByRole('spinbutton', { name: 'Chef' }), '9999{Enter}')
  await waitFor(() => expect(lastList(server)?.getAll('skill')).toEqual(['Chef:500', 'Miner:120']))
  expect(lastList(server)?.getAll('category')).toEqual(['Miner'])
  await waitFor(() => expect(location.search).toBe('?category=Miner&for=me'))
  expect(await forMe()).toHaveAttribute('aria-checked', 'true')
  expect(screen.getByText('For me: Chef 500, Miner 120')).toBeVisible()

  await reader.click(await forMe())
  await waitFor(() => expect(screen.queryByText(/^For me:/)).toBeNull())
  expect(location.search).toBe('?category=Miner')
  expect(await forMe()).toHaveAttribute('aria-checked', 'false')
})

test('For me is remembered for a board without filters, and the skills in this browser', async () => {
  localStorage.setItem(
    'tradepost.skills',
    '[{"category":"Miner","level":7},{"category":"Pirate","level":1},{"level":2},5]',
  )
  localStorage.setItem('tradepost.for-me', '1')
  const server = new Server().shows([order()])
  openPage()
  await waitFor(() => expect(lastList(server)?.getAll('skill')).toEqual(['Miner:7']))
  expect(location.search).toBe('?for=me')
})

test('an address with For me and no skills says what it needs, and shows everything', async () => {
  const server = new Server().shows([order()])
  const reader = openPage('/?for=me')
  expect(await screen.findByText(/Set your levels to use/)).toBeVisible()
  expect(lastList(server)?.has('skill')).toBe(false)
  await reader.click(screen.getByRole('button', { name: 'Set My Skills' }))
  await dialog('My Skills')
})

test("the account's skills win over the browser's", async () => {
  localStorage.setItem('tradepost.skills', '[{"category":"Miner","level":7}]')
  localStorage.setItem('tradepost.signed-in', '1')
  const server = withSkills(new Server().signedIn().shows([order()]), [{ category: 'Chef', level: 5 }])
  openPage('/?for=me')
  await waitFor(() => expect(lastList(server)?.getAll('skill')).toEqual(['Chef:5']))
  expect(server.calls('GET /api/orders').every(({ query }) => query.getAll('skill').join() === 'Chef:5')).toBe(true)
  await waitFor(() => expect(localStorage.getItem('tradepost.skills')).toBeNull())
  expect(screen.queryByText(/Move the skills/)).toBeNull()
})

test("an account without skills is offered the browser's, with its searches", async () => {
  localStorage.setItem('tradepost.skills', '[{"category":"Miner","level":7}]')
  localStorage.setItem('tradepost.searches', '[{"id":1,"name":"Ores","q":"ore"}]')
  const account: Skill[] = []
  const server = withSkills(new Server().signedIn().shows([order()]), account)
  server.on('POST /api/me/searches', () => ({ status: 201, json: {} }))
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: 'Move Them' }))
  await waitFor(() => expect(localStorage.getItem('tradepost.skills')).toBeNull())
  expect(account).toEqual([{ category: 'Miner', level: 7 }])
  expect(server.calls('POST /api/me/searches').map(({ body }) => body)).toEqual([{ name: 'Ores', q: 'ore' }])
  await waitFor(() => expect(screen.queryByText(/Move the skills/)).toBeNull())
  expect(localStorage.getItem('tradepost.searches')).toBeNull()
})

test('a visitor saves, applies, renames and removes a search', async () => {
  const server = new Server().shows([order()])
  const reader = openPage('/?q=ore&category=Miner&importance=urgent&min=1g&sort=price&view=cards')
  const menu = async () => {
    await reader.click(await screen.findByRole('button', { name: 'Saved searches' }))
    return within(await screen.findByRole('menu'))
  }
  await reader.click((await menu()).getByRole('menuitem', { name: 'Save search' }))
  expect(await screen.findByText('Saved on this device.')).toBeVisible()
  expect(await screen.findByRole('button', { name: /^Saved\. Remove “ore” · Miner · urgent · from 1g/ })).toBeVisible()
  await reader.click((await menu()).getByRole('menuitem', { name: 'All Saved Searches' }))
  expect(await screen.findByText(/saved on this device only/)).toBeVisible()
  expect(screen.queryByRole('switch', { name: /Message me/ })).toBeNull()
  await reader.click(screen.getByRole('button', { name: /^More for/ }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const field = await screen.findByRole('textbox', { name: 'Name' })
  await reader.clear(field)
  await reader.type(field, '{Enter}')
  expect(screen.getByText('Give the search a name')).toBeVisible()
  await reader.type(field, 'Urgent ores{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'More for Urgent ores' })).toHaveFocus())

  await reader.click(screen.getByRole('link', { name: 'Browse' }))
  await reader.click(await screen.findByRole('button', { name: 'Clear all' }))
  await waitFor(() => expect(lastList(server)?.has('q')).toBe(false))
  await reader.click((await menu()).getByRole('menuitem', { name: /^Urgent ores/ }))
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
      category: 'Miner',
      q: 'ore',
      importance: 'urgent',
      min: '1g',
      sort: 'price',
      view: 'cards',
    }),
  )
  expect(screen.getByRole('searchbox')).toHaveValue('ore')
  await reader.click(await screen.findByRole('button', { name: 'Saved. Remove Urgent ores' }))
  await waitFor(() => expect(localStorage.getItem('tradepost.searches')).toBeNull())
})

test('the filters of the board survive tabs and All Requests', async () => {
  const server = new Server().signedIn().shows([order()])
  const reader = openPage('/?q=ore&category=Miner')
  await screen.findByRole('article', { name: 'Iron Ore' })
  await reader.click(screen.getByRole('link', { name: /My Requests/ }))
  await screen.findByText('No requests posted yet')
  await reader.click(screen.getByRole('link', { name: 'Browse Requests' }))
  expect(await screen.findByRole('heading', { name: 'Miner Requests' })).toBeVisible()
  expect(location.search).toBe('?q=ore&category=Miner')
  await reader.click(screen.getByRole('link', { name: 'Iron Ore' }))
  await reader.click(await screen.findByRole('link', { name: 'All Requests' }))
  expect(await screen.findByRole('searchbox')).toHaveValue('ore')
  expect(location.search).toBe('?q=ore&category=Miner')
  expect(lastList(server)?.get('q')).toBe('ore')
})

test('with stock, For me lists fillable requests by earnings, or as it is sorted', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="features" content="items stock">')
  localStorage.setItem('tradepost.signed-in', '1')
  const server = withSkills(new Server().signedIn().shows([order()]), [])
  server.on('GET /api/orders/fillable', () => ({ json: { orders: [order({ id: 7 })], total: 1, nextCursor: null } }))
  const reader = openPage('/?for=me&category=Miner')
  await waitFor(() => expect(server.calls('GET /api/orders/fillable')).toHaveLength(1))
  expect(server.calls('GET /api/orders/fillable')[0]?.query.getAll('category')).toEqual(['Miner'])
  expect(await screen.findByText(/Until then you only see requests for your stock/)).toBeVisible()
  const sort = screen.getByRole('combobox', { name: 'Sort' })
  expect(sort).toHaveTextContent('Best earnings')
  await reader.click(sort)
  await reader.click(await screen.findByRole('option', { name: 'Newest first' }))
  await waitFor(() => expect(server.calls('GET /api/orders/fillable').at(-1)?.query.get('sort')).toBe('newest'))
  document.head.querySelector('meta[name=features]')?.remove()
})
