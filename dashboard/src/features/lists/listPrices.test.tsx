import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

beforeEach(() => {
  return withFeatures('lists')
})

test('unusual prices of a list are asked about, and kept with a press', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/lists', () => ({ json: { lists: [] } }))
  const price = { known: 3_900, from: 'traded', suggested: 4_000 }
  server.fails('POST /api/lists', 409, 'That is 1,000 times what it was traded for. Did you mean 4s?', {
    code: 'price_unusual',
    prices: [
      { ...price, field: 'lines[1]', itemName: 'Tin Ore', typed: 4_000_000 },
      { ...price, field: 'lines[2]', itemName: 'Iron Ore', typed: 4 },
    ],
  })
  const reader = openPage('/lists/new')
  await reader.type(await screen.findByLabelText('Name of the list'), 'Guild hall')
  await reader.type(screen.getByRole('textbox', { name: 'Requests' }), '50x Tin Ore 4g{enter}20x Iron Ore 4c')
  await reader.click(screen.getByRole('button', { name: 'Post Requests' }))
  expect(await screen.findByText(/These prices are unusual/)).toBeVisible()
  expect(screen.getByText('Tin Ore').closest('li')).toHaveTextContent('Tin Ore: 4g. Did you mean 4s?')
  expect(screen.getByText('Iron Ore').closest('li')).toHaveTextContent('Iron Ore: 4c. Did you mean 4s?')
  expect(server.calls('POST /api/lists')[0]?.body).not.toHaveProperty('confirmPrice')
  await reader.click(screen.getByRole('button', { name: 'Keep these prices' }))
  await waitFor(() => expect(server.calls('POST /api/lists')).toHaveLength(2))
  expect(server.calls('POST /api/lists')[1]?.body).toMatchObject({ confirmPrice: true })
})

test('lines that were probably meant otherwise are asked about once, and put right with a press', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/lists', () => ({ json: { lists: [] } }))
  const near = 'No item is called Irn Ore. Did you mean Iron Ore?'
  const unpriced = 'Write the price per unit at the end, such as 4s'
  server.on('POST /api/lists/fixes', ({ body }) => {
    const { text } = body as { text: string }
    const fixes = [
      {
        number: 1,
        text: '50x Irn Ore 4s',
        why: near,
        fix: { line: 'Iron Ore x50 4s', usual: false, price: 4000 },
      },
      { number: 2, text: '5x Tin Ore', why: unpriced, fix: { line: 'Tin Ore x5 3s', usual: true, price: 3000 } },
    ]
    return { json: { fixes: fixes.filter((fix) => text.split('\n')[fix.number - 1] === fix.text) } }
  })
  server.fails('POST /api/lists', 422, unpriced, { errors: { 'lines[2]': unpriced } })
  const reader = openPage('/lists/new')
  await reader.type(await screen.findByLabelText('Name of the list'), 'Guild hall')
  const text = screen.getByRole('textbox', { name: 'Requests' })
  await reader.type(text, '50x Irn Ore 4s{enter}5x Tin Ore')
  const post = screen.getByRole('button', { name: 'Post Requests' })
  await reader.click(post)
  expect(await screen.findByText(/Line 1: No item is called Irn Ore/)).toBeVisible()
  expect(server.calls('POST /api/lists')).toHaveLength(0)
  expect(text).toHaveFocus()
  await reader.click(screen.getByRole('button', { name: 'Use Iron Ore x50 4s' }))
  expect(text).toHaveValue('Iron Ore x50 4s\n5x Tin Ore')
  expect(screen.queryByText(/Line 1/)).toBeNull()
  await reader.click(post) // what was asked about is not asked again
  await waitFor(() => expect(server.calls('POST /api/lists')).toHaveLength(1))
  await reader.click(await screen.findByRole('button', { name: 'Use Tin Ore x5 3s, the usual price' }))
  expect(text).toHaveValue('Iron Ore x50 4s\nTin Ore x5 3s')
  expect(screen.queryByText(/Change 1 line/)).toBeNull()
})
