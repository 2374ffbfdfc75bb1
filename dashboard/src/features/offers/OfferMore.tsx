import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { blockSeller, reportOffer } from '@/api/moderation'
import type { Offer, Order } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useSendForm } from '@/hooks/useSendForm'
import { showToast } from '@/lib/toasts'
import { reasonForm } from '@/lib/validation'

type Props = { offer: Offer; order: Order }

/** The owner's other actions on an offer: report it, or block its seller. */
export function OfferMore({ offer, order }: Props) {
  const [asked, setAsked] = useState<'report' | 'block' | null>(null)
  const name = `offer of ${offer.sellerName}`
  if (asked === 'report') return <ReportForm offer={offer} onDone={() => setAsked(null)} />
  if (asked === 'block') return <BlockQuestion offer={offer} order={order} onDone={() => setAsked(null)} />
  return (
    <p className="flex flex-wrap gap-x-4 text-sm">
      <LinkButton
        className="text-muted-foreground"
        aria-label={`Report the ${name}`}
        onClick={() => setAsked('report')}
      >
        Report…
      </LinkButton>
      {offer.verified && (
        <LinkButton
          className="text-muted-foreground"
          aria-label={`Block the seller ${offer.sellerContact}`}
          onClick={() => setAsked('block')}
        >
          Block seller…
        </LinkButton>
      )}
    </p>
  )
}

function ReportForm({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const { form, submit, notice, sending, errorOf } = useSendForm({
    schema: reasonForm,
    defaults: { reason: '' },
    failure: 'Failed to send the report. Please try again.',
    async send({ reason }, key) {
      await reportOffer(offer.id, reason, key)
      showToast('Thank you. The moderators will look at it.')
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-t pt-3">
      <Field label="Reason" error={errorOf('reason')} help="Only moderators see who reported it.">
        {(field) => <Textarea {...field} {...form.register('reason')} rows={3} autoFocus />}
      </Field>
      {notice && <Notice>{notice}</Notice>}
      <span className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={sending}>
          {sending ? 'Sending...' : 'Send Report'}
        </Button>
      </span>
    </form>
  )
}

function BlockQuestion({ offer, order, onDone }: Props & { onDone: () => void }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => blockSeller(offer.id, writes.keyFor(['block', offer.id])),
    onSuccess() {
      showToast(`${offer.sellerContact} is blocked and can't send you offers.`)
      for (const queryKey of [keys.offers(order.id), keys.ownLists, keys.blockedSellers, keys.order(order.id)]) {
        void queryClient.invalidateQueries({ queryKey })
      }
      onDone()
    },
  })
  return (
    <fieldset className="grid gap-2 border-t pt-3">
      <legend className="sr-only">
        Block <Typed>{offer.sellerContact}</Typed>
      </legend>
      <p className="text-sm">
        Block <Typed>{offer.sellerContact}</Typed>? Their open offers on your requests will be declined. You can unblock
        them in the notice settings.
      </p>
      {error && <Notice>{messageFor(error, 'Failed to block the seller. Please try again.')}</Notice>}
      <span className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button variant="destructive" size="sm" disabled={isPending} onClick={() => mutate()}>
          {isPending ? 'Blocking...' : 'Block Seller'}
        </Button>
      </span>
    </fieldset>
  )
}
