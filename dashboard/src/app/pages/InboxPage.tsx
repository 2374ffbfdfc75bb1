import { Settings2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { InboxList } from '@/features/notices/InboxList'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

export default function InboxPage() {
  const { user } = useMe()
  const { open } = useDialogs()
  usePageTitle('Inbox')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="Inbox" line="What happened to your requests and offers">
        {user && (
          <Button variant="outline" onClick={() => open({ name: 'notices' })}>
            <Settings2 /> Notice Settings
          </Button>
        )}
      </PageHeading>
      <SignedIn>{() => <InboxList />}</SignedIn>
    </div>
  )
}
