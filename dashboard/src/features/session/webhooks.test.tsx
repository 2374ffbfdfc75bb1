import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Delivery, Webhook } from '@/api/webhooks'
import { dialog, openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

const hour = 3_600_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const bot: Webhook = {
  id: 3,
  url: 'https://bot.example.org/trades',
  types: ['offer.received'],
  state: 'on',
  createdAt: at(-99 * hour),
  failingSince: null,
}
const delivery: Delivery = {
  id: 812,
  messageId: 'msg_n141',
  type: 'offer.received',
  createdAt: at(-2 * hour),
  delivered: false,
  dueAt: at(hour),
  attempts: 4,
  triedAt: at(-hour),
  took: 87,
  status: 503,
  answer: '<b>busy</b>',
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let off = () => {}
beforeEach(() => {
  off = withFeatures('items webhooks')
})
afterEach(() => {
  off()
  sessionStorage.clear()
})

function signedIn(webhooks: Webhook[] = []) {
  const server = new Server().signedIn()
  const state = { webhooks }
  const types = ['offer.received', 'offer.accepted']
  server.on('GET /api/me/webhooks', () => ({ json: { webhooks: state.webhooks, types, most: 5 } }))
  return { server, state }
}

test('a user adds a webhook, copies its secret once, and ends it', async () => {
  const { server, state } = signedIn()
  server.on('POST /api/me/webhooks', () => {
    state.webhooks = [{ ...bot, state: 'asked' }]
    return { status: 201, json: { webhook: state.webhooks[0], secret } }
  })
  server.on('DELETE /api/webhooks/3', () => {
    state.webhooks = []
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  const copied = vi.spyOn(navigator.clipboard, 'writeText')
  const data = await dialog('Your Data')
  expect(await data.findByText('No webhook yet.')).toBeVisible()
  await reader.click(data.getByRole('button', { name: 'Add a Webhook' }))
  await reader.click(data.getByRole('checkbox', { name: 'All' }))
  await reader.click(data.getByRole('button', { name: 'Add the Webhook' }))
  expect(await data.findByText('Address is required')).toBeVisible()
  expect(data.getByText('Choose what it gets')).toBeVisible()
  await reader.type(data.getByRole('textbox', { name: 'Address' }), bot.url)
  await reader.click(data.getByRole('checkbox', { name: 'offer.received' }))
  await reader.click(data.getByRole('button', { name: 'Add the Webhook' }))

  const made = within(await data.findByRole('region', { name: 'Secret' }))
  expect(made.getByRole('status')).toHaveTextContent('shown only once')
  expect(made.getByRole('textbox', { name: 'Secret' })).toHaveValue(secret)
  expect(server.calls('POST /api/me/webhooks')[0]).toMatchObject({
    body: { url: bot.url, types: ['offer.received'] },
    key: expect.any(String),
  })
  await reader.click(made.getByRole('button', { name: 'Copy' }))
  expect(copied).toHaveBeenCalledWith(secret)
  expect(Object.values(sessionStorage).join()).not.toContain(secret)
  await reader.click(made.getByRole('button', { name: 'I Have Saved It' }))
  expect(data.getByText(/^waiting for the answer to a ping · offer.received$/)).toBeVisible()

  await reader.click(data.getByRole('button', { name: 'End the webhook to bot.example.org' }))
  expect(await data.findByText('No webhook yet.')).toBeVisible()
  expect(data.getByRole('heading', { name: 'Webhooks' })).toHaveFocus()
})

test('a webhook that went off is switched on again, each time with a press of its own', async () => {
  const { server, state } = signedIn([{ ...bot, state: 'off', reason: 'failed' }])
  const keys = new Set<string | null>()
  server.on('POST /api/webhooks/3/on', ({ key }) => {
    keys.add(key)
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByText(/^off: nothing could be delivered for three days/)).toBeVisible()
  const button = () => data.getByRole('button', { name: 'Switch on the webhook to bot.example.org' })
  await reader.click(button())
  expect(await screen.findByText('A ping is on its way to bot.example.org.')).toBeVisible()
  await reader.click(button()) // the ping was not answered
  await expect.poll(() => keys.size).toBe(2)
  state.webhooks = [bot]
  await reader.click(button())
  expect(await data.findByText('on · offer.received')).toBeVisible()
  expect(data.queryByRole('button', { name: 'Switch on the webhook to bot.example.org' })).toBeNull()
})

test('the last deliveries are listed with their answers as text, and sent again by a press', async () => {
  const { server } = signedIn([{ ...bot, failingSince: at(-3 * hour) }])
  const unanswered = { ...delivery, id: 811, status: 0, failure: 'tls' as const, answer: '', dueAt: null }
  server.on('GET /api/webhooks/3/deliveries', () => ({ json: { deliveries: [delivery, unanswered] } }))
  server.on('POST /api/webhooks/3/deliveries/812/again', () => ({ status: 204 }))
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByText(/^on, but failing since 3 hours ago/)).toBeVisible()
  await reader.click(data.getByRole('button', { name: 'Deliveries to bot.example.org' }))
  expect(await data.findByText('<b>busy</b>')).toBeVisible()
  expect(data.getByText(/503 · 87 ms/)).toBeVisible()
  expect(data.getByText(/The certificate is not valid · 87 ms/)).toBeVisible()
  expect(data.getByText(/next try in/)).toBeVisible()
  const [again] = data.getAllByRole('button', { name: /^Send offer.received again, from/ })
  await reader.click(again as HTMLElement)
  expect(await screen.findByText('It is being sent again.')).toBeVisible()
  expect(server.calls('POST /api/webhooks/3/deliveries/812/again')).toHaveLength(1)
})

test('a new secret is shown once, and an old sign-in asks for another', async () => {
  const { server } = signedIn([bot])
  const asks = 'You signed in more than 10 minutes ago. Please sign in once more to do this.'
  server.fails('POST /api/webhooks/3/secret', 403, asks, { code: 'fresh_sign_in_needed' })
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  const button = await data.findByRole('button', { name: 'Make a new secret for the webhook to bot.example.org' })
  await reader.click(button)
  expect(await data.findByText(asks)).toBeVisible()
  expect(data.getByRole('link', { name: 'Sign In Once More' })).toBeVisible()
  server.on('POST /api/webhooks/3/secret', () => ({ status: 201, json: { webhook: bot, secret } }))
  await reader.click(button)
  expect(await data.findByDisplayValue(secret)).toBeVisible()
  expect(data.getByText(/The old one signs too for a day/)).toBeVisible()
})

test('five webhooks are the most', async () => {
  signedIn(Array.from({ length: 5 }, (_, id) => ({ ...bot, id })))
  openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByText('There are 5 webhooks. End one to add another.')).toBeVisible()
  expect(data.queryByRole('button', { name: 'Add a Webhook' })).toBeNull()
})

test('a list of webhooks that cannot be loaded says so', async () => {
  const { server } = signedIn()
  server.on('GET /api/me/webhooks', () => 'unreachable')
  openPage('/?dialog=data')
  expect(await (await dialog('Your Data')).findByText(/Failed to load the webhooks/)).toBeVisible()
})

test('without the feature nothing of it is there', async () => {
  off()
  off = withFeatures('items')
  const { server } = signedIn([bot])
  openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByRole('heading', { name: "Where you're signed in" })).toBeVisible()
  expect(data.queryByText('Webhooks')).toBeNull()
  expect(server.calls('GET /api/me/webhooks')).toEqual([])
})
