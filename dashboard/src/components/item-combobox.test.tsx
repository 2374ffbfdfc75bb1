import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Item } from '@/api/types'
import { withFeatures } from '@/test/page'
import { Server } from '@/test/server'
import { ItemCombobox } from './item-combobox'
import { grouped, markedParts } from './item-options'

const item = (id: number, name: string, kind: string, level: number, summary?: Item['summary']): Item => ({
  ...{ id, name, kind, region: '', madeBy: ['Alchemist'], madeAtLevel: level, usedBy: [], usedAtLevel: null },
  ...{ tradeable: true, link: '', provisional: false, gone: false, proposes: { category: 'Alchemist', level } },
  ...(summary && { summary }),
})
const strong = item(1, '35% Potion Healing', 'Potion Healing', 99, { open: 3, traded: 56_650 })
const weak = item(2, '5% Potion Healing', 'Potion Healing', 9, { open: 0, traded: null })
const moss = item(3, 'Healing Moss', 'Moss', 40, { open: 1, traded: 6200 })

/** A field in a form, with its value and the calls of its events. */
function openField(props: { known?: boolean } = {}) {
  onTestFinished(withFeatures('items'))
  const server = new Server()
  server.on('GET /api/items', ({ query }) => ({ json: { items: query.get('q') ? ['Healing Herb'] : ['Iron Ore'] } }))
  server.on('GET /api/catalogue/completions', () => ({ json: { items: [strong, moss, weak] } }))
  const calls = { sent: vi.fn(), taken: vi.fn(), escaped: vi.fn() }
  document.addEventListener('keydown', calls.escaped)
  onTestFinished(() => document.removeEventListener('keydown', calls.escaped))
  function Form() {
    const [name, setName] = useState('')
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          calls.sent()
        }}
      >
        <ItemCombobox aria-label="Item" value={name} onValue={setName} onTake={calls.taken} {...props} />
      </form>
    )
  }
  const reader = userEvent.setup()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form />
    </QueryClientProvider>,
  )
  return { reader, server, field: screen.getByRole('combobox', { name: 'Item' }), ...calls }
}

const active = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
const names = () => screen.getAllByRole('option').map((option) => option.querySelector('bdi')?.textContent)

test('what fits is listed with its profession, price and requests, variants by their strength', async () => {
  const { reader, field } = openField()
  expect(field).toHaveAttribute('aria-expanded', 'false')
  await reader.type(field, 'heal')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(5))
  expect(field).toHaveAttribute('aria-expanded', 'true')
  expect(field).toHaveAttribute('aria-controls', screen.getByRole('listbox', { name: 'Items' }).id)
  expect(names()).toEqual(['5% Potion Healing', '35% Potion Healing', 'Healing Moss', 'Healing Herb', 'heal'])
  const variants = within(screen.getByRole('group', { name: 'Potion Healing' })).getAllByRole('option')
  expect(variants.map((option) => option.textContent)).toEqual([
    expect.stringMatching(/^5% Potion Healing Alchemist · level 9 none open$/),
    expect.stringMatching(/^35% Potion Healing Alchemist · level 99traded 56 silver 650 copper.* 3 open$/),
  ])
  expect(within(screen.getByRole('group', { name: 'Other items' })).getAllByRole('option')).toHaveLength(2)
  expect(variants[0]?.querySelector('mark')).toHaveTextContent('Heal')
  expect(await screen.findByText('4 items found. Choose with the arrow keys.')).toHaveAttribute('role', 'status')
})

test('the keys choose; nothing is chosen by itself', async () => {
  const { reader, field, sent, taken } = openField()
  await reader.type(field, 'heal')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(5))
  expect(active(field)).toBeNull()
  await reader.keyboard('{Enter}') // closes the list and sends nothing
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field).toHaveValue('heal')
  expect(sent).not.toHaveBeenCalled()

  await reader.keyboard('{ArrowDown}{ArrowDown}')
  expect(active(field)).toHaveTextContent(/^35% Potion Healing/)
  expect(active(field)).toHaveAttribute('aria-selected', 'true')
  await reader.keyboard('{End}')
  expect(active(field)).toHaveTextContent('Use “heal” as a new name')
  await reader.keyboard('{ArrowDown}')
  expect(active(field)).toHaveTextContent(/^5% Potion Healing/)
  await reader.keyboard('{ArrowUp}{Home}{ArrowDown}{ArrowDown}{Enter}')
  expect(field).toHaveValue('Healing Moss')
  expect(taken).toHaveBeenCalledWith({ name: 'Healing Moss', item: moss })
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(sent).not.toHaveBeenCalled()
  await reader.keyboard('{Enter}') // the list is closed
  expect(sent).toHaveBeenCalledOnce()
})

test('Escape closes the list and nothing around it', async () => {
  const { reader, field, escaped } = openField()
  await reader.type(field, 'heal')
  await screen.findByRole('listbox')
  escaped.mockClear()
  await reader.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field).toHaveValue('heal')
  expect(escaped).not.toHaveBeenCalled()
  await reader.keyboard('{Escape}')
  expect(escaped).toHaveBeenCalled()
})

test('a press takes an item and leaves the focus in the field; leaving it closes the list', async () => {
  const { reader, field } = openField()
  await reader.type(field, 'heal')
  await reader.click(await screen.findByRole('option', { name: /^Healing Moss/ }))
  expect(field).toHaveValue('Healing Moss')
  expect(field).toHaveFocus()
  await reader.type(field, 's')
  await screen.findByRole('listbox')
  await reader.tab()
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('an empty field opens with the arrow keys only', async () => {
  const { reader, field } = openField()
  await reader.click(field)
  expect(screen.queryByRole('listbox')).toBeNull()
  await reader.keyboard('{ArrowDown}')
  expect(await screen.findByRole('option', { name: /^Iron Ore/ })).toBeVisible()
})

test('where the catalogue alone counts, no other name is listed', async () => {
  const { reader, server, field } = openField({ known: true })
  await reader.type(field, 'heal')
  await waitFor(() => expect(names()).toEqual(['5% Potion Healing', '35% Potion Healing', 'Healing Moss']))
  expect(server.calls('GET /api/items')).toHaveLength(0)
})

test('groups stand where their best item does, and typed letters of any case are marked', () => {
  const shown = grouped([moss, strong, weak], ['healing moss', 'Herb'])
  expect(shown.map(({ kind, options }) => [kind, options.map(({ name }) => name)])).toEqual([
    ['', ['Healing Moss']],
    ['Potion Healing', ['5% Potion Healing', '35% Potion Healing']],
    ['', ['Herb']],
  ])
  const marks = (name: string, typed: string) =>
    markedParts(name, typed)
      .filter(({ marked }) => marked)
      .map(({ text }) => text)
  expect(marks('35% Potion Healing', 'heal 35%')).toEqual(['35%', 'Heal'])
  expect(marks('A (b) c', '(b')).toEqual(['(b'])
})
