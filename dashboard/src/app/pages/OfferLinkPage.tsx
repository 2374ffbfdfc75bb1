import { useParams } from 'react-router'
import { LinkedOffer } from '@/features/offers/LinkedOffer'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'

/** A visitor's own offer, at its private link. */
export default function OfferLinkPage() {
  const { token = '' } = useParams()
  usePageTitle(t('pages_your_offer'))
  return (
    <div className="mx-auto max-w-2xl">
      <LinkedOffer key={token} token={token} />
    </div>
  )
}
