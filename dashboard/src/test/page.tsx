import { act, configure, render, screen, within } from '@testing-library/react'
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

/** Stops the page's clock: from here on its time passes only as the test says. What waits for something to appear would
 * wait for ever, so look at what is there. */
export function stopClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return {
    /** Lets so many milliseconds pass, and everything happen that they bring. */
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    /** Lets happen what takes no time, until something is the case. */
    async until(isSo: () => boolean) {
      for (let turn = 0; !isSo(); turn++) {
        if (turn === 1000) throw new Error('It never came to be')
        await act(() => new Promise((resolve) => setImmediate(resolve)))
        await act(() => vi.advanceTimersByTimeAsync(0))
      }
    },
  }
}
