import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef, useState } from 'react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Me } from '@/api/types'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { openPage, withFeatures } from '@/test/page'
import { maple, order, Server } from '@/test/server'

const most = 8

beforeEach(() => localStorage.clear())

/** The stops that Tab makes from the start of the page until a button whose name begins with "Offer". */
async function stopsToOffer(): Promise<string[]> {
  const reader = userEvent.setup()
  ;(document.activeElement as HTMLElement | null)?.blur()
  const stops: string[] = []
  while (stops.length < 40) {
    await reader.tab()
    const stop = document.activeElement as HTMLElement
    stops.push(stop.getAttribute('aria-label') ?? stop.textContent ?? stop.tagName)
    if (/^Offer (on|to)/.test(stop.getAttribute('aria-label') ?? '')) break
  }
  return stops
}

test.each(['cards', 'list'])('a first visitor comes to Offer in eight tab stops, view %s', async (view) => {
  new Server().shows([order(), order({ id: 8, itemName: 'Tin Ore' })])
  openPage(`/?view=${view}`)
  await screen.findByRole('button', { name: /^Offer (on|to Fulfill) Iron Ore$/ })
  const stops = await stopsToOffer()
  expect(stops.length, stops.join(' · ')).toBeLessThanOrEqual(most)
  expect(stops.at(-1)).toMatch(/Iron Ore$/)
})

test.each(['cards', 'list'])('a signed-in user comes to Offer in eight tab stops, view %s', async (view) => {
  new Server().signedIn([], { unread: 3 }).shows([order()])
  openPage(`/?view=${view}`)
  await screen.findByRole('button', { name: /^Offer (on|to Fulfill) Iron Ore$/ })
  await screen.findByRole('link', { name: /My Requests/ })
  const stops = await stopsToOffer()
  expect(stops.length, stops.join(' · ')).toBeLessThanOrEqual(most)
})

test('the sides of the board add no stop on the way to Offer', async () => {
  onTestFinished(withFeatures('items stock listings'))
  new Server().shows([order()])
  const reader = openPage()
  await screen.findByRole('button', { name: /^Offer (on|to Fulfill) Iron Ore$/ })
  const sides = await screen.findByRole('button', { name: 'For sale' })
  await waitFor(() => expect(sides).toHaveAttribute('tabindex', '-1'))
  const stops = await stopsToOffer()
  expect(stops.length, stops.join(' · ')).toBeLessThanOrEqual(most)
  screen.getByRole('button', { name: /^All/ }).focus()
  await reader.keyboard('{End}{ArrowLeft}')
  expect(sides).toHaveFocus()
})

test('things that wait for the user are one stop on the way to Offer, with the arrow keys between them', async () => {
  const todo: Me['todo'] = [
    { kind: 'answer_offers', count: 3, partner: null, order: null, endsAt: null },
    { kind: 'confirm_trades', count: 1, partner: 4, order: null, endsAt: null },
  ]
  new Server().signedIn([], { unread: 3 }, maple, todo).shows([order()])
  const reader = openPage('/?view=list')
  await screen.findByRole('button', { name: /^Offer (on|to Fulfill) Iron Ore$/ })
  const answer = await screen.findByRole('link', { name: '3 offers to answer Answer' })
  const stops = await stopsToOffer()
  expect(stops.length, stops.join(' · ')).toBeLessThanOrEqual(most + 1)
  answer.focus()
  await reader.keyboard('{ArrowRight}')
  expect(screen.getByRole('link', { name: '1 trade to confirm We met' })).toHaveFocus()
})

test('the parts of a place are one stop, with the arrow keys between them', async () => {
  new Server().signedIn([order({ userId: maple.id })])
  const reader = openPage('/mine')
  const parts = within(await screen.findByRole('navigation', { name: 'My Requests' }))
  const [first, second, ...others] = parts.getAllByRole('link')
  expect([first, second, ...others].map((link) => link?.tabIndex)).toEqual([0, -1, ...others.map(() => -1)])
  first?.focus()
  await reader.keyboard('{ArrowRight}')
  expect(second).toHaveFocus()
})

test('the arrow keys lead to everything that is no tab stop', async () => {
  new Server().signedIn().shows([order()])
  const reader = openPage()
  const card = await screen.findByRole('article', { name: 'Iron Ore' })
  const header = screen.getByRole('toolbar', { name: 'Site' })
  await screen.findByRole('link', { name: /My Requests/ })
  within(header).getByRole('button', { name: 'Post Request' }).focus()
  await reader.keyboard('{Home}')
  expect(within(header).getByRole('link', { name: /all requests/ })).toHaveFocus()
  const reached: string[] = []
  for (const stops = header.querySelectorAll('a, button').length; reached.length < stops - 1; ) {
    await reader.keyboard('{ArrowRight}')
    reached.push(
      document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '',
    )
  }
  expect(reached).toEqual(expect.arrayContaining(['Inbox', 'Post Request', 'Switch to the dark theme']))

  within(card)
    .getByRole('button', { name: /^Offer to Fulfill/ })
    .focus()
  await reader.keyboard('{Home}')
  expect(within(card).getByRole('link', { name: 'Iron Ore' })).toHaveFocus()
  await reader.keyboard('{ArrowRight}')
  expect(card.querySelector('a:has(time)')).toHaveFocus()
  await reader.keyboard('{ArrowRight}')
  expect(within(card).getByRole('button', { name: 'Actions for the request Iron Ore' })).toHaveFocus()
})

test('the heads of the columns are reached from the first row, and lead back to it', async () => {
  const server = new Server().shows([order(), order({ id: 8, itemName: 'Tin Ore' })])
  const reader = openPage('/?view=list')
  const row = await screen.findByRole('link', { name: 'Iron Ore' })
  row.focus()
  await reader.keyboard('{ArrowUp}')
  expect(screen.getByRole('button', { name: 'Age' })).toHaveFocus()
  await reader.keyboard('{Home}{Enter}')
  await waitFor(() => expect(server.calls('GET /api/orders').at(-1)?.query.get('sort')).toBe('price'))
  await reader.keyboard('{ArrowDown}')
  await waitFor(() => expect(screen.getByRole('link', { name: 'Iron Ore' })).toHaveFocus())
})

test('every button of a card says its item', async () => {
  new Server().shows([order()])
  openPage()
  const card = await screen.findByRole('article', { name: 'Iron Ore' })
  const names = within(card)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? '')
    .filter((name) => !name.startsWith('Copy')) // which say what they copy
  expect(names).not.toHaveLength(0)
  for (const name of names) expect(name).toContain('Iron Ore')
})

test('what is loaded later into a toolbar is no tab stop of its own', async () => {
  const bar = createRef<HTMLDivElement>()
  function Bar() {
    return (
      <div role="toolbar" ref={bar} {...useRovingFocus(bar)}>
        <Later />
        <button type="button" data-stop>
          Post
        </button>
      </div>
    )
  }
  let show = () => {}
  function Later() {
    const [shown, setShown] = useState(false)
    show = () => setShown(true)
    return shown && <button type="button">Account</button>
  }
  render(<Bar />)
  act(() => show())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Account' })).toHaveAttribute('tabindex', '-1'))
  expect(screen.getByRole('button', { name: 'Post' })).not.toHaveAttribute('tabindex', '-1')
})
