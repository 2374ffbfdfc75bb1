import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'

const iron = { itemId: 12, itemName: 'Iron Ore', quantity: 600, price: 4_000 }
const entry = {
  ...iron,
  id: 9,
  note: '',
  public: true,
  touchedAt: '2026-11-20T12:00:00Z',
  endsAt: '2026-12-18T12:00:00Z',
  asked: false,
  alerts: true,
  snoozedUntil: null,
}

function open(stock: object[]) {
  onTestFinished(withFeatures('stock'))
  const server = new Server().signedIn()
  server.on('GET /api/me/stock', () => ({ json: { stock } }))
  server.on('GET /api/me/fill', () => ({ json: { fillable: [] } }))
  server.fails('POST /api/me/stock', 409, 'That is 1,000 times what it was traded for. Did you mean 4s?', {
    code: 'price_unusual',
    prices: [
      { field: 'price', itemName: 'Iron Ore', typed: 4_000_000, suggested: 4_000, known: 3_900, from: 'traded' },
    ],
  })
  return { server, reader: openPage('/selling/stock') }
}

const saves = (server: Server) => server.calls('POST /api/me/stock').map(({ body }) => body)

test('an unusual price of a line is asked about, and kept with a press', async () => {
  const { server, reader } = open([])
  server.on('POST /api/me/stock/read', () => ({
    json: { lines: [{ ...iron, number: 1, text: 'Iron Ore 600 4g', why: null, price: 4_000_000 }] },
  }))
  await reader.type(await screen.findByRole('textbox', { name: 'Add or change items' }), 'Iron Ore 600 4g')
  await reader.click(screen.getByRole('button', { name: 'Check the lines' }))
  await reader.click(await screen.findByRole('button', { name: 'Save 1 item' }))
  expect(await screen.findByText(/Iron Ore: That is 1,000 times what it was traded for/)).toBeVisible()
  await reader.click(screen.getByRole('button', { name: 'Keep 4g' }))
  await waitFor(() => expect(saves(server)).toHaveLength(2))
  expect(saves(server)[0]).not.toHaveProperty('confirmPrice')
  expect(saves(server)[1]).toMatchObject({ confirmPrice: true })
})

test('an unusual price in stock is put right with a press', async () => {
  const { server, reader } = open([entry])
  await reader.click(await screen.findByRole('button', { name: /Change Iron Ore/ }))
  const price = screen.getByLabelText(/Lowest price per unit/)
  await reader.clear(price)
  await reader.type(price, '4g')
  await reader.click(screen.getByRole('button', { name: 'Save' }))
  await reader.click(await screen.findByRole('button', { name: 'Use 4s' }))
  expect(price).toHaveValue('4s')
  await reader.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saves(server)).toHaveLength(2))
  expect(saves(server)[1]).toMatchObject({ stock: [{ price: 4_000 }] })
  expect(saves(server)[1]).not.toHaveProperty('confirmPrice')
})

test('a line of stock is put right with a press, and read again', async () => {
  const { server, reader } = open([])
  server.on('POST /api/me/stock/read', ({ body }) => {
    const { lines } = body as { lines: string }
    const line = { ...iron, number: 2, text: lines.split('\n')[1], why: null, fix: null }
    if (lines.endsWith('Irn Ore 600'))
      Object.assign(line, {
        why: 'Write your lowest price per unit at the end, such as 4c',
        fix: { line: 'Iron Ore x600 4s', usual: true, price: 4_000 },
      })
    return { json: { lines: [line] } }
  })
  const box = await screen.findByRole('textbox', { name: 'Add or change items' })
  await reader.type(box, '{enter}Irn Ore 600')
  await reader.click(screen.getByRole('button', { name: 'Check the lines' }))
  await reader.click(await screen.findByRole('button', { name: 'Use Iron Ore x600 4s, the usual price' }))
  expect(box).toHaveValue('\nIron Ore x600 4s')
  expect(await screen.findByRole('button', { name: 'Save 1 item' })).toBeEnabled()
  expect(saves(server)).toHaveLength(0)
})
