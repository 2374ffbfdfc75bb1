import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { showToast } from '@/lib/toasts'
import { stopClock } from '@/test/page'
import { Toaster } from './toaster'

const message = () => screen.queryByText('Iron Ore is closed.')

test('a toast that is shown before its code is loaded is not lost', async () => {
  render(<Toaster ready={false} />)
  showToast('Iron Ore is closed.')
  await waitFor(() => expect(screen.getByText('Iron Ore is closed.')).toBeVisible())
  expect(screen.getByRole('region', { name: 'Messages' })).toHaveAttribute('aria-live', 'polite')
})

test('the action of a toast runs once, and the toast goes away', async () => {
  const undo = vi.fn()
  render(<Toaster ready={false} />)
  const clock = stopClock()
  showToast('Iron Ore is closed.', 'info', { label: 'Undo', run: undo })
  await clock.until(() => message() !== null)
  screen.getByRole('button', { name: 'Undo' }).click()
  await clock.pass(500)
  expect(undo).toHaveBeenCalledOnce()
  expect(message()).toBeNull()
})

test('a toast with an action stays for twelve seconds, and as long as the focus is in it', async () => {
  render(<Toaster ready={false} />)
  const clock = stopClock()
  showToast('Iron Ore is closed.', 'info', { label: 'Undo', run: () => {} })
  await clock.until(() => message() !== null)
  await clock.pass(11_000)
  expect(message()).not.toBeNull()
  act(() => screen.getByRole('button', { name: 'Undo' }).focus())
  await clock.pass(60_000)
  expect(message()).not.toBeNull()
  act(() => screen.getByRole('button', { name: 'Undo' }).blur())
  await clock.pass(13_000)
  expect(message()).toBeNull()
})

test('the same words again do not stand there twice', async () => {
  render(<Toaster ready={false} />)
  showToast("Couldn't copy.", 'error')
  showToast("Couldn't copy.", 'error')
  await screen.findByText("Couldn't copy.")
  await waitFor(() => expect(screen.getAllByText("Couldn't copy.")).toHaveLength(1))
})

const press = (button: HTMLElement) => act(() => button.click())

test('the focus goes back where it was when a button of a toast is pressed', async () => {
  render(
    <>
      <input aria-label="Search" />
      <Toaster ready={false} />
    </>,
  )
  showToast('Iron Ore is closed.', 'info', { label: 'Undo', run: () => {} })
  const undo = await screen.findByRole('button', { name: 'Undo' })
  act(() => screen.getByLabelText('Search').focus())
  act(() => undo.focus())
  press(undo)
  expect(screen.getByLabelText('Search')).toHaveFocus()
})

test('toasts never take the focus, neither when it leaves them nor when the last one goes', async () => {
  render(
    <>
      <input aria-label="Search" />
      <input aria-label="Quantity" />
      <Toaster ready={false} />
    </>,
  )
  const clock = stopClock()
  showToast('Iron Ore is closed.', 'info', { label: 'Undo', run: () => {} })
  await clock.until(() => message() !== null)
  const heard: string[] = []
  screen.getByLabelText('Search').addEventListener('focus', () => heard.push('focus'))
  act(() => screen.getByLabelText('Search').focus())
  act(() => screen.getByRole('button', { name: 'Undo' }).focus())
  act(() => screen.getByLabelText('Quantity').focus())
  expect(screen.getByLabelText('Quantity')).toHaveFocus()
  await clock.pass(14_000)
  expect(message()).toBeNull()
  expect(screen.getByLabelText('Quantity')).toHaveFocus()
  expect(heard).toHaveLength(1)
})
