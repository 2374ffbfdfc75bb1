import { ReceivedOffers } from '@/features/offers/ReceivedOffers'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { RequestsTabs } from '../PlaceTabs'
import { SignedIn } from '../SignedIn'

/** The offers on all of the user's open requests. Its tab has its name, so the heading needs no line of its own. */
export default function ReceivedOffersPage() {
  usePageTitle(t('common_offers_received'))
  return (
    <>
      <RequestsTabs chosen="/mine/offers" />
      <h1 className="sr-only">{t('common_offers_received')}</h1>
      <div className="-mt-4">
        <SignedIn>{() => <ReceivedOffers />}</SignedIn>
      </div>
    </>
  )
}
