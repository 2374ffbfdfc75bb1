import { configure, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'
import { App } from '@/app/App'

// The whole page is opened in each test, and the machine may be busy: what is waited for may take its time to come.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 30_000 })

/** Opens the whole page at an address, as a reader's browser would. */
export function openPage(address = '/') {
  history.replaceState(null, '', address)
  const reader = userEvent.setup()
  render(<App />)
  return reader
}

/** The card of a request, found by its item. */
export const card = (item: string) => screen.findByRole('article', { name: item })

/** A dialog, found by its title. */
export async function dialog(name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') {
  return within(await screen.findByRole(role, { name }))
}
