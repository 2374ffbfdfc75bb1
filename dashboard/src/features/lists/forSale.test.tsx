import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, withFeatures } from '@/test/page'
import { order, Server } from '@/test/server'

test('each line of a list says what is for sale of its item', async () => {
  const off = withFeatures('lists listings')
  const ore = order({ itemName: 'Iron Ore', itemId: 12, listId: 5 })
  const log = order({ id: 8, itemName: 'Oak Log', listId: 5 })
  const progress = { orders: 2, done: 0, wanted: 70, sold: 10, percent: 14 }
  const list = { id: 5, userId: 2, name: 'Guild hall', createdAt: new Date().toISOString(), progress }
  const server = new Server().signedIn()
  server.on('GET /api/lists/5', () => ({ json: { ...list, orders: [ore, log] } }))
  server.on('GET /api/lists/5/for-sale', () => ({
    json: { lines: [{ orderId: ore.id, quantity: 120, lowest: 4000 }] },
  }))
  openPage('/lists/5')
  const link = await screen.findByRole('link', { name: /^For sale: 120 from/ })
  expect(link).toHaveAttribute('href', '/items/12')
  expect(screen.getAllByRole('link', { name: /^For sale:/ })).toHaveLength(1)
  off()
})
