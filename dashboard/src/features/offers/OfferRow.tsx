import { BadgeCheck, CircleHelp, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Offer, Order } from '@/api/types'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import { Notice } from '@/components/notice'
import { QuantityInput } from '@/components/quantity-input'
import { Typed } from '@/components/typed'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { clamp } from '@/lib/clamp'
import { formatDayAndTime, formatNumber, relativeTime } from '@/lib/format'
import { OfferMore } from './OfferMore'
import { useAcceptOffer, useDeleteOffer } from './useOfferWrites'

type Props = {
  offer: Offer
  order: Order
  onAccepted: (message: string) => void
  /** Shown before the seller's name. */
  leading?: ReactNode
}

export function OfferRow({ offer, order, onAccepted, leading }: Props) {
  const limit = Math.min(order.quantity - order.sold, offer.quantityOffered)
  const [typed, setTyped] = useState(String(limit))
  // The request may be filled meanwhile: the quantity is clamped to what is left now.
  const quantity = clamp(Number(typed) || 0, 0, limit)
  const accept = useAcceptOffer(order, offer)
  const remove = useDeleteOffer(order, offer)
  const field = useId()
  const [asked, setAsked] = useState(false)
  const busy = accept.isPending || remove.isPending
  const closed = order.status !== 'active' || order.expired
  const name = `offer of ${offer.sellerName}`

  return (
    <li className="grid gap-3 rounded-lg border bg-card p-3.5">
      <div className="flex items-start justify-between gap-3">
        {leading}
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="text-base wrap-anywhere">
            {offer.sellerName}
          </h3>
          <p className="flex min-w-0 flex-wrap items-center gap-x-1 text-sm">
            <span dir="auto" className="truncate text-muted-foreground">
              {offer.sellerContact}
            </span>
            <CopyButton text={offer.sellerContact} label={`Copy the Discord name ${offer.sellerContact}`} />
            {offer.verified ? (
              <Badge variant="accent">
                <BadgeCheck aria-hidden /> verified
              </Badge>
            ) : (
              <Badge variant="outline">
                <CircleHelp aria-hidden /> unverified contact
              </Badge>
            )}
          </p>
        </div>
        <time
          dateTime={offer.createdAt}
          title={formatDayAndTime(offer.createdAt)}
          className="shrink-0 text-muted-foreground text-xs"
        >
          {relativeTime(offer.createdAt)}
        </time>
      </div>
      <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
        {offer.message}
      </p>
      <p className="tabular flex flex-wrap items-baseline gap-x-1.5 text-sm">
        <strong className="font-semibold">{formatNumber(offer.quantityOffered)}</strong> at{' '}
        <Amount value={offer.pricePerUnit} /> each
        {offer.pricePerUnit !== order.maxPricePerUnit && (
          <span className="flex flex-wrap items-baseline gap-x-1.5 text-muted-foreground">
            (your price is now <Amount value={order.maxPricePerUnit} />)
          </span>
        )}
      </p>
      {(accept.failure || remove.failure) && <Notice>{accept.failure || remove.failure}</Notice>}
      {asked ? (
        <fieldset className="flex flex-wrap items-center justify-end gap-2 border-t pt-3">
          <legend className="sr-only">
            Delete the offer of <Typed>{offer.sellerName}</Typed>
          </legend>
          <p className="mr-auto text-sm">Delete this offer? {offer.verified && "We'll tell the seller."}</p>
          <Button variant="ghost" size="sm" onClick={() => setAsked(false)}>
            Keep
          </Button>
          <Button variant="destructive" size="sm" disabled={busy} onClick={() => remove.run()} ref={(b) => b?.focus()}>
            {remove.isPending ? 'Deleting...' : 'Delete'}
          </Button>
        </fieldset>
      ) : (
        <form
          className="flex flex-wrap items-end gap-2 border-t pt-3"
          onSubmit={async (event) => {
            event.preventDefault()
            if (busy || quantity < 1) return
            const accepted = await accept.run(quantity)
            if (accepted > 0) onAccepted(`Accepted ${formatNumber(accepted)} from ${offer.sellerName}.`)
          }}
        >
          <div className="grid gap-1 text-sm">
            <label htmlFor={field} className="text-muted-foreground">
              Quantity to accept
            </label>
            <QuantityInput
              id={field}
              className="h-10 w-28 pointer-coarse:h-11"
              aria-label={`Quantity to accept from the ${name}`}
              min={1}
              max={limit}
              value={typed === '' ? '' : String(quantity)}
              onValue={setTyped}
              disabled={closed}
            />
          </div>
          <p className="flex h-10 items-center text-sm" aria-live="polite">
            <span className="sr-only">costs </span>
            <Amount value={BigInt(offer.pricePerUnit) * BigInt(quantity)} className="text-muted-foreground" />
          </p>
          <span className="ml-auto flex gap-2">
            <Button
              variant="quietDestructive"
              className="px-3"
              disabled={busy}
              aria-label={`Delete the ${name}`}
              onClick={() => setAsked(true)}
            >
              <Trash2 /> Delete
            </Button>
            <Button
              type="submit"
              disabled={busy || closed || quantity < 1}
              aria-label={`Accept Offer of ${offer.sellerName}`}
            >
              {accept.isPending ? 'Accepting...' : 'Accept Offer'}
            </Button>
          </span>
        </form>
      )}
      <OfferMore offer={offer} order={order} />
    </li>
  )
}
