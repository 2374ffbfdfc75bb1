import { useLocation } from 'react-router'
import { useMe } from '@/hooks/useMe'
import { t } from '@/lib/texts'
import { ListPart } from './ListPart'

/** Switches between the user's open and completed requests, where both share one place: on the phone. */
export function RequestsSwitch() {
  const { user, counts } = useMe()
  const { pathname } = useLocation()
  if (!user) return null
  return (
    <nav aria-label={t('common_requests')} className="flex rounded-md bg-muted p-1 sm:hidden">
      <ListPart to="/mine" chosen={pathname === '/mine'} label={t('app_mine')} count={counts.active} />
      <ListPart
        to="/completed"
        chosen={pathname === '/completed'}
        label={t('common_completed')}
        count={counts.fulfilled}
      />
    </nav>
  )
}
