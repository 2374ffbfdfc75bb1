import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Order } from '@/api/types'
import { order } from '@/test/server'
import { blankOrder } from '../form/orderForm'
import { OrderCard } from './OrderCard'

type Shown = { own?: boolean; offerCount?: number; full?: boolean }

function show(fields: Partial<Order> = {}, { own = false, offerCount, full }: Shown = {}) {
  const worth = (count: number) => (BigInt(o.maxPricePerUnit) * BigInt(count)).toString()
  const o = order({ sold: 160, progress: 32, description: '', ign: null, levelRequirement: null, ...fields })
  const shown = { ...o, totalValue: worth(o.quantity), remainingValue: worth(o.quantity - o.sold) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OrderCard order={shown} own={own} offerCount={offerCount} full={full} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), card: screen.getByRole('article') }
}

describe('a request on the board', () => {
  test('shows the item, the price and the remaining quantity', () => {
    const { card } = show({ ign: 'Rowan of Ash', levelRequirement: 120, description: 'By the cart' })
    expect(within(card).getByRole('heading', { name: 'Iron Ore' })).toBeVisible()
    expect(card).toHaveTextContent('Cost per unit2 gold 500 silver')
    expect(card).toHaveTextContent('Total value1 platinum 250 gold')
    expect(card).toHaveTextContent('340 of 500 left')
    expect(card).toHaveTextContent('160 fulfilled')
    expect(card).toHaveTextContent('Importance: Medium')
    expect(card).toHaveTextContent('Status: Active')
    expect(card).toHaveTextContent('Miner·Level 120+')
    expect(card).toHaveTextContent('Posted 3 days ago')
    expect(card).not.toHaveTextContent('Expires')
    expect(within(card).queryByRole('button', { name: /Renew/ })).toBeNull()
    expect(card).toHaveTextContent('Discordrowan.ashdown')
    expect(card).toHaveTextContent('In gameRowan of Ash')
    expect(card).toHaveTextContent('By the cart')
    expect(within(card).getByRole('button', { name: /^Offer to Fulfill/ })).toBeEnabled()
  })

  test('shows every text that the buyer entered', () => {
    const texts = Object.entries(order()).filter(([name, value]) => name in blankOrder && typeof value === 'string')
    const { card } = show(Object.fromEntries(texts))
    for (const [name, text] of texts)
      expect(card.textContent?.toLowerCase(), name).toContain(String(text).toLowerCase())
  })

  test('names no contact once the request is over and the server leaves it out', () => {
    const { card } = show({ status: 'fulfilled', closeReason: 'closed_early', buyerContact: '', ign: null })
    expect(card).not.toHaveTextContent('Discord')
    expect(within(card).queryByRole('button', { name: /^Copy/ })).toBeNull()
  })

  test('asks for any level when none is set, and has no in-game name when there is none', () => {
    const { card } = show()
    expect(card).toHaveTextContent('Miner·Any level')
    expect(card).not.toHaveTextContent('In game')
  })

  test.each([
    ['urgent', 'URGENT REQUEST: Buyer needs this item as soon as possible'],
    ['high', 'HIGH PRIORITY REQUEST: Buyer needs this item soon'],
  ] as const)('%s ones are announced', (importance, sentence) => {
    expect(show({ importance }).card).toHaveTextContent(sentence)
  })

  test.each(['low', 'medium'] as const)('%s ones are not', (importance) => {
    expect(show({ importance }).card).not.toHaveTextContent('REQUEST:')
  })

  test.each([
    [100, 'good'],
    [70, 'good'],
    [69, 'fair'],
    [40, 'fair'],
    [39, 'poor'],
    [0, 'poor'],
  ])('at %i percent the bar is %s', (progress, tone) => {
    show({ progress })
    expect(screen.getByRole('progressbar')).toHaveAttribute('data-tone', tone)
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', String(progress))
  })

  test('has no bar before anything is sold', () => {
    const { card } = show({ sold: 0, progress: 0 })
    expect(within(card).queryByRole('progressbar')).toBeNull()
    expect(card).not.toHaveTextContent('fulfilled')
    expect(card).toHaveTextContent('500 of 500 left')
  })

  test('says when it expires in its last days', () => {
    const soon = new Date(Date.now() + 12 * 86_400_000).toISOString()
    const { card } = show({ expiresAt: soon })
    expect(card).toHaveTextContent('Expiresin 12 days')
    expect(within(card).queryByRole('button', { name: /Renew/ })).toBeNull()
  })

  test('says in full when it expires, however far that is', () => {
    expect(show({ expiresAt: '2100-05-06T12:00:00Z' }, { full: true }).card).toHaveTextContent('ExpiresMay 6, 2100')
  })

  test.each(['low', 'medium', 'high', 'urgent'] as const)('has a badge for %s importance', (importance) => {
    expect(show({ importance }).card.textContent?.toLowerCase()).toContain(`importance: ${importance}`)
  })

  test('copies the contact in one click', async () => {
    const { user, card } = show()
    await user.click(within(card).getByRole('button', { name: 'Copy the Discord name rowan.ashdown' }))
    expect(await navigator.clipboard.readText()).toBe('rowan.ashdown')
  })
})

