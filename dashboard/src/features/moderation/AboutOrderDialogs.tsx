import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '@/api/keys'
import { blockUser, removeOrder, reportOrder } from '@/api/moderation'
import { dropOrder, refreshLists } from '@/api/orderCache'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { ReasonForm } from '@/components/reason-form'
import { RequestSummary } from '@/components/request-summary'
import { Success } from '@/components/success'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { t } from '@/lib/texts'

const words = {
  report: {
    title: t('moderation_report_request'),
    help: t('moderation_report_help'),
    button: t('moderation_report_send'),
    busy: t('common_sending'),
    failure: t('moderation_report_failed'),
    done: t('moderation_report_sent'),
  },
  remove: {
    title: t('moderation_remove_request'),
    help: t('moderation_remove_request_help'),
    button: t('moderation_remove_request'),
    busy: t('moderation_removing'),
    failure: t('moderation_remove_request_failed'),
    done: t('moderation_request_removed'),
  },
  block: {
    title: t('moderation_block_buyer'),
    help: t('moderation_block_help'),
    button: t('moderation_block_buyer'),
    busy: t('common_blocking'),
    failure: t('moderation_block_buyer_failed'),
    done: t('moderation_buyer_blocked'),
  },
}

type Props = OrderDialogProps & { action: keyof typeof words }

function ReasonDialog({ open, onClose, order, action }: Props) {
  const queryClient = useQueryClient()
  const [done, setDone] = useState(false)
  const text = words[action]

  async function send(reason: string, key: string) {
    if (action === 'report') await reportOrder(order.id, reason, key)
    else if (action === 'remove') await removeOrder(order.id, reason, key)
    else await blockUser(order.userId, reason, key)
    setDone(true)
    if (action === 'report') return
    dropOrder(queryClient, order.id)
    refreshLists(queryClient)
    for (const queryKey of [keys.reports, keys.audit, keys.blocks]) void queryClient.invalidateQueries({ queryKey })
  }

  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={text.title} className="sm:max-w-md">
        {done ? (
          <Success title={text.done} onDone={onClose} />
        ) : (
          <ReasonForm
            name={`${action}.${order.id}`}
            help={text.help}
            button={text.button}
            busy={text.busy}
            destructive={action !== 'report'}
            failure={text.failure}
            send={send}
            onCancel={onClose}
          >
            <RequestSummary order={order} />
          </ReasonForm>
        )}
      </DialogContent>
    </Dialog>
  )
}

export const ReportDialog = (props: OrderDialogProps) => <ReasonDialog {...props} action="report" />
export const RemoveDialog = (props: OrderDialogProps) => <ReasonDialog {...props} action="remove" />
export const BlockDialog = (props: OrderDialogProps) => <ReasonDialog {...props} action="block" />
