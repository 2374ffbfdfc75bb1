import { DeviceOffers } from '@/features/offers/DeviceOffers'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'

/** The offers that a visitor has sent with this browser. */
export default function DeviceOffersPage() {
  usePageTitle(t('app_device_offers'))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title={t('app_device_offers')} line={t('pages_device_offers_line')} />
      <DeviceOffers />
    </div>
  )
}