describe('the earnings calculator', () => {
  test('is always there, follows the number, and stays within what is left', async () => {
    const { user, card } = show({ quantity: 500, sold: 160 })
    const field = within(card).getByRole('spinbutton', { name: 'Earnings calculator: how many Iron Ore' })
    expect(within(card).getByRole('status')).toBeEmptyDOMElement()
    await user.type(field, '3')
    expect(within(card).getByRole('status')).toHaveTextContent('7 gold 500 silver')
    await user.clear(field)
    await user.type(field, '9999')
    expect(field).toHaveValue(340)
    expect(within(card).getByRole('status')).toHaveTextContent('850 gold')
    await user.clear(field)
    await user.type(field, '0')
    expect(within(card).getByRole('status')).toHaveTextContent('0 copper')
  })

  test('is exact beyond Number.MAX_SAFE_INTEGER', async () => {
    const { user, card } = show({ quantity: 999_999, sold: 0, maxPricePerUnit: 999_999_999_999 })
    await user.type(within(card).getByRole('spinbutton'), '999999')
    expect(within(card).getByRole('status')).toHaveTextContent('999,998,999 platinum 999 gold 1 copper')
  })

  test('is not for the owner', () => {
    const { card } = show({}, { own: true })
    expect(within(card).queryByRole('spinbutton')).toBeNull()
  })
})

describe('an own request', () => {
  test('has its total value once it is over, and nothing that remains', () => {
    const { card } = show({ status: 'fulfilled', closeReason: 'filled' }, { own: true })
    expect(card).toHaveTextContent('Total value')
    expect(card).not.toHaveTextContent('Remaining value')
  })

  test('has its badge, the remaining value, offers and sales', () => {
    const { card } = show({}, { own: true, offerCount: 3 })
    expect(card).toHaveTextContent('Your Request')
    expect(card).toHaveTextContent('Remaining value850 gold')
    expect(card).not.toHaveTextContent('Total value')
    expect(within(card).getByRole('button', { name: 'View Offers (3) on Iron Ore' })).toBeVisible()
    expect(within(card).getByRole('button', { name: 'Update Sales of Iron Ore' })).toBeVisible()
    expect(within(card).queryByRole('button', { name: /^Offer to Fulfill/ })).toBeNull()
  })

  test('has a menu', async () => {
    const { user } = show({}, { own: true, offerCount: 3 })
    await waitFor(() => expect(screen.getByRole('button', { name: /Actions/ })).toBeEnabled())
    await user.click(screen.getByRole('button', { name: 'Actions for your request Iron Ore' }))
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent?.trim())
    expect(items).toEqual(['Edit Request', 'View Offers (3)', 'Copy Link', 'Close Request', 'Delete Request'])
  })

  test('can only be deleted once it is fulfilled', async () => {
    const { user } = show({ status: 'fulfilled', closeReason: 'filled', sold: 500, progress: 100 }, { own: true })
    await waitFor(() => expect(screen.getByRole('button', { name: /Actions/ })).toBeEnabled())
    await user.click(screen.getByRole('button', { name: /Actions/ }))
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent?.trim())
    expect(items).toEqual(['Copy Link', 'Delete Request'])
  })

  test('can be renewed once it has expired', async () => {
    show({ expired: true }, { own: true })
    expect(screen.getByRole('article')).toHaveTextContent('Status: Expired')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Renew Iron Ore' })).toBeEnabled())
  })
})

describe('a request that is over', () => {
  test('says Request Completed! when nothing is left', () => {
    const { card } = show({ status: 'fulfilled', closeReason: 'filled', sold: 500, progress: 100 }, { own: true })
    expect(card).toHaveTextContent('Request Completed!')
    expect(card).toHaveTextContent('0 of 500 left')
  })

  test('shows Request Fulfilled! and the quantity sold when it was closed early', () => {
    const { card } = show({ status: 'fulfilled', closeReason: 'closed_early', sold: 3, progress: 100 }, { own: true })
    expect(card).toHaveTextContent('Request Fulfilled!')
    expect(card).toHaveTextContent('closed early, 3 of 500')
    expect(within(card).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
    expect(card).not.toHaveTextContent('URGENT')
  })

  test('takes no offers', () => {
    const { card } = show({ status: 'fulfilled', closeReason: 'filled', sold: 500, progress: 100 })
    expect(within(card).queryByRole('button', { name: /^Offer to Fulfill/ })).toBeNull()
  })
})
