import type { QueryClient } from '@tanstack/react-query'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'
import { client, keyed, messageFor, read } from './client'
import { keys } from './keys'
import { putOrder, refreshLists } from './orderCache'
import type { Order } from './types'

const changed = [keys.receipts, keys.sentOffers, ['offers'], ['sales']] as const

/** Undoes something, and shows how it went. Returns whether it is undone. */
async function run(queryClient: QueryClient, undo: () => Promise<Order | undefined>, done: string): Promise<boolean> {
  let undone = true
  try {
    const order = await undo()
    if (order) putOrder(queryClient, order)
    showToast(done)
  } catch (error) {
    undone = false
    showToast(messageFor(error, 'Failed to undo. Please try again.'), 'error')
  }
  refreshLists(queryClient)
  for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey })
  return undone
}

/** Undoes an accept or a logged sale. */
export const undoSale = (queryClient: QueryClient, id: number) =>
  run(
    queryClient,
    () => read(client.POST('/api/sales/{id}/undo', { params: { path: { id }, ...keyed(uuid()) } })),
    'Undone.',
  )

/** Undoes that the user closed a request. */
export const undoClose = (queryClient: QueryClient, id: number) =>
  run(
    queryClient,
    () => read(client.POST('/api/orders/{id}/undo-close', { params: { path: { id }, ...keyed(uuid()) } })),
    'Undone: the request is open again.',
  )

/** Undoes that the user declined or withdrew an offer. */
export const undoOffer = (queryClient: QueryClient, id: number) =>
  run(
    queryClient,
    async () => {
      await read(client.POST('/api/offers/{id}/undo', { params: { path: { id }, ...keyed(uuid()) } }))
      return undefined
    },
    'Undone: the offer is open again.',
  )
