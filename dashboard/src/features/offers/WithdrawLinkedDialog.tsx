import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { withdrawLinked } from '@/api/offers'
import type { SentOffer } from '@/api/types'
import { Notice } from '@/components/notice'
import { QuestionDialog } from '@/components/question-dialog'
import { Typed } from '@/components/typed'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatNumber } from '@/lib/format'
import { showToast } from '@/lib/toasts'

type Props = { open: boolean; onClose: () => void; offer: SentOffer; token: string }

/** Asks whether to withdraw the offer of a private link, which cannot be undone. */
export function WithdrawLinkedDialog({ open, onClose, offer, token }: Props) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => withdrawLinked(token, writes.keyFor('withdraw')),
    onSuccess() {
      showToast(`Your offer on ${offer.itemName} is withdrawn.`)
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
      title="Withdraw your offer?"
      description={
        <>
          The buyer can't accept the {formatNumber(offer.quantityLeft)} <Typed>{offer.itemName}</Typed> any more. This
          can't be undone, but you can send another offer.
        </>
      }
      button={isPending ? 'Withdrawing...' : 'Withdraw Offer'}
      disabled={isPending}
      onConfirm={() => mutate()}
    >
      {error && <Notice>{messageFor(error, 'Failed to delete offer. Please try again.')}</Notice>}
    </QuestionDialog>
  )
}
