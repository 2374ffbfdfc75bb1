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
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

const words = {
  close: {
    title: t('orders_close_title'),
    explanation: t('orders_close_explained'),
    busy: t('orders_closing'),
    done: (item: string) => t('orders_is_closed', { item }),
    failure: t('orders_close_failed'),
  },
  delete: {
    title: t('orders_delete_title'),
    explanation: t('orders_delete_explained'),
    busy: t('common_deleting'),
    done: (item: string) => t('orders_is_deleted', { item }),
    failure: t('orders_delete_failed'),
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
      const done = text.done(order.itemName)
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
      button={mutation.isPending ? text.busy : text.title}
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
