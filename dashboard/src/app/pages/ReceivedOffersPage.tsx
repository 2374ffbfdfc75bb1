import { ReceivedOffers } from '@/features/offers/ReceivedOffers'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { countOf } from '@/lib/format'
import { OffersSwitch } from '../OffersSwitch'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

/** The offers on all of the user's open requests. */
export default function ReceivedOffersPage() {
  const { user, counts } = useMe()
  usePageTitle('Offers Received')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading
        title="Offers Received"
        line={user ? `${countOf(counts.received, 'offer waits', 'offers wait')} for your answer` : ''}
      >
        <OffersSwitch />
      </PageHeading>
      <SignedIn>{() => <ReceivedOffers />}</SignedIn>
    </div>
  )
}
