import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { messageFor } from '@/api/client'
import { keys, type SentPart } from '@/api/keys'
import { deleteOffer, sentOffersQuery } from '@/api/offers'
import type { Receipt, SentOffer } from '@/api/types'
import { showUndoable } from '@/api/undo'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { PageLink } from '@/components/page-link'
import { ReceiptCard } from '@/components/receipt'
import { useReceipts } from '@/components/receipts'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { UndoButton } from '@/components/undo-button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime, relativeTime } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { GoodUntil } from './GoodUntil'
import { partlyAcceptedIn, stateOf } from './offerStates'

const EmptyState = lazy(() => import('@/components/empty-state'))

const none: Record<SentPart, { title: string; hint: string }> = {
  open: { title: t('offers_no_open'), hint: t('offers_no_open_hint') },
  accepted: { title: t('offers_no_accepted'), hint: t('offers_no_accepted_hint') },
  past: { title: t('offers_no_past'), hint: t('offers_no_past_hint') },
}

/** One part of the user's sent offers, and their states. */
export function SentOffers({ part }: { part: SentPart }) {
  const query = useInfiniteQuery(sentOffersQuery(part))
  const { data, isPending, isError } = query
  const { go } = useDialogs()
  const board = useBoardAddress()
  const slow = useDelayed(isPending)
  const accepted = data?.pages.flatMap((page) => page.offers).filter((offer) => offer.quantityAccepted > 0) ?? []
  const { receipts } = useReceipts({ offers: accepted.slice(0, 60).map((offer) => offer.id) })
  if (isPending)
    return slow ? <Loading label={t('offers_loading')} boxes={Array<string>(3).fill('h-28 rounded-lg')} /> : null
  if (isError) return <ErrorPanel text={t('common_failed_to_load_offers')} query={query} />
  const offers = data.pages.flatMap((page) => page.offers)
  if (offers.length === 0) {
    const counts = data.pages[0]?.counts
    const everNone = !counts || counts.open + counts.accepted + counts.past === 0
    const { title, hint } = everNone ? { title: t('offers_never_sent'), hint: t('offers_never_sent_hint') } : none[part]
    return (
      <Suspense fallback={<i data-loading hidden />}>
        <EmptyState
          drawing="signpost"
          title={title}
          hint={hint}
          action={<Button onClick={() => go(board)}>{t('common_browse_requests')}</Button>}
        />
      </Suspense>
    )
  }
  return (
    <>
      <ul className="grid gap-3">
        {offers.map((offer) => (
          <SentOfferRow key={offer.id} offer={offer} receipts={receipts.filter((r) => r.offerId === offer.id)} />
        ))}
      </ul>
      <MoreButton pages={query} />
    </>
  )
}

function SentOfferRow({ offer, receipts }: { offer: SentOffer; receipts: Receipt[] }) {
  const { label, tone } = stateOf(offer.state)
  const some = offer.quantityAccepted > 0 && offer.state !== 'accepted'
  const shown = some ? partlyAcceptedIn(offer.state) : label
  return (
    <li className="grid gap-2 rounded-lg border bg-card p-4 [contain-intrinsic-size:auto_10rem] [content-visibility:auto] sm:grid-cols-[1fr_auto] sm:items-center sm:gap-x-6">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 dir="auto" className="text-lg leading-6 wrap-anywhere">
            {offer.orderId === null ? (
              offer.itemName
            ) : (
              <PageLink to={`/requests/${offer.orderId}`} className="hover:text-primary hover:underline">
                {offer.itemName}
              </PageLink>
            )}
          </h2>
          <Tag tone={tone}>{shown}</Tag>
        </div>
        <p className="tabular mt-1 flex flex-wrap items-baseline gap-x-1.5 text-sm">
          {rich('offers_offered_at', {
            quantity: offer.quantityOffered,
            price: <Amount value={offer.pricePerUnit} />,
          })}
        </p>
        <p className="tabular flex flex-wrap items-center gap-x-2 text-muted-foreground text-sm">
          {offer.quantityAccepted > 0 && (
            <span>{t('offers_accepted_count', { accepted: offer.quantityAccepted })}</span>
          )}
          {offer.state === 'open' && <span>{t('offers_still_offered', { left: offer.quantityLeft })}</span>}
          <time dateTime={offer.createdAt} title={formatDayAndTime(offer.createdAt)}>
            {t('offers_sent_when', { when: relativeTime(offer.createdAt) })}
          </time>
          <GoodUntil offer={offer} />
        </p>
        {offer.message && (
          <p dir="auto" className="mt-1.5 whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
            {offer.message}
          </p>
        )}
        {offer.buyerContact && receipts.length === 0 && (
          <p className="mt-1 flex items-center gap-1 text-sm">
            <span className="text-muted-foreground">{t('offers_buyer_on_discord')}</span>{' '}
            <Typed>{offer.buyerContact}</Typed>
            <CopyButton
              text={offer.buyerContact}
              label={t('offers_copy_discord_name', { contact: offer.buyerContact })}
            />
          </p>
        )}
      </div>
      <div className="flex items-center justify-between gap-4 sm:flex-col sm:items-end">
        <Sum offer={offer} />
        {offer.state === 'open' && <Withdraw offer={offer} />}
        {offer.undo && <UndoButton act={offer.undo} what={t('offers_undo_withdrawal', { item: offer.itemName })} />}
      </div>
      {receipts.length > 0 && (
        <div className="grid gap-3 sm:col-span-2">
          {receipts.map((receipt) => (
            <ReceiptCard key={receipt.id} receipt={receipt} />
          ))}
        </div>
      )}
    </li>
  )
}

/** What was accepted is worth; as long as nothing was, what an open offer may bring. */
function Sum({ offer }: { offer: SentOffer }) {
  const { state, pricePerUnit, quantityAccepted, quantityLeft } = offer
  if (quantityAccepted === 0 && state !== 'open') return null
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-muted-foreground text-sm">
        {quantityAccepted > 0 ? t('offers_sum_accepted') : t('offers_sum_up_to')}
      </span>
      <Amount value={BigInt(pricePerUnit) * BigInt(quantityAccepted || quantityLeft)} size="medium" />
    </p>
  )
}

function Withdraw({ offer }: { offer: SentOffer }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteOffer(offer.id, writes.keyFor(offer.id)),
    onSuccess: () =>
      showUndoable(queryClient, t('offers_withdrawn', { item: offer.itemName }), { kind: 'offer', id: offer.id }),
    onError: (error) => showToast(messageFor(error, t('offers_withdraw_failed')), 'error'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.sentOffers }),
  })
  return (
    <Button
      variant="outline"
      size="sm"
      disabled={isPending}
      aria-label={t('offers_withdraw_label', { item: offer.itemName })}
      onClick={() => mutate()}
    >
      {isPending ? t('offers_withdrawing') : t('offers_withdraw')}
    </Button>
  )
}
