import { expect, test } from 'vitest'
import type { OrderPage } from '@/api/types'
import { order } from '@/test/server'
import { withFreshTop } from './useNewPosts'

const page = (ids: number[], nextCursor: string | null): OrderPage => ({
  orders: ids.map((id) => order({ id })),
  total: 100,
  nextCursor,
})
const ids = ({ pages }: { pages: OrderPage[] }) => pages.map((p) => p.orders.map((o) => o.id))
const loaded = { pages: [page([6, 5, 4], 'a'), page([3, 2], 'b')], pageParams: [undefined, 'a'] }

test('new requests are added before the loaded ones, which stay', () => {
  const merged = withFreshTop(loaded, { ...page([8, 7, 6], 'x'), total: 102 }, false)
  expect(ids(merged)).toEqual([
    [8, 7, 6, 5, 4],
    [3, 2],
  ])
  expect(merged.pages.map((p) => p.total)).toEqual([102, 102])
  expect(merged.pages.at(-1)?.nextCursor).toBe('b')
})

test('a renewed request is not listed twice', () => {
  expect(ids(withFreshTop(loaded, page([7, 3, 6], 'x'), false))).toEqual([[7, 3, 6, 5, 4], [2]])
})

test('a first page with everything replaces the rest', () => {
  const one = { pages: [page([6, 5, 4], null)], pageParams: [undefined] }
  expect(ids(withFreshTop(one, page([7, 6, 4], null), false))).toEqual([[7, 6, 4]])
})

test('a list in another sort order is replaced', () => {
  expect(ids(withFreshTop(loaded, page([9, 6, 2], 'x'), true))).toEqual([[9, 6, 2]])
})
