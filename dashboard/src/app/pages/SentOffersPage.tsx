import { SentOffers } from '@/features/offers/SentOffers'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

export default function SentOffersPage() {
  usePageTitle('My Offers')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="My Offers" line="What you offered to others, and what became of it" />
      <SignedIn>{() => <SentOffers />}</SignedIn>
    </div>
  )
}
