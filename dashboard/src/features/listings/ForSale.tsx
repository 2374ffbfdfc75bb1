import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ListFilter } from '@/api/filter'
import { listingsQuery } from '@/api/listings'
import { browseQuery } from '@/api/orders'
import type { Listing, Order } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { Tag } from '@/components/tag'
import { useDelayed } from '@/hooks/useDelayed'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import type { BoardView } from '@/lib/boardView'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import type { Side } from '@/lib/side'
import { t } from '@/lib/texts'
import { ListingCard, ListingRow } from './ListingCard'

type Props = {
  side: Side
  filter: ListFilter
  view: BoardView
  viewerId: number | undefined
  /** A card of a request, with a mark, and the list of them, as the board draws them. */
  card: (
    order: Order,
    own: boolean,
    offered: ReturnType<ReturnType<typeof useOpenOffers>['get']>,
    mark: ReactNode,
  ) => ReactNode
  requests: ReactNode
}

/** Listings, alone or together with the requests. */
export default function ForSale({ side, filter, view, viewerId, card, requests }: Props) {
  const both = side === 'both'
  const byTime = !filter.sort || filter.sort === 'newest'
  const sort = byTime ? 'newest' : 'cheapest' // the board says which of its own
  const { category, q, max } = filter
  const query = useInfiniteQuery({
    ...listingsQuery({ category, q, max, sort }),
    placeholderData: (previous) => previous,
  })
  const together = both && view === 'cards'
  const wanted = useInfiniteQuery({ ...browseQuery(filter), enabled: together })
  const offers = useOpenOffers()
  const slow = useDelayed(query.isPending || (together && wanted.isPending))
  if (query.isPending || (together && wanted.isPending))
    return (
      <div className="min-h-[60vh]">{slow && <Loading label={t('listings_loading')} boxes={['h-44', 'h-44']} />}</div>
    )
  if (query.isError && !query.data) return <ErrorPanel text={t('listings_failed')} query={query} />
  if (together && wanted.isError && !wanted.data)
    return <ErrorPanel text={t('common_failed_to_load_orders')} query={wanted} />

  const listings = query.data.pages.flatMap((page) => page.listings)
  const orders = together ? (wanted.data?.pages.flatMap((page) => page.orders) ?? []) : []
  const { total = 0, totalIsExact = true } = query.data.pages[0] ?? {}
  const more = (together && wanted.hasNextPage) || query.hasNextPage
  const entries = merged(listings, orders, {
    listings: query.hasNextPage,
    orders: together && wanted.hasNextPage,
    byTime: sort === 'newest' && byTime,
  })
  const showing = t('listings_showing', {
    count: total,
    number: `${formatNumber(total)}${totalIsExact ? '' : '+'}`,
  })
  const empty = listings.length === 0 && orders.length === 0
  return (
    <section
      aria-label={both ? t('listings_both_list') : t('listings_for_sale')}
      className="grid min-h-[60vh] grid-cols-[minmax(0,1fr)] content-start gap-2"
    >
      {/* Above cards, a line of its own moves every card down: alone, the heading's says it; together with requests, that has no room. */}
      {both ? (
        <div className={cn('flex flex-wrap items-center gap-x-3 gap-y-1', together && 'sr-only')}>
          {!together && <h2 className="text-base">{t('listings_for_sale')}</h2>}
          <p role="status" className="tabular text-muted-foreground text-sm">
            {showing}
          </p>
        </div>
      ) : (
        <InHeading>{showing}</InHeading>
      )}
      {empty && (
        <p className="py-8 text-center text-muted-foreground">
          {q || category || max ? t('listings_none_match') : t('listings_none')}
        </p>
      )}
      {view === 'list' && listings.length > 0 && (
        <ul aria-label={t('listings_for_sale')} className="@container divide-y rounded-lg border bg-card">
          {listings.map((listing) => (
            <ListingRow key={listing.id} listing={listing} />
          ))}
        </ul>
      )}
      {view === 'cards' && entries.length > 0 && (
        <ul
          aria-label={both ? t('listings_both_list') : t('listings_for_sale')}
          className="grid grid-cols-1 gap-3 md:grid-cols-2 lg:grid-cols-3 min-[112.5rem]:grid-cols-4"
        >
          {entries.map((entry) =>
            'listing' in entry ? (
              <li key={`listing-${entry.listing.id}`}>
                <ListingCard listing={entry.listing} />
              </li>
            ) : (
              <li key={`request-${entry.order.id}`} className="grid">
                {card(entry.order, entry.order.userId === viewerId, offers.get(entry.order.id), wantedMark)}
              </li>
            ),
          )}
        </ul>
      )}
      {more && <MoreButton pages={query.hasNextPage ? query : wanted} />}
      {both && view === 'list' && (
        <>
          <h2 className="mt-3 text-base">{t('listings_wanted')}</h2>
          {requests}
        </>
      )}
    </section>
  )
}

/** Shows a text in the line of the board's heading, which has none of its own then. */
function InHeading({ children }: { children: ReactNode }) {
  const [line, setLine] = useState<Element | null>(null)
  useEffect(() => setLine(document.querySelector('h1 + [aria-live]')), [])
  return line && createPortal(children, line)
}

/** Says that a card asks for its item. It is one element, so that a card that has not changed is not drawn again. */
const wantedMark = (
  <Tag tone="outline" className="text-foreground">
    <Search aria-hidden />
    {t('listings_wanted')}
  </Tag>
)

type Entry = { listing: Listing } | { order: Order }

/** Puts listings and requests in one order: by time, else by turns. An entry older than the last of a list that goes on waits for
 * its next page, so that nothing is put before an entry that is shown already. */
export function merged(
  listings: Listing[],
  orders: Order[],
  { byTime, ...goesOn }: { listings: boolean; orders: boolean; byTime: boolean },
): Entry[] {
  const sold: Entry[] = listings.map((listing) => ({ listing }))
  const asked: Entry[] = orders.map((order) => ({ order }))
  if (!byTime) {
    const all: Entry[] = []
    for (let i = 0; i < Math.max(sold.length, asked.length); i++) {
      for (const entry of [asked[i], sold[i]]) if (entry) all.push(entry)
    }
    return all
  }
  const timeOf = (entry: Entry) => Date.parse('listing' in entry ? entry.listing.since : entry.order.createdAt)
  const ends = [
    [goesOn.listings, sold.at(-1)],
    [goesOn.orders, asked.at(-1)],
  ] as const
  const from = Math.max(...ends.map(([on, last]) => (on && last ? timeOf(last) : Number.NEGATIVE_INFINITY)))
  return [...sold, ...asked].filter((entry) => timeOf(entry) >= from).sort((a, b) => timeOf(b) - timeOf(a))
}
