import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { filterAt, useBrowseFilter } from './useBrowseFilter'

test('a filter is parsed from the address', () => {
  const address =
    'category=Miner&category=Chef&q=ore&importance=high&importance=urgent&level=120&min=1g+500s&max=2p&sort=price'
  expect(filterAt(new URLSearchParams(address))).toEqual({
    category: ['Chef', 'Miner'],
    q: 'ore',
    importance: ['high', 'urgent'],
    level: 120,
    min: '1g 500s',
    max: '2p',
    sort: 'price',
  })
})

test('invalid values in an address are ignored', () => {
  const address = 'category=Pirate&level=9000&min=lots&max=1&sort=shiny&importance=never&q='
  expect(filterAt(new URLSearchParams(address))).toEqual({})
})

test('two concurrent changes both apply', () => {
  history.replaceState(null, '', '/?q=ore')
  const { result } = renderHook(useBrowseFilter, { wrapper: BrowserRouter })
  act(() => {
    result.current.change({ level: 120 })
    result.current.change({ importance: ['high'] })
  })
  expect(result.current.filter).toEqual({ q: 'ore', level: 120, importance: ['high'] })
})
