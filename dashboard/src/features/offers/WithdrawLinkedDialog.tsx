import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { withdrawLinked } from '@/api/offers'
import type { SentOffer } from '@/api/types'
import { Notice } from '@/components/notice'
import { QuestionDialog } from '@/components/question-dialog'
import { Typed } from '@/components/typed'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

type Props = { open: boolean; onClose: () => void; offer: SentOffer; token: string }

/** Asks whether to withdraw the offer of a private link, which cannot be undone. */
export function WithdrawLinkedDialog({ open, onClose, offer, token }: Props) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => withdrawLinked(token, writes.keyFor('withdraw')),
    onSuccess() {
      showToast(t('offers_withdrawn', { item: offer.itemName }))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.offerLink(token) }),
  })
  function close() {
    reset()
    onClose()
  }
  return (
    <QuestionDialog
      open={open}
      onClose={close}
      title={t('offers_withdraw_question')}
      description={rich('offers_withdraw_question_hint', {
        left: offer.quantityLeft,
        item: <Typed>{offer.itemName}</Typed>,
      })}
      button={isPending ? t('offers_withdrawing') : t('offers_withdraw_offer')}
      disabled={isPending}
      onConfirm={() => mutate()}
    >
      {error && <Notice>{messageFor(error, t('offers_withdraw_failed'))}</Notice>}
    </QuestionDialog>
  )
}
