import type { QueryClient } from '@tanstack/react-query'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'
import { client, keyed, messageFor, read } from './client'
import { keys } from './keys'
import { putOrder } from './orderCache'

/** How long an accept, a sale, a declined or a withdrawn offer can be undone. */
export const undoWindow = 10 * 60_000 // ms

export const canUndo = (at: string) => Date.now() - new Date(at).getTime() < undoWindow

const changed = [keys.ownLists, keys.counts, keys.me, keys.receipts, keys.sentOffers, ['offers'], ['sales']] as const

function refresh(queryClient: QueryClient) {
  for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey })
}

const failed = 'Failed to undo. Please try again.'

/** Undoes an accept or a logged sale, and shows how it went. */
export async function undoSale(queryClient: QueryClient, id: number) {
  try {
    const key = keyed(uuid())
    putOrder(queryClient, await read(client.POST('/api/sales/{id}/undo', { params: { path: { id }, ...key } })))
    showToast('Undone.')
  } catch (error) {
    showToast(messageFor(error, failed), 'error')
  }
  refresh(queryClient)
}

/** Undoes that the user declined or withdrew an offer, and shows how it went. */
export async function undoOffer(queryClient: QueryClient, id: number) {
  try {
    await read(client.POST('/api/offers/{id}/undo', { params: { path: { id }, ...keyed(uuid()) } }))
    showToast('Undone: the offer is open again.')
  } catch (error) {
    showToast(messageFor(error, failed), 'error')
  }
  refresh(queryClient)
}
