import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Item } from '@/api/types'
import { dialog, openPage } from '@/test/page'
import { Server } from '@/test/server'

const ore: Item = {
  id: 12,
  name: 'Caric Adathril Ore',
  kind: 'Adathril Ore',
  region: '',
  madeBy: ['Miner'],
  madeAtLevel: 180,
  usedBy: ['Blacksmith'],
  usedAtLevel: 178,
  tradeable: true,
  link: '',
  provisional: false,
  gone: false,
  proposes: { category: 'Miner', level: 180 },
}

/** A server whose catalogue has one item, as the head of the page says. */
function withItems(features = 'items') {
  const meta = document.createElement('meta')
  meta.name = 'features'
  meta.content = features
  document.head.append(meta)
  onTestFinished(() => meta.remove())
  const server = new Server().signedIn()
  server.on('GET /api/items', () => ({ json: { items: [] } }))
  server.on('GET /api/catalogue/completions', ({ query }) => {
    const typed = query.get('q')
    if (typed === ore.name) return { json: { items: [ore], named: ore } }
    return { json: { items: [ore], ...(typed === 'Caric Adathril Oer' ? { near: ore } : {}) } }
  })
  return server
}

test('a near miss is offered, and taken with one press', async () => {
  withItems()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  const name = form.getByLabelText('Item name')
  await reader.type(name, 'Caric Adathril Oer')
  const meant = await form.findByRole('button', { name: ore.name })
  expect(name).toHaveValue('Caric Adathril Oer') // nothing was taken by itself
  await reader.click(meant)
  expect(name).toHaveValue(ore.name)
  expect(name).toHaveFocus()
  await waitFor(() => expect(screen.queryByText(/Did you mean/)).toBeNull())
})

test('an item proposes its profession and level, and changes them only when asked to', async () => {
  withItems()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), ore.name)
  const use = await form.findByRole('button', { name: 'Use Miner 180+' })
  expect(form.getByLabelText(/Level requirement/)).toHaveValue(null)
  expect(form.getByLabelText('Category')).not.toHaveTextContent('Miner')
  await reader.click(use)
  expect(form.getByLabelText(/Level requirement/)).toHaveValue(180)
  expect(form.getByLabelText('Category')).toHaveTextContent('Miner')
  expect(screen.queryByRole('button', { name: 'Use Miner 180+' })).toBeNull()
})

test('without a catalogue the form asks for nothing of it', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/items', () => ({ json: { items: [] } }))
  const reader = openPage('/?dialog=post')
  await reader.type((await dialog('Post New Request')).getByLabelText('Item name'), 'Caric Adathril Oer')
  await waitFor(() => expect(server.calls('GET /api/items').length).toBeGreaterThan(1))
  expect(server.calls('GET /api/catalogue/completions')).toHaveLength(0)
})

test('the price of real trades is shown beside the price, put in by a press, and the odds with it', async () => {
  const server = withItems('items prices')
  const price = { median: 300, low: 290, high: 310, fills: 9, pairs: 9 }
  const within = (filled: number, percent: number, low: number, high: number) =>
    [2, 7].map((days) => ({ days, filled, percent, low, high }))
  server.on('GET /api/catalogue/12/prices', () => ({
    json: {
      itemId: 12,
      young: false,
      windows: [
        { days: 7, price: null },
        { days: 30, price },
        { days: 90, price },
      ],
      asked: null,
    },
  }))
  server.on('GET /api/catalogue/12/odds', () => ({
    json: {
      itemId: 12,
      of: 'item',
      steps: [
        { price: 250, requests: 17, ended: 17, within: within(9, 53, 31, 74) },
        { price: 290, requests: 9, ended: 9, within: within(9, 100, 70, 100) },
      ],
    },
  }))
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), ore.name)
  const amount = form.getByLabelText(/Max price/)
  const help = form.getByRole('status', { name: "What it's worth" })
  await waitFor(() => expect(help).toHaveTextContent(/Traded for.*in 30 days/))
  expect(amount).toHaveValue('') // nothing is put in by itself
  await reader.type(amount, '250c')
  await waitFor(() => expect(help).toHaveTextContent('At this price: 9 of 17 filled within 2 days (31–74 %)'))
  expect(help).toHaveTextContent(/At .*40 copper.* more: 9 of 9/)
  await reader.click(form.getByRole('button', { name: 'Use 300c as the price' }))
  expect(amount).toHaveValue('300c')
  await waitFor(() => expect(help).not.toHaveTextContent('At this price')) // too few ended at that price
})
