import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { offerLinkQuery } from '@/api/offers'
import type { OfferLink, SentOffer } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { NotFound } from '@/components/not-found'
import { ReceiptCard } from '@/components/receipt'
import { RequestDetails } from '@/components/request-details'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { formatDayAndTime, formatNumber, relativeTime } from '@/lib/format'
import { GoodUntil } from './GoodUntil'
import { stateOf } from './offerStates'
import { WithdrawLinkedDialog } from './WithdrawLinkedDialog'

/** What a visitor's private link leads to: their own offer, how it ended, and the request while the offer is open. */
export function LinkedOffer({ token }: { token: string }) {
  const query = useQuery(offerLinkQuery(token))
  const { data, error } = query
  if (error instanceof ApiError && error.status === 404) {
    return (
      <NotFound
        title="This link has ended"
        hint="It ends with the request that the offer was on, or the address is not complete."
      />
    )
  }
  if (data) return <Shown link={data} token={token} />
  if (error) return <ErrorPanel text="Failed to load offers. Please try again." query={query} />
  return <Loading label="Loading your offer" boxes={['h-14', 'h-40', 'h-32']} className="gap-5" />
}

function Shown({ link, token }: { link: OfferLink; token: string }) {
  const { offer, order, receipts } = link
  const [asked, setAsked] = useState(false)
  const { label, tone } = stateOf(offer.state)
  return (
    <div className="grid grid-cols-1 gap-5">
      <header>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-xl wrap-anywhere">
            Your offer on <Typed>{offer.itemName}</Typed>
          </h1>
          <Tag tone={tone}>{label}</Tag>
        </div>
        <p className="mt-1 text-muted-foreground" aria-live="polite">
          {outcomeOf(offer)}
        </p>
      </header>
      {receipts.length > 0 && (
        <section aria-label="Receipts" className="grid grid-cols-1 gap-3">
          {receipts.map((receipt) => (
            <ReceiptCard key={receipt.id} receipt={receipt} />
          ))}
        </section>
      )}
      <section aria-label="Your offer" className="grid gap-2 rounded-lg border bg-card p-4">
        <p className="tabular flex flex-wrap items-baseline gap-x-1.5">
          <strong className="font-semibold">{formatNumber(offer.quantityOffered)}</strong> ×{' '}
          <Amount value={offer.pricePerUnit} /> ={' '}
          <Amount value={BigInt(offer.pricePerUnit) * BigInt(offer.quantityOffered)} size="medium" />
        </p>
        {offer.message && (
          <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
            {offer.message}
          </p>
        )}
        <p className="text-muted-foreground text-sm empty:hidden">
          <GoodUntil offer={offer} />
        </p>
        <p className="text-muted-foreground text-sm">
          {offer.sellerName && (
            <>
              As <Typed>{offer.sellerName}</Typed>,{' '}
            </>
          )}
          <time dateTime={offer.createdAt} title={formatDayAndTime(offer.createdAt)}>
            sent {relativeTime(offer.createdAt)}
          </time>
        </p>
        {offer.state === 'open' && (
          <div className="mt-1">
            <Button variant="outline" className="max-sm:w-full pointer-coarse:h-11" onClick={() => setAsked(true)}>
              Withdraw
            </Button>
          </div>
        )}
      </section>
      {order && <RequestDetails order={order} />}
      <WithdrawLinkedDialog open={asked} onClose={() => setAsked(false)} offer={offer} token={token} />
    </div>
  )
}

/** Says in words how the offer ended, and nothing about other offers. */
function outcomeOf({
  state,
  quantityAccepted,
  quantityOffered,
  quantityLeft,
  goodUntil,
  updatedAt,
}: SentOffer): string {
  const some = quantityAccepted > 0
  const accepted = `The buyer accepted ${formatNumber(quantityAccepted)} of ${formatNumber(quantityOffered)}`
  switch (state) {
    case 'open':
      return some
        ? `${accepted}. ${formatNumber(quantityLeft)} still offered.`
        : 'The buyer has not answered yet. Come back to this page to see the answer.'
    case 'accepted':
      return 'The buyer accepted your offer. Write to them to agree on a time and place.'
    case 'declined':
      return some ? `${accepted} and declined the rest.` : 'The buyer declined your offer.'
    case 'withdrawn':
      return some ? `${accepted}. You withdrew the rest.` : 'You withdrew your offer.'
    case 'lapsed':
      if (goodUntil && Date.parse(goodUntil) <= Date.parse(updatedAt)) {
        return some ? `${accepted}. The rest has lapsed.` : "Your offer has lapsed. It wasn't accepted in time."
      }
      return some
        ? `${accepted}. The rest has lapsed.`
        : "Your offer has lapsed: the request ended, or the buyer didn't answer in two weeks."
    case 'removed':
      return 'A moderator removed your offer.'
    default:
      return 'Your offer is no longer open.'
  }
}
