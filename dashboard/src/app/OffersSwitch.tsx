import { useLocation } from 'react-router'
import { useMe } from '@/hooks/useMe'
import { t } from '@/lib/texts'
import { ListPart } from './ListPart'

/** Switches between received and sent offers, where both share one tab: on the phone. */
export function OffersSwitch() {
  const { user, counts } = useMe()
  const { pathname } = useLocation()
  if (!user) return null
  return (
    <nav aria-label={t('common_offers')} className="flex rounded-md bg-muted p-1 sm:hidden">
      <ListPart
        to="/offers/received"
        chosen={pathname !== '/offers'}
        label={t('app_received')}
        count={counts.received}
      />
      <ListPart to="/offers" chosen={pathname === '/offers'} label={t('app_sent')} />
    </nav>
  )
}
