import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { usePageTitle } from '@/hooks/usePageTitle'

export default function NotFoundPage() {
  const { go } = useDialogs()
  usePageTitle('Not here')
  return (
    <EmptyState
      heading="h1"
      drawing="lantern"
      title="There is nothing at this address"
      action={<Button onClick={() => go('/')}>Browse Requests</Button>}
    />
  )
}
