import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'

export default function NotFoundPage() {
  const { go } = useDialogs()
  const board = useBoardAddress()
  usePageTitle(t('pages_not_found'))
  return (
    <EmptyState
      heading="h1"
      drawing="lantern"
      title={t('pages_not_found')}
      action={<Button onClick={() => go(board)}>{t('common_browse_requests')}</Button>}
    />
  )
}
