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
function withItems() {
  const meta = document.createElement('meta')
  meta.name = 'features'
  meta.content = 'items'
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
