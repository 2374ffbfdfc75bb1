import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openPage } from '@/test/page'
import { order, Server } from '@/test/server'

/** Holds back the list's library until it is released, and counts its tables. */
const library = vi.hoisted(() => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return { held, release: () => release(), tables: 0 }
})

vi.mock('./tanstackTable', async (original) => {
  const { makeTable } = await original<typeof import('./tanstackTable')>()
  await library.held
  return {
    makeTable: (...columns: Parameters<typeof makeTable>) => {
      library.tables++
      return makeTable(...columns)
    },
  }
})

test('rows can be used before their library is there, and stay as they are when it comes', async () => {
  new Server().shows([order({ id: 1 }), order({ id: 2, itemName: 'Tin', sold: 3, progress: 1 })])
  const reader = openPage('/?view=list&sort=price')
  const table = await screen.findByRole('table')
  const offer = await within(table).findByRole('button', { name: 'Offer on Tin' })
  expect(within(table).getByRole('columnheader', { name: 'Each' })).toHaveAttribute('aria-sort', 'descending')
  within(table).getByRole('link', { name: 'Iron Ore' }).focus()
  await reader.keyboard('j')
  expect(within(table).getByRole('link', { name: 'Tin' })).toHaveFocus()
  const before = table.outerHTML
  expect(library.tables).toBe(0)

  await act(async () => library.release())
  await waitFor(() => expect(library.tables).toBe(1))
  await act(async () => {})
  expect(table.outerHTML).toBe(before)
  expect(within(table).getByRole('link', { name: 'Tin' })).toHaveFocus()
  expect(offer).toBeInTheDocument()
})
