import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '@/api/keys'
import { postOrder } from '@/api/orders'
import type { Order } from '@/api/types'
import { DraftNotice } from '@/components/draft-notice'
import { Success } from '@/components/success'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import type { DialogProps } from '@/hooks/useDialogs'
import { useDraftForm } from '@/hooks/useDraftForm'
import { announceNewcomers } from '@/lib/newcomers'
import { leastTime } from '@/lib/time'
import { OrderFields } from './OrderFields'
import { blankOrder, checkNew, draftOf } from './orderForm'

const labelShownFor = 1000 // ms that 'Posting...' can be read, however fast the answer is

export default function PostDialog({ open, onClose, user }: DialogProps) {
  const [posted, setPosted] = useState<Order | null>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title="Post New Request"
        description="Say what you need and what you pay for it. It stays on the board for a year."
        className="sm:max-w-xl"
      >
        {posted ? (
          <Success title="Your request is on the board" orderId={posted.id} onDone={onClose}>
            Offers reach you here and by direct message.
          </Success>
        ) : (
          <PostForm contact={user?.username ?? ''} onPosted={setPosted} onCancel={onClose} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type FormProps = { contact: string; onPosted: (order: Order) => void; onCancel: () => void }

function PostForm({ contact, onPosted, onCancel }: FormProps) {
  const queryClient = useQueryClient()
  const { form, submit, notice, sending, errorOf, restored, startOver } = useDraftForm({
    name: 'post',
    defaults: { ...blankOrder, buyerContact: contact },
    check: checkNew,
    failure: 'Failed to create order. Please try again.',
    async send(values, key) {
      const order = await leastTime(labelShownFor, postOrder(draftOf(values), key))
      queryClient.setQueryData(keys.order(order.id), order)
      announceNewcomers()
      for (const queryKey of [keys.ownLists, keys.counts, keys.me]) void queryClient.invalidateQueries({ queryKey })
      onPosted(order)
    },
  })
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody className="grid content-start gap-5">
        <DraftNotice shown={restored} onStartOver={startOver} />
        <OrderFields form={form} errorOf={errorOf} />
      </DialogBody>
      {notice && <Notice className="mx-5 mb-3">{notice}</Notice>}
      <DialogFooter>
        <Button variant="ghost" className="max-sm:hidden" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" className="max-sm:h-11" disabled={sending}>
          {sending ? 'Posting...' : 'Post Request'}
        </Button>
      </DialogFooter>
    </form>
  )
}
