import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { usePageTitle } from '@/hooks/usePageTitle'

export default function NotFoundPage() {
  const { go } = useDialogs()
  usePageTitle('Page not found')
  return (
    <EmptyState
      heading="h1"
      drawing="lantern"
      title="Page not found"
      action={<Button onClick={() => go('/')}>Browse Requests</Button>}
    />
  )
}
