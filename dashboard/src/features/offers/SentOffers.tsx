import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { sentenceFor } from '@/api/client'
import { keys } from '@/api/keys'
import { deleteOffer, sentOffersQuery } from '@/api/offers'
import type { SentOffer } from '@/api/types'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime, formatNumber, relativeTime } from '@/lib/format'
import { say } from '@/lib/toasts'

const EmptyState = lazy(() => import('@/components/empty-state'))

const states = {
  open: { label: 'Open', variant: 'accent' },
  accepted: { label: 'Accepted', variant: 'own' },
  declined: { label: 'Declined', variant: 'destructive' },
  withdrawn: { label: 'Withdrawn', variant: 'default' },
  lapsed: { label: 'Lapsed', variant: 'default' },
  replaced: { label: 'Replaced', variant: 'default' },
  removed: { label: 'Removed by a moderator', variant: 'destructive' },
} as const

/** Every offer that the reader has sent, and what became of it. */
export function SentOffers() {
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(sentOffersQuery)
  const { go } = useDialogs()
  const slow = useDelayed(isPending)
  if (isPending) return slow ? <Loading /> : null
  if (isError) {
    return (
      <ErrorPanel text="Failed to load offers. Please try again." retrying={isFetching} onRetry={() => refetch()} />
    )
  }
  const offers = data.pages.flatMap((page) => page.offers)
  if (offers.length === 0) {
    return (
      <Suspense>
        <EmptyState
          drawing="signpost"
          title="No offers sent yet"
          hint="What you offer on other people's requests is kept here, with what became of it."
          action={<Button onClick={() => go('/')}>Browse Requests</Button>}
        />
      </Suspense>
    )
  }
  return (
    <>
      <ul className="grid gap-3">
        {offers.map((offer) => (
          <SentOfferRow key={offer.id} offer={offer} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="outline"
          className="mx-auto mt-6 flex"
          disabled={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {isFetchingNextPage ? 'Loading...' : 'Load more'}
        </Button>
      )}
    </>
  )
}

function SentOfferRow({ offer }: { offer: SentOffer }) {
  const { label, variant } = states[offer.state]
  const partly = offer.state === 'open' && offer.quantityAccepted > 0
  return (
    <li className="grid gap-2 rounded-lg border bg-card p-4 sm:grid-cols-[1fr_auto] sm:items-center sm:gap-x-6">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="text-lg leading-6 wrap-anywhere">
            {offer.orderId === null ? (
              offer.itemName
            ) : (
              <PageLink to={`/requests/${offer.orderId}`} className="hover:text-primary hover:underline">
                {offer.itemName}
              </PageLink>
            )}
          </h2>
          <Badge variant={variant}>{partly ? 'Partly accepted' : label}</Badge>
        </div>
        <p className="tabular mt-1 flex flex-wrap items-baseline gap-x-1.5 text-sm">
          {formatNumber(offer.quantityOffered)} offered at <Amount value={offer.pricePerUnit} /> each
        </p>
        <p className="tabular flex flex-wrap items-center gap-x-2 text-muted-foreground text-sm">
          {offer.quantityAccepted > 0 && <span>{formatNumber(offer.quantityAccepted)} accepted</span>}
          {offer.state === 'open' && <span>{formatNumber(offer.quantityLeft)} still offered</span>}
          <time dateTime={offer.createdAt} title={formatDayAndTime(offer.createdAt)}>
            sent {relativeTime(offer.createdAt)}
          </time>
        </p>
        {offer.buyerContact && (
          <p className="mt-1 flex items-center gap-1 text-sm">
            <span className="text-muted-foreground">Buyer on Discord</span> {offer.buyerContact}
            <CopyButton text={offer.buyerContact} label={`Copy the Discord name ${offer.buyerContact}`} />
          </p>
        )}
      </div>
      <div className="flex items-center justify-between gap-4 sm:flex-col sm:items-end">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-muted-foreground text-sm">in all</span>
          <Amount value={BigInt(offer.pricePerUnit) * BigInt(offer.quantityOffered)} size="medium" />
        </p>
        {offer.state === 'open' && <Withdraw offer={offer} />}
      </div>
    </li>
  )
}

function Withdraw({ offer }: { offer: SentOffer }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteOffer(offer.id, writes.keyFor(offer.id)),
    onSuccess: () => say(`Your offer on ${offer.itemName} is withdrawn.`),
    onError: (error) => say(sentenceFor(error, 'Failed to delete offer. Please try again.'), 'error'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.sentOffers }),
  })
  return (
    <Button
      variant="outline"
      size="sm"
      disabled={isPending}
      aria-label={`Withdraw your offer on ${offer.itemName}`}
      onClick={() => mutate()}
    >
      {isPending ? 'Withdrawing...' : 'Withdraw'}
    </Button>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading offers" className="grid gap-3">
      {[0, 1, 2].map((i) => (
        <Skeleton key={i} className="h-28 rounded-lg" />
      ))}
    </div>
  )
}
