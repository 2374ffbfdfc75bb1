import { within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Token } from '@/api/tokens'
import { dialog, openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

const hour = 3_600_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const sheet: Token = {
  id: 4,
  name: 'Price sheet',
  scopes: ['read'],
  createdAt: at(-99 * hour),
  expiresAt: at(20 * 24 * hour),
  usedAt: at(-5 * hour),
}
const bot: Token = { ...sheet, id: 5, name: 'Restock bot', scopes: ['read', 'stock'], usedAt: null }
const secret = 'tp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab'

let off = () => {}
beforeEach(() => {
  off = withFeatures('items tokens')
})
afterEach(() => {
  off()
  sessionStorage.clear()
})

function signedIn(tokens: Token[] = [], tradeAllowed = false) {
  const server = new Server().signedIn()
  const state = { tokens }
  server.on('GET /api/me/tokens', () => ({ json: { tokens: state.tokens, tradeAllowed, most: 10 } }))
  return { server, state }
}

test('a user lets a program in, copies its token once, and ends it', async () => {
  const { server, state } = signedIn([sheet])
  server.on('POST /api/me/tokens', () => {
    state.tokens = [bot, sheet]
    return { status: 201, json: { token: bot, secret } }
  })
  server.on('DELETE /api/me/tokens/5', () => {
    state.tokens = [sheet]
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  const copied = vi.spyOn(navigator.clipboard, 'writeText')
  const data = await dialog('Your Data')
  expect(await data.findByText('Price sheet')).toBeVisible()
  expect(data.getByText(/^read · until.*last used 5 hours ago$/)).toBeVisible()

  await reader.click(data.getByRole('button', { name: 'Make a Token' }))
  expect(data.getByRole('checkbox', { name: 'trade: off until moderators allow it' })).toBeDisabled()
  await reader.click(data.getByRole('checkbox', { name: /^read/ }))
  await reader.click(data.getByRole('button', { name: 'Make the Token' }))
  expect(await data.findByText('Name of the program is required')).toBeVisible()
  expect(data.getByText('Choose what the program may do')).toBeVisible()
  await reader.type(data.getByRole('textbox', { name: 'Name of the program' }), 'Restock bot')
  await reader.click(data.getByRole('checkbox', { name: /^read/ }))
  await reader.click(data.getByRole('checkbox', { name: /^stock/ }))
  await reader.click(data.getByRole('button', { name: 'Make the Token' }))

  const made = within(await data.findByRole('region', { name: 'Token' }))
  expect(made.getByRole('status')).toHaveTextContent('It is shown only once')
  expect(made.getByRole('textbox', { name: 'Token' })).toHaveValue(secret)
  expect(server.calls('POST /api/me/tokens')[0]).toMatchObject({
    body: { name: 'Restock bot', scopes: ['read', 'stock'], days: 90 },
    key: expect.any(String),
  })
  await reader.click(made.getByRole('button', { name: 'Copy' }))
  expect(await made.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(copied).toHaveBeenCalledWith(secret)
  expect(Object.values(sessionStorage).join()).not.toContain(secret)
  await reader.click(made.getByRole('button', { name: 'I Have Saved It' }))
  expect(data.queryByDisplayValue(secret)).toBeNull()
  expect(data.getByText(/^read, stock · until.*not used yet$/)).toBeVisible()

  await reader.click(data.getByRole('button', { name: 'End the token of Restock bot' }))
  await expect.poll(() => data.queryByText('Restock bot')).toBeNull()
  expect(data.getByRole('heading', { name: 'Access for programs' })).toHaveFocus()
})

test('an old sign-in keeps what was typed', async () => {
  const { server } = signedIn([], true)
  const asks = 'You signed in more than 10 minutes ago. Please sign in once more to do this.'
  server.fails('POST /api/me/tokens', 403, asks, { code: 'fresh_sign_in_needed' })
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  await reader.click(await data.findByRole('button', { name: 'Make a Token' }))
  await reader.type(data.getByRole('textbox', { name: 'Name of the program' }), 'Overlay')
  await reader.click(data.getByRole('checkbox', { name: /^trade: post requests/ }))
  await reader.click(data.getByRole('button', { name: 'Make the Token' }))
  expect(await data.findByText(asks)).toBeVisible()
  expect(data.getByRole('link', { name: 'Sign In Once More' })).toHaveAttribute(
    'href',
    `/auth/discord?return=${encodeURIComponent('/?dialog=data')}`,
  )
  expect(Object.values(sessionStorage).join()).toMatch(/Overlay.*read trade/)
})

test('a token whose making was answered twice cannot be shown', async () => {
  const { server } = signedIn()
  server.on('POST /api/me/tokens', () => ({ status: 201, json: { token: bot, secret: null } }))
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByText('No program has access.')).toBeVisible()
  await reader.click(data.getByRole('button', { name: 'Make a Token' }))
  await reader.type(data.getByRole('textbox', { name: 'Name of the program' }), 'Restock bot')
  await reader.click(data.getByRole('button', { name: 'Make the Token' }))
  expect(await data.findByText(/cannot be shown any more/)).toBeVisible()
})

test('ten tokens are the most', async () => {
  const { server, state } = signedIn(Array.from({ length: 10 }, (_, i) => ({ ...bot, id: i, name: `Bot ${i}` })))
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByText('You have 10 tokens. End one to make another.')).toBeVisible()
  expect(data.queryByRole('button', { name: 'Make a Token' })).toBeNull()
  server.on('DELETE /api/me/tokens/3', () => {
    state.tokens = state.tokens.filter(({ id }) => id !== 3)
    return { status: 204 }
  })
  await reader.click(data.getByRole('button', { name: 'End the token of Bot 3' }))
  expect(await data.findByRole('button', { name: 'Make a Token' })).toBeVisible()
})

test('a list of tokens that cannot be loaded says so', async () => {
  const { server } = signedIn()
  server.on('GET /api/me/tokens', () => 'unreachable')
  openPage('/?dialog=data')
  expect(await (await dialog('Your Data')).findByText(/Failed to load which programs have access/)).toBeVisible()
})

test('without the feature nothing of it is there', async () => {
  off()
  off = withFeatures('items')
  const { server } = signedIn([sheet])
  openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByRole('heading', { name: "Where you're signed in" })).toBeVisible()
  expect(data.queryByText('Access for programs')).toBeNull()
  expect(server.calls('GET /api/me/tokens')).toEqual([])
})
