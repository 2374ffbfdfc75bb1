import { zodResolver } from '@hookform/resolvers/zod'
import { Trash2 } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { Offer, Order, ReceivedOffer } from '@/api/types'
import { QuietDestructiveButton } from '@/components/buttons'
import { ByWhen } from '@/components/by-when'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import LookAlikes from '@/components/look-alikes'
import { Notice } from '@/components/notice'
import { QuantityInput } from '@/components/quantity-input'
import TradeRecordLine from '@/components/trade-record'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Field, FieldError, FieldLabel } from '@/components/ui/field'
import { VerifiedTag } from '@/components/verified-tag'
import { When } from '@/components/when'
import { clamp } from '@/lib/clamp'
import { formatDayAndTime } from '@/lib/format'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { acceptForm } from '@/lib/validation'
import { OfferMore } from './OfferMore'
import { useAcceptOffer, useDeleteOffer } from './useOfferWrites'
import { whyInWords } from './why'

type Props = {
  offer: ReceivedOffer
  order: Order
  onAccepted: (message: string, sale: number) => void
}

/** No group for one control, and its error is heard with it, not as an alert as well. */
const quiet = { role: undefined }

export function OfferRow({ offer, order, onAccepted }: Props) {
  const limit = Math.min(order.quantity - order.sold, offer.quantityOffered)
  const form = useForm({ defaultValues: { quantity: String(limit) }, resolver: zodResolver(acceptForm(limit)) })
  // The quantity is all that can be accepted until another is typed, also when an undo brings some back.
  const [chosen, setChosen] = useState(false)
  useEffect(() => {
    if (!chosen) form.setValue('quantity', String(limit))
  }, [chosen, limit, form])
  const typed = useWatch({ control: form.control, name: 'quantity' })
  const error = form.formState.errors.quantity?.message
  // The request may be filled meanwhile: the quantity is clamped to what is left now.
  const quantity = clamp(Number(typed) || 0, 0, limit)
  const accept = useAcceptOffer(order, offer)
  const remove = useDeleteOffer(order, offer)
  const id = useId()
  const [meetBy, setMeetBy] = useState<string | undefined>()
  const [asked, setAsked] = useState(false)
  const busy = accept.isPending || remove.isPending
  const closed = order.status !== 'active' || order.expired
  const seller = offer.sellerName

  return (
    <li className="grid gap-3 rounded-lg border bg-card p-3.5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="text-base wrap-anywhere">
            {offer.sellerName}
          </h3>
          <p className="flex min-w-0 flex-wrap items-center gap-x-1 text-sm">
            <span dir="auto" className="truncate text-muted-foreground">
              {offer.sellerContact}
            </span>
            <CopyButton
              text={offer.sellerContact}
              label={t('offers_copy_discord_name', { contact: offer.sellerContact })}
            />
            <VerifiedTag verified={offer.verified} />
          </p>
          {whyInWords(offer) && <p className="text-primary text-sm">{whyInWords(offer)}</p>}
          {offer.sellerId && isOn('records') && <TradeRecordLine userId={offer.sellerId} />}
          <LookAlikes mark={offer.lookAlike} contact={offer.sellerContact} name={offer.sellerName} />
        </div>
        <When at={offer.createdAt} />
      </div>
      <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
        {offer.message}
      </p>
      <p className="tabular flex flex-wrap items-baseline gap-x-1.5 text-sm">
        {rich('offers_quantity_at', {
          quantity: offer.quantityOffered,
          price: <Amount value={offer.pricePerUnit} />,
          b: (text) => <strong className="font-semibold">{text}</strong>,
        })}
        {offer.goodUntil && (
          <time dateTime={offer.goodUntil} className="text-muted-foreground">
            · {t('offers_good_until', { time: formatDayAndTime(offer.goodUntil) })}
          </time>
        )}
        {offer.pricePerUnit !== order.maxPricePerUnit && (
          <span className="flex flex-wrap items-baseline gap-x-1.5 text-muted-foreground">
            {rich('offers_price_now', { price: <Amount value={order.maxPricePerUnit} /> })}
          </span>
        )}
      </p>
      {(accept.failure || remove.failure) && <Notice>{accept.failure || remove.failure}</Notice>}
      {asked ? (
        <DeleteQuestion offer={offer} deletion={remove} onKept={() => setAsked(false)} />
      ) : (
        <form
          className="flex flex-wrap items-end gap-2 border-t pt-3"
          noValidate
          onSubmit={form.handleSubmit(async ({ quantity }) => {
            if (busy) return
            const done = await accept.run(quantity, meetBy)
            if (!done) return
            const { sale } = done
            setChosen(false)
            onAccepted(t('offers_accepted_from', { quantity: sale.quantitySold, seller }), sale.id)
          })}
        >
          <Field {...quiet} className="w-auto gap-1">
            <FieldLabel htmlFor={id} className="font-normal text-muted-foreground">
              {t('offers_quantity_to_accept')}
            </FieldLabel>
            <Controller
              control={form.control}
              name="quantity"
              render={({ field: { ref, name, onChange, onBlur } }) => (
                <QuantityInput
                  ref={ref}
                  id={id}
                  name={name}
                  className="h-10 w-28 pointer-coarse:h-11"
                  aria-label={t('offers_quantity_to_accept_label', { seller })}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? `${id}-error` : undefined}
                  min={1}
                  max={limit}
                  value={typed === '' ? '' : String(quantity)}
                  onValue={(text) => {
                    setChosen(true)
                    onChange(text)
                  }}
                  onBlur={onBlur}
                  disabled={closed}
                />
              )}
            />
          </Field>
          <p className="flex h-10 items-center text-sm" aria-live="polite">
            {rich('offers_costs', {
              hidden: (text) => <span className="sr-only">{text}</span>,
              cost: <Amount value={BigInt(offer.pricePerUnit) * BigInt(quantity)} className="text-muted-foreground" />,
            })}
          </p>
          {isOn('handover') && offer.verified && (
            <ByWhen
              label={t('offers_meet_by')}
              standard={t('offers_meet_by_standard')}
              what={t('offers_meet_by_what', { seller })}
              onChange={setMeetBy}
            />
          )}
          {error && (
            <FieldError {...quiet} id={`${id}-error`} className="w-full sm:order-last">
              {error}
            </FieldError>
          )}
          <span className="ml-auto flex gap-2">
            <QuietDestructiveButton
              className="px-3"
              disabled={busy}
              aria-label={t('offers_delete_label', { seller })}
              onClick={() => setAsked(true)}
            >
              <Trash2 /> {t('offers_delete')}
            </QuietDestructiveButton>
            <Button
              type="submit"
              disabled={busy || closed || limit < 1}
              aria-label={t('offers_accept_label', { seller })}
            >
              {accept.isPending ? t('offers_accepting') : t('offers_accept')}
            </Button>
          </span>
        </form>
      )}
      <OfferMore offer={offer} order={order} />
    </li>
  )
}

type QuestionProps = { offer: Offer; deletion: ReturnType<typeof useDeleteOffer>; onKept: () => void }

/** Asks whether to delete an offer. */
export function DeleteQuestion({ offer, deletion: { run, isPending }, onKept }: QuestionProps) {
  return (
    <fieldset className="flex flex-wrap items-center justify-end gap-2 border-t pt-3">
      <legend className="sr-only">{rich('offers_delete_title', { seller: <Typed>{offer.sellerName}</Typed> })}</legend>
      <p className="mr-auto text-sm">
        {offer.verified ? t('offers_delete_question_told') : t('offers_delete_question')}
      </p>
      <Button variant="ghost" size="sm" onClick={onKept}>
        {t('offers_keep')}
      </Button>
      <Button variant="destructive" size="sm" disabled={isPending} onClick={run} ref={(b) => b?.focus()}>
        {isPending ? t('offers_deleting') : t('offers_delete')}
      </Button>
    </fieldset>
  )
}
