import { Settings2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { InboxList } from '@/features/notices/InboxList'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

export default function InboxPage() {
  const { user } = useMe()
  const { open } = useDialogs()
  usePageTitle(t('common_inbox'))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title={t('common_inbox')} line={t('pages_inbox_line')}>
        {user && (
          <Button variant="outline" onClick={() => open({ name: 'notices' })}>
            <Settings2 /> {t('common_notice_settings')}
          </Button>
        )}
      </PageHeading>
      <SignedIn>{() => <InboxList />}</SignedIn>
    </div>
  )
}
