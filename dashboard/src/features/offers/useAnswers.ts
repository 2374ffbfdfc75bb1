import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { answerOffers } from '@/api/offers'
import { putOrder, refreshLists } from '@/api/orderCache'
import type { Offer, OfferAnswer, OfferOutcome, Order } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'

/** A ticked offer, and how many of it to accept: zero when those above it are enough. */
export type Choice = { offer: Offer; order: Order; accept: number }
export type Answered = { offer: Offer; order: Order; outcome: OfferOutcome }

export const acceptAll = (choices: Choice[]): OfferAnswer[] =>
  choices.filter(({ accept }) => accept > 0).map(({ offer, accept }) => ({ id: offer.id, accept }))

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
          return choice ? [{ offer: choice.offer, order: choice.order, outcome }] : []
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
