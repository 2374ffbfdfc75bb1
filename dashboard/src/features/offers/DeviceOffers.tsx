import { useQuery } from '@tanstack/react-query'
import { offerLinkQuery } from '@/api/offers'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber, relativeTime } from '@/lib/format'
import { t } from '@/lib/texts'
import { visitorOffers } from '@/lib/visitorOffers'
import { stateOf } from './offerStates'

const most = 20

/** The offers that a visitor has sent with this browser, the latest first. */
export function DeviceOffers() {
  const offers = visitorOffers().slice(0, most)
  if (offers.length === 0) return <p className="text-muted-foreground text-sm">{t('pages_device_offers_none')}</p>
  return (
    <ul aria-label={t('app_device_offers')} className="divide-y rounded-lg border bg-card">
      {offers.map(({ token }) => (
        <DeviceOffer key={token} token={token} />
      ))}
    </ul>
  )
}

/** One offer. The program forgets the link of an offer after a while: then there is nothing to show. */
function DeviceOffer({ token }: { token: string }) {
  const { data, isPending } = useQuery(offerLinkQuery(token))
  if (isPending) return <Skeleton className="h-16 rounded-none" />
  if (!data) return null
  const { offer } = data
  const { label, tone } = stateOf(offer.state)
  return (
    <li className="relative flex min-h-16 items-center gap-3 px-4 py-2 hover:bg-muted/55">
      <div className="min-w-0 flex-1">
        <PageLink to={`/offer/${token}`} className="block truncate font-medium after:absolute after:inset-0">
          {formatNumber(offer.quantityOffered)} × <Typed>{offer.itemName}</Typed>
        </PageLink>
        <p className="text-muted-foreground text-sm">{relativeTime(offer.createdAt)}</p>
      </div>
      <Tag tone={tone}>{label}</Tag>
    </li>
  )
}
