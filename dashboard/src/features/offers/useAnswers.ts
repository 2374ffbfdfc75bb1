import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { answerOffers } from '@/api/offers'
import { putOrder, refreshLists } from '@/api/orderCache'
import type { Offer, OfferAnswer, OfferOutcome, Order } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'

export type Choice = { offer: Offer; order: Order }
export type Answered = Choice & { outcome: OfferOutcome }

/** What accepting all of the offers asks for: of each as much as its request still needs after those
 * before it. */
export function acceptAll(choices: Choice[]): OfferAnswer[] {
  const left = new Map<number, number>()
  return choices.map(({ offer, order }) => {
    const needed = left.get(order.id) ?? order.quantity - order.sold
    const accept = Math.min(offer.quantityOffered, needed) || offer.quantityOffered
    left.set(order.id, Math.max(0, needed - accept))
    return { id: offer.id, accept }
  })
}

export const declineAll = (choices: Choice[]): OfferAnswer[] =>
  choices.map(({ offer }) => ({ id: offer.id, accept: 0 }))

/** Answers several offers in one request. */
export function useAnswers(choices: Choice[], onAnswered: (answered: Answered[]) => void) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<OfferAnswer[]>()
  return useMutation({
    mutationFn: (answers: OfferAnswer[]) => writes.once(answers, answerOffers),
    // The offers as they were chosen: news of an accept may take them from the list before its answer is here.
    onMutate: () => choices,
    onSuccess(outcomes, _, chosen) {
      for (const { accepted } of outcomes) if (accepted) putOrder(queryClient, accepted.order)
      onAnswered(
        outcomes.flatMap((outcome) => {
          const choice = chosen.find(({ offer }) => offer.id === outcome.id)
          return choice ? [{ ...choice, outcome }] : []
        }),
      )
    },
    onSettled(_outcomes, _error, _answers, chosen = choices) {
      for (const { order } of chosen) {
        void queryClient.invalidateQueries({ queryKey: keys.offers(order.id) })
        void queryClient.invalidateQueries({ queryKey: keys.sales(order.id) })
      }
      void queryClient.invalidateQueries({ queryKey: keys.receivedOffers })
      void queryClient.invalidateQueries({ queryKey: keys.receipts })
      refreshLists(queryClient)
    },
  })
}
