import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage } from '@/test/page'
import { order, Server, scrollAway, scrollTo, watched } from '@/test/server'

const many = (count: number) => Array.from({ length: count }, (_, i) => order({ id: i + 1, itemName: `Item ${i}` }))

async function openBoard(count: number) {
  new Server().shows(many(count))
  const reader = openPage()
  const places = within(await screen.findByRole('list', { name: 'Requests' })).getAllByRole('listitem')
  await waitFor(() => expect(places.every(watched)).toBe(true))
  return {
    reader,
    places,
    place: (i: number) => within(places[i] as HTMLElement),
    at: (i: number) => places[i] as Element,
  }
}

test('all cards of a page are rendered', async () => {
  const { places } = await openBoard(60)
  expect(places).toHaveLength(60)
  // Neither by role nor of the list, which is read and printed again after each few cards. A busy machine takes its time
  // for sixty.
  await waitFor(() => expect(document.querySelectorAll('article').length).toBe(60))
})

test('in a long list only cards near the viewport are rendered', async () => {
  const { places, place, at } = await openBoard(61)
  expect(places).toHaveLength(61)
  act(() => {
    scrollTo(at(20))
    scrollTo(at(21))
  })
  expect(place(20).getByRole('article', { name: 'Item 20' })).toBeVisible()
  expect(place(22).queryByRole('article')).toBeNull()
  act(() => scrollAway(at(20)))
  expect(place(20).queryByRole('article')).toBeNull()
  expect(at(20)).toHaveStyle({ height: '432px' })
  expect(place(21).getByRole('article', { name: 'Item 21' })).toBeVisible()
})

test('a card in use stays rendered while scrolling', async () => {
  const { reader, place, at } = await openBoard(61)
  act(() => scrollTo(at(30)))
  await reader.type(place(30).getByRole('spinbutton'), '12')
  act(() => scrollAway(at(30)))
  expect(place(30).getByRole('spinbutton')).toHaveValue(12)
})
