import { Tag as TagIcon } from 'lucide-react'
import type { Listing } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import { DiscordMark } from '@/components/discord-mark'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Card, CardContent } from '@/components/ui/card'
import { useMe } from '@/hooks/useMe'
import { formatDayAndTime, relativeDay } from '@/lib/format'
import { categoryName } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { AskFor } from './AskFor'
import { ListingMenu } from './ListingMenu'

/** Says that a card or a row sells. */
function Sells() {
  return (
    <Tag tone="outline" className="border-platinum/60 text-foreground">
      <TagIcon aria-hidden />
      {t('listings_sells')}
    </Tag>
  )
}

/** Says that some of it is sold without asking its seller. */
function AtOnce({ listing: { sellsDaily = 0, seller, left } }: { listing: Listing }) {
  const { user } = useMe()
  if (sellsDaily === 0 || left === 0 || user?.id === seller.id) return null
  const title = t('listings_at_once_by', { quantity: sellsDaily, seller: seller.displayName })
  return (
    <Tag tone="accent" title={title} className="ml-auto shrink-0 px-1 text-[0.75rem]">
      {t('listings_at_once', { quantity: sellsDaily })}
    </Tag>
  )
}

const nameOfListing = ({ itemId, itemName }: Listing) =>
  itemId === null ? (
    itemName
  ) : (
    <PageLink to={`/items/${itemId}`} className="hover:text-primary hover:underline">
      {itemName}
    </PageLink>
  )

/** One listing: it looks like a request, and says that it sells. */
export function ListingCard({ listing }: { listing: Listing }) {
  const { id, seller, category, quantity, left, price, totalValue, note, since } = listing
  const { user } = useMe()
  const titleId = `listing-${id}`
  return (
    <article aria-labelledby={titleId} className="h-full">
      <Card className="relative h-full gap-0 overflow-hidden border-l-[3px] border-l-platinum py-0 hover:border-foreground/25">
        <CardContent className="@container flex flex-1 flex-col px-3.5 pt-2 pb-3">
          <header>
            <div className="flex items-start gap-2">
              <h2
                id={titleId}
                dir="auto"
                title={listing.itemName}
                className="line-clamp-2 min-w-0 flex-1 text-lg wrap-anywhere"
              >
                {nameOfListing(listing)}
              </h2>
              <time
                dateTime={since}
                title={formatDayAndTime(since)}
                className="tabular shrink-0 text-muted-foreground text-xs leading-6.5"
              >
                {relativeDay(since)}
              </time>
              <span className="-my-0.5 -mr-1.5 empty:hidden">
                <ListingMenu listing={listing} />
              </span>
            </div>
            <div className="flex min-h-5.5 flex-wrap items-center gap-1 *:px-1 *:text-[0.75rem]">
              <Sells />
              {user?.id === seller.id && <Tag tone="own">{t('listings_your_listing')}</Tag>}
              <Tag tone="outline">
                <CategoryIcon category={category} />
                {categoryName(category)}
              </Tag>
            </div>
          </header>
          <dl className="mt-0.5 flex flex-wrap items-baseline gap-x-1.5 text-xs">
            <div className="flex flex-wrap items-baseline gap-x-1.5">
              <dt className="sr-only">{t('listings_price_each')}</dt>
              <dd className="flex flex-wrap items-baseline gap-x-1.5">
                <Amount value={price} size="large" className="text-[1.125rem] leading-6" />
                <span aria-hidden="true" className="text-muted-foreground">
                  {t('orders_each')} ·
                </span>
              </dd>
            </div>
            <div>
              <dt className="sr-only">{t('orders_total_value')}</dt>
              <dd className="flex flex-wrap items-baseline gap-x-1.5">
                <Amount value={totalValue} />
                <span aria-hidden="true" className="text-muted-foreground">
                  {t('orders_in_all')}
                </span>
              </dd>
            </div>
            <div className="tabular ml-auto">
              <dt className="sr-only">{t('listings_left')}</dt>
              <dd>
                {rich('orders_left', {
                  strong: (text) => <strong className="font-semibold">{text}</strong>,
                  left,
                  quantity,
                })}
              </dd>
            </div>
          </dl>
          <p className="mt-0.5 flex h-6 min-w-0 items-center gap-1.5 text-sm pointer-coarse:h-7">
            <DiscordMark className="size-3.5 shrink-0" />
            <span className="sr-only">{t('listings_seller')}</span>
            <bdi dir="auto" className="truncate" title={seller.username}>
              {seller.username}
            </bdi>
            <CopyButton
              text={seller.username}
              label={t('offers_copy_discord_name', { contact: seller.username })}
              className="size-6"
            />
            <AtOnce listing={listing} />
          </p>
          {note && (
            <p dir="auto" className="line-clamp-2 text-muted-foreground text-sm wrap-anywhere">
              {note}
            </p>
          )}
          <div className="mt-auto flex items-center gap-2 pt-2">
            <AskFor listing={listing} />
          </div>
        </CardContent>
      </Card>
    </article>
  )
}

/** One listing as a row of a list. */
export function ListingRow({ listing, named = true }: { listing: Listing; named?: boolean }) {
  const { seller, category, left, quantity, price, note, since } = listing
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-l-[3px] border-l-platinum px-3 py-1.5 text-sm max-sm:min-h-16">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex min-w-0 items-center gap-1.5">
          {named && (
            <>
              <CategoryIcon category={category} className="size-4 shrink-0" />
              <span dir="auto" className="truncate font-medium">
                {nameOfListing(listing)}
              </span>
            </>
          )}
          <Sells />
          <AtOnce listing={listing} />
          {!named && (
            <bdi dir="auto" className="truncate font-medium">
              {seller.displayName}
            </bdi>
          )}
        </p>
        <p className="flex min-w-0 gap-x-1 text-muted-foreground text-xs">
          <span dir="auto" className="truncate">
            {named && <bdi>{seller.displayName} · </bdi>}
            {note && <bdi>{note} · </bdi>}
          </span>
          <span className="shrink-0">{relativeDay(since)}</span>
        </p>
      </div>
      <span className="tabular shrink-0 text-muted-foreground @4xl:w-36 @4xl:text-right">
        {rich('orders_left', {
          strong: (text) => <strong className="font-semibold text-foreground">{text}</strong>,
          left,
          quantity,
        })}
      </span>
      <Amount value={price} className="shrink-0 @4xl:w-28" />
      <div className="flex shrink-0 items-center @4xl:min-w-90 @4xl:justify-end">
        <AskFor listing={listing} row />
        <ListingMenu listing={listing} />
      </div>
    </li>
  )
}
