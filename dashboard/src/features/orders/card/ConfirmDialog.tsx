import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { dropOrder, putOrder, refreshLists, updateOrderOptimistically } from '@/api/orderCache'
import { closeOrder, deleteOrder } from '@/api/orders'
import { showUndoable } from '@/api/undo'
import { Notice } from '@/components/notice'
import { QuestionDialog } from '@/components/question-dialog'
import { RequestSummary } from '@/components/request-summary'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { showToast } from '@/lib/toasts'

const words = {
  close: {
    title: 'Close Order',
    explanation:
      'The request will be marked as fulfilled and take no more offers. Open offers will lapse. You can undo it for ten minutes.',
    button: 'Close Order',
    busy: 'Closing...',
    done: 'is closed.',
    failure: 'Failed to close order. Please try again.',
  },
  delete: {
    title: 'Delete Order',
    explanation:
      "The request will be deleted and all offers on it will be lost. This can't be undone. Sales stay in the other trader's history, without your texts.",
    button: 'Delete Order',
    busy: 'Deleting...',
    done: 'is deleted.',
    failure: 'Failed to delete order. Please try again.',
  },
}

type Props = OrderDialogProps & { action: 'close' | 'delete' }

function ConfirmDialog({ open, onClose, order, action }: Props) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const text = words[action]
  const mutation = useMutation({
    async mutationFn() {
      const key = writes.keyFor([action, order.id])
      if (action === 'close') putOrder(queryClient, await closeOrder(order.id, key))
      else {
        await deleteOrder(order.id, key)
        dropOrder(queryClient, order.id)
      }
    },
    onMutate: () => ({
      rollback: updateOrderOptimistically(queryClient, order.id, (now) =>
        action === 'delete' ? null : { ...now, status: 'fulfilled', closeReason: 'closed_early', progress: 100 },
      ),
    }),
    onSuccess() {
      refreshLists(queryClient)
      const done = `${order.itemName} ${text.done}`
      if (action === 'close') showUndoable(queryClient, done, { kind: 'close', id: order.id })
      else showToast(done)
      onClose()
    },
    onError: (_error, _input, context) => context?.rollback(),
  })
  return (
    <QuestionDialog
      open={open}
      onClose={onClose}
      title={text.title}
      description={text.explanation}
      button={mutation.isPending ? text.busy : text.button}
      variant={action === 'delete' ? 'destructive' : 'default'}
      disabled={mutation.isPending || mutation.isSuccess}
      onConfirm={() => mutation.mutate()}
    >
      <RequestSummary order={order} />
      {mutation.isError && <Notice>{messageFor(mutation.error, text.failure)}</Notice>}
    </QuestionDialog>
  )
}

export const CloseDialog = (props: OrderDialogProps) => <ConfirmDialog {...props} action="close" />
export const DeleteDialog = (props: OrderDialogProps) => <ConfirmDialog {...props} action="delete" />
