import { useMutation, useQueryClient } from '@tanstack/react-query'
import { agreeHandover, postponeHandovers, sayHandovers, takeBackWords, type Word } from '@/api/handovers'
import { keys } from '@/api/keys'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'

/** What a word about a trade changes. */
const changed = [keys.handovers, keys.receipts, keys.orders, keys.me, ['sales']]

/** Refetches what a word about a trade changes. */
export function useRefreshTrades() {
  const queryClient = useQueryClient()
  return () => {
    for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey })
  }
}

type Done = { onSaid?: () => void; onAgreed?: () => void }

/** The answers of the reader about one handover. */
export function useHandoverAnswers(id: number, { onSaid, onAgreed }: Done = {}) {
  const writes = useIdempotencyKey()
  const refresh = useRefreshTrades()
  const say = useMutation({
    mutationFn: (word: Word | 'later' | 'take-back') => {
      const key = writes.keyFor([word, id])
      if (word === 'later') return postponeHandovers([id], key)
      if (word === 'take-back') return takeBackWords([id], key)
      return sayHandovers([id], word, key)
    },
    onSuccess: () => {
      writes.succeeded() // a word that is taken back can be said again
      onSaid?.()
    },
    onSettled: refresh,
  })
  const agree = useMutation({
    mutationFn: (by: string) => agreeHandover(id, by, writes.keyFor(['agree', id, by])),
    onSuccess: onAgreed,
    onSettled: refresh,
  })
  return {
    say: say.mutate,
    agree: agree.mutate,
    busy: say.isPending || agree.isPending,
    failed: say.error ?? agree.error,
  }
}
