import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Item } from '@/api/types'
import { choose, dialog, openPage, withFeatures } from '@/test/page'
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
  onTestFinished(withFeatures(features))
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

test('an item sets the untouched category, and its level only when asked to', async () => {
  withItems()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), ore.name)
  const use = await form.findByRole('button', { name: 'Use Miner 180+' })
  expect(form.getByLabelText(/Level requirement/)).toHaveValue(null)
  expect(form.getByLabelText('Category')).toHaveTextContent('Miner')
  await reader.click(use)
  expect(form.getByLabelText(/Level requirement/)).toHaveValue(180)
  expect(form.getByLabelText('Category')).toHaveTextContent('Miner')
  expect(screen.queryByRole('button', { name: 'Use Miner 180+' })).toBeNull()
})

test('a category that is chosen stays, whatever item is typed', async () => {
  withItems()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await choose(reader, form.getByLabelText('Category'), 'Chef')
  await reader.type(form.getByLabelText('Item name'), ore.name)
  await form.findByRole('button', { name: 'Use Miner 180+' })
  expect(form.getByLabelText('Category')).toHaveTextContent('Chef')
})

test('an unknown name can be posted as typed, under the default category and not the last one', async () => {
  const server = withItems()
  server.on('GET /api/catalogue/completions', ({ query }) => ({
    json: query.get('q') === ore.name ? { items: [ore], named: ore } : { items: [] },
  }))
  localStorage.setItem(
    'tradepost.last-post',
    JSON.stringify({ userId: 1, values: { buyerContact: 'maple.trades', ign: 'Maple', category: 'Blacksmith' } }),
  )
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  expect(form.getByLabelText(/Discord username/)).toHaveValue('maple.trades')
  const name = form.getByLabelText('Item name')
  await reader.type(name, ore.name)
  await waitFor(() => expect(form.getByLabelText('Category')).toHaveTextContent('Miner'))
  await reader.clear(name)
  await reader.type(name, 'Moon Dust')
  expect(await form.findByText("The market doesn't know this item. You can post it as typed.")).toBeVisible()
  expect(form.getByLabelText('Category')).toHaveTextContent('Merchant')
})

test('a kind offers the choice of its items, and stays as typed otherwise', async () => {
  const server = withItems()
  const masic: Item = { ...ore, id: 13, name: 'Masic Adathril Ore', proposes: { category: 'Miner', level: 294 } }
  server.on('GET /api/catalogue/completions', ({ query }) => {
    if (query.get('q') === masic.name) return { json: { items: [masic], named: masic } }
    return { json: { items: [ore, masic, { ...ore, id: 14, name: 'Adathril Ore Cart', kind: 'Cart' }] } }
  })
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  const name = form.getByLabelText('Item name')
  await reader.type(name, 'adathril ore')
  const hint = (await form.findByText(/Several items are called that. Which one\?/)) as HTMLElement
  expect(hint).toHaveTextContent(/Caric Adathril Ore, Masic Adathril Ore. You can post it as typed.$/)
  expect(within(hint).queryByRole('button', { name: 'Adathril Ore Cart' })).toBeNull()
  await reader.click(within(hint).getByRole('button', { name: masic.name }))
  expect(name).toHaveValue(masic.name)
  await waitFor(() => expect(form.getByLabelText('Category')).toHaveTextContent('Miner'))
})

test('an unknown name gets suggestions that are near it', async () => {
  withItems()
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), 'Caric')
  await reader.click(await form.findByRole('button', { name: ore.name }))
  expect(form.getByLabelText('Item name')).toHaveValue(ore.name)
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
  const price = { median: 300, low: 290, high: 310, medianFrom: 290, medianTo: 310, fills: 9, trades: 9, circles: 4 }
  const step = (price: number, of: string, ...percents: number[]) => ({
    ...{ price, of, buyers: of === 'none' ? 0 : 9 },
    within: percents.map((percent, i) => ({ days: [2, 7][i] ?? 0, percent })),
  })
  server.on('GET /api/catalogue/12/prices', () => ({
    json: {
      itemId: 12,
      young: false,
      onTheirWay: 0,
      windows: [
        { days: 7, price: null },
        { days: 30, price },
        { days: 90, price },
      ],
      usual: 30,
      asked: null,
    },
  }))
  server.on('GET /api/catalogue/12/odds', () => ({
    json: {
      itemId: 12,
      lowest: 200,
      near: [
        { price: 290, asked: 1200, filled: 5 },
        { price: 300, asked: 9, filled: 8 },
      ],
      steps: [step(200, 'item', 31, 44), step(290, 'kind', 52, 67), step(300, 'none')],
    },
  }))
  const reader = openPage('/?dialog=post')
  const form = await dialog('Post New Request')
  await reader.type(form.getByLabelText('Item name'), ore.name)
  const amount = form.getByLabelText(/Max price/)
  const help = form.getByRole('status', { name: 'Usual price' })
  await waitFor(() =>
    expect(help).toHaveTextContent(/9 trades in 30 days.*290 copper.*to 310 copper.*, half of them up to 300 copper/),
  )
  expect(amount).toHaveValue('') // nothing is put in by itself
  await reader.type(amount, '250c')
  await waitFor(() =>
    expect(help).toHaveTextContent(
      'At this price, about 31% of requests are filled within 2 days, 44% within 7 (9 buyers). For',
    ),
  )
  expect(help).toHaveTextContent(/For .*40c more: 52% and 67%\./)
  const advice = within(form.getByRole('complementary', { name: 'Advice' }))
  const buttons = advice.getAllByRole('button', { name: /as the price/ })
  expect(buttons.map((button) => /filled [\d,]+ of [\d,]+ asked/.exec(button.textContent ?? '')?.[0])).toEqual([
    'filled 5 of 1,200 asked',
    'filled 8 of 9 asked',
    undefined, // too few asked at about the highest price
  ])
  expect(advice.getByText(/at about this price: 4% less to 4% more/)).toBeVisible()
  const below = /^Below .*200c nothing was filled\.$/
  expect(
    advice.getByText((_, element) => element?.localName === 'p' && below.test(element.textContent ?? '')),
  ).toBeVisible()
  await reader.clear(amount)
  await reader.type(amount, '1c')
  await waitFor(() => expect(help).toHaveTextContent(/This is below every price paid so far. The lowest was .*200c\.$/))
  await reader.click(form.getByRole('button', { name: 'Use 300c as the price: usual' }))
  expect(amount).toHaveValue('300c')
  await waitFor(() => expect(help).not.toHaveTextContent('At this price')) // too few asked for that price
})
