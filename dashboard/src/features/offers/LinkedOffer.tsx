import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
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
import { rich, t } from '@/lib/texts'
import { GoodUntil } from './GoodUntil'
import { stateOf } from './offerStates'
import { WithdrawLinkedDialog } from './WithdrawLinkedDialog'

/** What a visitor's private link leads to: their own offer, how it ended, and the request while the offer is open. */
export function LinkedOffer({ token }: { token: string }) {
  const query = useQuery(offerLinkQuery(token))
  const { data, error } = query
  if (error instanceof ApiError && error.status === 404) {
    return <NotFound title={t('offers_link_ended')} hint={t('offers_link_ended_hint')} />
  }
  if (data) return <Shown link={data} token={token} />
  if (error) return <ErrorPanel text={t('common_failed_to_load_offers')} query={query} />
  return <Loading label={t('offers_loading_yours')} boxes={['h-14', 'h-40', 'h-32']} className="gap-5" />
}

function Shown({ link, token }: { link: OfferLink; token: string }) {
  const { offer, order, receipts } = link
  const [asked, setAsked] = useState(false)
  const { label, tone } = stateOf(offer.state)
  const when = relativeTime(offer.createdAt)
  const sentAt = (inner: ReactNode) => (
    <time dateTime={offer.createdAt} title={formatDayAndTime(offer.createdAt)}>
      {inner}
    </time>
  )
  return (
    <div className="grid grid-cols-1 gap-5">
      <header>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-xl wrap-anywhere">
            {rich('offers_your_offer_on', { item: <Typed>{offer.itemName}</Typed> })}
          </h1>
          <Tag tone={tone}>{label}</Tag>
        </div>
        <p className="mt-1 text-muted-foreground" aria-live="polite">
          {outcomeOf(offer)}
        </p>
      </header>
      {receipts.length > 0 && (
        <section aria-label={t('common_receipts')} className="grid grid-cols-1 gap-3">
          {receipts.map((receipt) => (
            <ReceiptCard key={receipt.id} receipt={receipt} visitors />
          ))}
        </section>
      )}
      <section aria-label={t('offers_your_offer')} className="grid gap-2 rounded-lg border bg-card p-4">
        {!receipts.some(({ quantity }) => quantity === offer.quantityOffered) && ( // whose receipt says the same sum
          <p className="tabular flex flex-wrap items-baseline gap-x-1.5">
            <strong className="font-semibold">{formatNumber(offer.quantityOffered)}</strong> ×{' '}
            <Amount value={offer.pricePerUnit} /> ={' '}
            <Amount value={BigInt(offer.pricePerUnit) * BigInt(offer.quantityOffered)} size="medium" />
          </p>
        )}
        {offer.message && (
          <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
            {offer.message}
          </p>
        )}
        <p className="text-muted-foreground text-sm empty:hidden">
          <GoodUntil offer={offer} />
        </p>
        <p className="text-muted-foreground text-sm">
          {offer.sellerName
            ? rich('offers_sent_as', { seller: <Typed>{offer.sellerName}</Typed>, when, time: sentAt })
            : sentAt(t('offers_sent_when', { when }))}
        </p>
        {offer.state === 'open' && (
          <div className="mt-1">
            <Button variant="outline" className="max-sm:w-full pointer-coarse:h-11" onClick={() => setAsked(true)}>
              {t('offers_withdraw')}
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
  const places = { accepted: quantityAccepted, offered: quantityOffered }
  switch (state) {
    case 'open':
      return some ? t('offers_outcome_some_open', { ...places, left: quantityLeft }) : t('offers_outcome_waits')
    case 'accepted':
      return t('offers_outcome_all_accepted')
    case 'declined':
      return some ? t('offers_outcome_some_declined', places) : t('offers_outcome_buyer_declined')
    case 'withdrawn':
      return some ? t('offers_outcome_some_withdrawn', places) : t('offers_outcome_withdrawn')
    case 'lapsed':
      if (some) return t('offers_outcome_some_lapsed', places)
      return goodUntil && Date.parse(goodUntil) <= Date.parse(updatedAt)
        ? t('offers_outcome_late')
        : t('offers_outcome_lapsed')
    case 'removed':
      return t('offers_outcome_removed')
    default:
      return t('offers_outcome_ended')
  }
}
