import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { itemOrdersQuery } from '@/api/items'
import { listingsQuery } from '@/api/listings'
import { itemStockQuery } from '@/api/stock'
import type { Item } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { MoreButton } from '@/components/more-button'
import { Tag } from '@/components/tag'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { printCopper } from '@/lib/copper'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { ListingRow } from './ListingCard'

/** The sellers of an item, the cheapest first, and the gap to the best request. */
export default function ItemSides({ item }: { item: Item }) {
  const query = useInfiniteQuery(listingsQuery({ itemId: item.id, sort: 'cheapest' }))
  const { data: wanted } = useInfiniteQuery(itemOrdersQuery(item.id))
  const { data: stock } = useQuery(itemStockQuery(item.id))
  const slow = useDelayed(query.isPending)
  const listings = query.data?.pages.flatMap((page) => page.listings) ?? []
  const least = listings[0]?.price
  const most = wanted?.pages[0]?.orders[0]?.maxPricePerUnit
  return (
    <section aria-labelledby="item-for-sale" className="rounded-lg border bg-card">
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 border-b px-4 py-1.5">
        <h2 id="item-for-sale" className="text-lg">
          {t('listings_for_sale')}
        </h2>
        {listings.length > 0 && <Tag className="tabular">{formatNumber(query.data?.pages[0]?.total ?? 0)}</Tag>}
      </div>
      {slow && <Skeleton className="m-4 h-11" />}
      {query.isError && (
        <div className="p-4">
          <ErrorPanel text={t('listings_failed')} query={query} />
        </div>
      )}
      {query.data && listings.length === 0 && (
        <p className="px-4 py-4 text-muted-foreground text-sm">{t('listings_none_of_item')}</p>
      )}
      {listings.length > 0 && (
        <ul aria-label={t('listings_for_sale')} className="divide-y">
          {listings.map((listing) => (
            <ListingRow key={listing.id} listing={listing} named={false} />
          ))}
        </ul>
      )}
      <MoreButton pages={query} className="my-3" />
      {stock && stock.sellers > 0 && (
        <p className="border-t px-4 py-2.5 text-muted-foreground text-sm">
          {t('stock_sellers_have', {
            sellers: stock.sellers,
            quantity: stock.quantity,
            price: printCopper(BigInt(stock.upTo)),
          })}
        </p>
      )}
      {least !== undefined && most !== undefined && (
        <p className="border-t px-4 py-2.5 text-sm">
          {least > most
            ? rich('listings_gap', {
                most: <Amount value={most} />,
                least: <Amount value={least} />,
                gap: <Amount value={least - most} />,
              })
            : rich('listings_no_gap', { most: <Amount value={most} />, least: <Amount value={least} /> })}
        </p>
      )}
    </section>
  )
}
