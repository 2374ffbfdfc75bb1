import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, sentenceFor } from '@/api/client'
import { keys } from '@/api/keys'
import { acceptOffer, deleteOffer } from '@/api/offers'
import { afterSale, expectOrder, putOrder } from '@/api/orderCache'
import type { Offer, Order } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'

type Offers = { offers: Offer[]; total: number }

/** Shows the list of offers as it will be, and returns how to take that back. */
function useExpectedOffers(orderId: number) {
  const queryClient = useQueryClient()
  const queryKey = keys.offers(orderId)
  return (change: (offer: Offer) => Offer | null) => {
    const before = queryClient.getQueryData<Offers>(queryKey)
    queryClient.setQueryData<Offers>(queryKey, (old) => {
      if (!old) return old
      const offers = old.offers.flatMap((offer) => change(offer) ?? [])
      return { offers, total: old.total - (old.offers.length - offers.length) }
    })
    return () => {
      queryClient.setQueryData(queryKey, before)
      void queryClient.invalidateQueries({ queryKey })
    }
  }
}

/** Accepting shows at once on the offer and on the card, and is taken back with a sentence when it is refused. */
export function useAcceptOffer(order: Order, offer: Offer) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const expectOffers = useExpectedOffers(order.id)
  const mutation = useMutation({
    mutationFn: (quantity: number) => acceptOffer(offer.id, quantity, writes.keyFor([offer.id, quantity])),
    onMutate(quantity) {
      const orderBack = expectOrder(queryClient, order.id, (now) => afterSale(now, quantity))
      // An offer that is taken whole stays until the server says so: its row holds the sentence of a refusal.
      const offersBack = expectOffers((o) =>
        o.id === offer.id && o.quantityOffered > quantity ? { ...o, quantityOffered: o.quantityOffered - quantity } : o,
      )
      return () => {
        orderBack()
        offersBack()
      }
    },
    onSuccess(done) {
      writes.wentThrough()
      putOrder(queryClient, done.order)
      expectOffers((o) => (o.id === offer.id ? done.offer : o))
      for (const queryKey of [keys.offers(order.id), keys.sales(order.id), keys.me, keys.ownLists, keys.counts]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
    onError(error, _quantity, takeBack) {
      takeBack?.()
      if (error instanceof ApiError && error.current) putOrder(queryClient, error.current)
    },
  })
  return {
    isPending: mutation.isPending,
    failure: mutation.isError ? sentenceFor(mutation.error, 'Failed to accept offer. Please try again.') : '',
    run: (quantity: number) =>
      mutation.mutateAsync(quantity).then(
        () => true,
        () => false,
      ),
  }
}

export function useDeleteOffer(order: Order, offer: Offer) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const expectOffers = useExpectedOffers(order.id)
  const mutation = useMutation({
    mutationFn: () => deleteOffer(offer.id, writes.keyFor(offer.id)),
    onSuccess() {
      expectOffers((o) => (o.id === offer.id ? null : o))
      for (const queryKey of [keys.offers(order.id), keys.ownLists]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  return {
    isPending: mutation.isPending,
    failure: mutation.isError ? sentenceFor(mutation.error, 'Failed to delete offer. Please try again.') : '',
    run: () => mutation.mutate(),
  }
}
