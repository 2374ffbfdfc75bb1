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
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { reasonForm } from '@/lib/validation'

type Props = { offer: Offer; order: Order }

/** The owner's other actions on an offer: report it, or block its seller. */
export function OfferMore({ offer, order }: Props) {
  const [asked, setAsked] = useState<'report' | 'block' | null>(null)
  if (asked === 'report') return <ReportForm offer={offer} onDone={() => setAsked(null)} />
  if (asked === 'block') return <BlockQuestion offer={offer} order={order} onDone={() => setAsked(null)} />
  return (
    <p className="flex flex-wrap gap-x-4 text-sm">
      <LinkButton
        className="text-muted-foreground"
        aria-label={t('offers_report_label', { seller: offer.sellerName })}
        onClick={() => setAsked('report')}
      >
        {t('offers_report')}
      </LinkButton>
      {offer.verified && (
        <LinkButton
          className="text-muted-foreground"
          aria-label={t('offers_block_label', { contact: offer.sellerContact })}
          onClick={() => setAsked('block')}
        >
          {t('offers_block')}
        </LinkButton>
      )}
    </p>
  )
}

/** Reports an offer to the moderators. */
export function ReportForm({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const { form, submit, notice, sending, errorOf } = useSendForm({
    schema: reasonForm,
    defaults: { reason: '' },
    failure: t('offers_report_failed'),
    async send({ reason }, key) {
      await reportOffer(offer.id, reason, key)
      showToast(t('offers_reported'))
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-t pt-3">
      <Field label={t('offers_reason')} error={errorOf('reason')} help={t('offers_reason_help')}>
        {(field) => <Textarea {...field} {...form.register('reason')} rows={3} autoFocus />}
      </Field>
      {notice && <Notice>{notice}</Notice>}
      <span className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={onDone}>
          {t('common_cancel')}
        </Button>
        <Button type="submit" size="sm" disabled={sending}>
          {sending ? t('common_sending') : t('offers_send_report')}
        </Button>
      </span>
    </form>
  )
}

/** Asks whether to block the seller of an offer. */
export function BlockQuestion({ offer, order, onDone }: Props & { onDone: () => void }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => blockSeller(offer.id, writes.keyFor(['block', offer.id])),
    onSuccess() {
      showToast(t('offers_blocked', { contact: offer.sellerContact }))
      for (const queryKey of [keys.offers(order.id), keys.ownLists, keys.blockedSellers, keys.order(order.id)]) {
        void queryClient.invalidateQueries({ queryKey })
      }
      onDone()
    },
  })
  const contact = <Typed>{offer.sellerContact}</Typed>
  return (
    <fieldset className="grid gap-2 border-t pt-3">
      <legend className="sr-only">{rich('offers_block_title', { contact })}</legend>
      <p className="text-sm">{rich('offers_block_question', { contact })}</p>
      {error && <Notice>{messageFor(error, t('offers_block_failed'))}</Notice>}
      <span className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={onDone}>
          {t('common_cancel')}
        </Button>
        <Button variant="destructive" size="sm" disabled={isPending} onClick={() => mutate()}>
          {isPending ? t('common_blocking') : t('offers_block_seller')}
        </Button>
      </span>
    </fieldset>
  )
}
