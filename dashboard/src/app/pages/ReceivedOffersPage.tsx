import { ReceivedOffers } from '@/features/offers/ReceivedOffers'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { RequestsTabs } from '../PlaceTabs'
import { SignedIn } from '../SignedIn'

/** The offers on all of the user's open requests. */
export default function ReceivedOffersPage() {
  const { user, counts } = useMe()
  usePageTitle(t('common_offers_received'))
  return (
    <div className="mx-auto max-w-3xl">
      <RequestsTabs chosen="/mine/offers" />
      <PageHeading
        title={t('common_offers_received')}
        line={user ? t('pages_offers_waiting', { count: counts.received }) : ''}
      />
      <SignedIn>{() => <ReceivedOffers />}</SignedIn>
    </div>
  )
}
