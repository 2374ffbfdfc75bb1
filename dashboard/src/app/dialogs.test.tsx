import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { card, dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

/** Holds back the code of the offer dialog until it is released. */
const code = vi.hoisted(() => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return { held, release: () => release() }
})

// The module is there at once and only its component is held back: the page imports it twice, ahead of time and when it is needed.
vi.mock('@/features/offers/OfferDialog', async (original) => {
  const { default: OfferDialog } = await original<typeof import('@/features/offers/OfferDialog')>()
  return { default: code.held.then(() => OfferDialog) }
})

test('a dialog opens at once, with a skeleton until its code is loaded, and the focus follows', async () => {
  new Server().shows([order()])
  const reader = openPage()
  const opener = within(await card('Iron Ore')).getByRole('button', { name: 'Offer to Fulfill Iron Ore' })
  await reader.click(opener)
  const frame = await screen.findByRole('dialog', { name: 'Offer to Fulfill', busy: true })
  expect(within(frame).getByRole('status', { name: 'Loading' })).toBeVisible()
  expect(frame).toHaveFocus()
  await reader.tab()
  expect(within(frame).getByRole('button', { name: 'Close' })).toHaveFocus()
  await reader.tab()
  expect(frame).toContainElement(document.activeElement as HTMLElement)

  // Escape closes it, before there is anything else.
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(opener).toHaveFocus())

  await reader.click(opener)
  await screen.findByRole('dialog', { name: 'Offer to Fulfill', busy: true })
  await act(async () => code.release())
  const form = await dialog('Offer to Fulfill')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  await waitFor(() => expect(form.getByLabelText('Your name')).toHaveFocus())
  await reader.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(opener).toHaveFocus())

  // Its code is here now: no skeleton is shown.
  await reader.click(opener)
  expect(screen.queryByRole('dialog', { busy: true })).toBeNull()
  expect((await dialog('Offer to Fulfill')).getByLabelText('Your name')).toBeVisible()
})
