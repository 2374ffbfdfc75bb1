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

const words = {
  report: {
    title: 'Report Request',
    help: "What's wrong with it? Only moderators see who reported it.",
    button: 'Send Report',
    busy: 'Sending...',
    failure: 'Failed to send the report. Please try again.',
    done: 'Thank you. The moderators will look at it.',
  },
  remove: {
    title: 'Remove Request',
    help: 'The buyer will see this reason. A moderator can undo the removal for 30 days.',
    button: 'Remove Request',
    busy: 'Removing...',
    failure: 'Failed to remove the request. Please try again.',
    done: "Request removed. We've told the buyer why.",
  },
  block: {
    title: 'Block Buyer',
    help: "They'll see this reason. They can't trade, and their requests are hidden, until a moderator unblocks them.",
    button: 'Block Buyer',
    busy: 'Blocking...',
    failure: 'Failed to block the buyer. Please try again.',
    done: "Buyer blocked. We've told them why.",
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
