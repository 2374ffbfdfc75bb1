import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, messageFor, messageForSale } from '@/api/client'
import { keys } from '@/api/keys'
import { acceptOffer, deleteOffer } from '@/api/offers'
import { afterSale, putOrder, updateOrderOptimistically } from '@/api/orderCache'
import type { Offer, Order, ReceivedOffer } from '@/api/types'
import { showUndoable } from '@/api/undo'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'

type Offers = { offers: ReceivedOffer[]; total: number } // and what was answered, which stays

/** Updates the list of offers optimistically. Returns the rollback. */
function useOptimisticOffers(orderId: number) {
  const queryClient = useQueryClient()
  const queryKey = keys.offers(orderId)
  return (change: (offer: ReceivedOffer) => ReceivedOffer | null) => {
    const before = queryClient.getQueryData<Offers>(queryKey)
    queryClient.setQueryData<Offers>(queryKey, (old) => {
      if (!old) return old
      const offers = old.offers.flatMap((offer) => change(offer) ?? [])
      return { ...old, offers, total: old.total - (old.offers.length - offers.length) }
    })
    return () => {
      queryClient.setQueryData(queryKey, before)
      void queryClient.invalidateQueries({ queryKey })
    }
  }
}

/** Accepts an offer with an optimistic update of the offer and the card. A failure rolls it back. */
export function useAcceptOffer(order: Order, offer: Offer) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<[number, string?]>()
  const updateOffers = useOptimisticOffers(order.id)
  const mutation = useMutation({
    mutationFn: ([quantity, agreedBy]: [number, string?]) =>
      writes.once([quantity, agreedBy], ([count, by], key) => acceptOffer(offer.id, count, key, by)),
    onMutate([quantity]) {
      const rollbackOrder = updateOrderOptimistically(queryClient, order.id, (now) => afterSale(now, quantity))
      // A fully accepted offer stays until the server confirms, because its row shows a failure.
      const rollbackOffers = updateOffers((o) =>
        o.id === offer.id && o.quantityOffered > quantity ? { ...o, quantityOffered: o.quantityOffered - quantity } : o,
      )
      return () => {
        rollbackOrder()
        rollbackOffers()
      }
    },
    onSuccess(done) {
      putOrder(queryClient, done.order)
      updateOffers((o) => (o.id === offer.id ? done.offer && { ...o, ...done.offer } : o))
      for (const queryKey of [
        keys.offers(order.id),
        keys.sales(order.id),
        keys.receipts,
        keys.handovers,
        keys.me,
        keys.ownLists,
        keys.receivedOffers,
        keys.counts,
      ]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
    onError(error, _quantity, rollback) {
      rollback?.()
      if (error instanceof ApiError && error.current) putOrder(queryClient, error.current)
    },
  })
  return {
    isPending: mutation.isPending,
    failure: mutation.isError ? messageForSale(mutation.error, t('offers_accept_failed')) : '',
    /** Returns what was accepted: null on failure or if the outcome is unknown. */
    run: (quantity: number, agreedBy?: string) => mutation.mutateAsync([quantity, agreedBy]).catch(() => null),
  }
}

export function useDeleteOffer(order: Order, offer: Offer, onDeclined?: () => void) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const updateOffers = useOptimisticOffers(order.id)
  const mutation = useMutation({
    mutationFn: () => deleteOffer(offer.id, writes.keyFor(offer.id)),
    onSuccess() {
      updateOffers((o) => (o.id === offer.id ? null : o))
      onDeclined?.()
      showUndoable(queryClient, t('offers_you_declined', { seller: offer.sellerName }), { kind: 'offer', id: offer.id })
      for (const queryKey of [keys.offers(order.id), keys.ownLists, keys.receivedOffers, keys.me])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return {
    isPending: mutation.isPending,
    failure: mutation.isError ? messageFor(mutation.error, t('offers_decline_failed')) : '',
    run: () => mutation.mutate(),
  }
}
