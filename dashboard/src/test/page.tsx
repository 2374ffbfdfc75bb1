import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { App } from '@/app/App'
// The page loads these by itself once it is there. Here they are loaded before.
import '@/app/DialogHost'
import '@/app/Live'

/** Opens the whole page at an address, as a browser would. */
export function openPage(address = '/') {
  history.replaceState(null, '', address)
  const reader = userEvent.setup()
  render(<App />)
  return reader
}

/** The card of a request, found by its item. */
export const card = (item: string) => screen.findByRole('article', { name: item })

/** A dialog, found by its title, once its code is loaded and it takes clicks: what showed its place may still close. */
export async function dialog(name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') {
  const open = await waitFor(() => {
    const found = screen.getByRole(role, { name, busy: false })
    expect(found).not.toHaveStyle({ pointerEvents: 'none' })
    return found
  })
  return within(open)
}

/** Chooses one of a list, such as the category in a form. */
export async function choose(reader: UserEvent, field: HTMLElement, option: string) {
  act(() => field.focus())
  await reader.keyboard('{Enter}')
  await reader.click(await screen.findByRole('option', { name: option }))
}

/** Stops the page's clock: time passes only in `pass`. Queries that wait for an element would never
 * return, so use those that do not wait. */
export function stopClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return {
    /** Advances the clock and runs what is due. */
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    /** Runs what is due now until the condition is true. */
    async until(condition: () => boolean) {
      for (let turn = 0; !condition(); turn++) {
        if (turn === 1000) throw new Error('The condition never became true')
        await act(() => new Promise((resolve) => setImmediate(resolve)))
        await act(() => vi.advanceTimersByTimeAsync(0))
      }
    },
  }
}

/** Switches features on, and returns how to switch them off again. */
export function withFeatures(names: string): () => void {
  const meta = document.createElement('meta')
  meta.name = 'features'
  meta.content = names
  document.head.append(meta)
  return () => meta.remove()
}
