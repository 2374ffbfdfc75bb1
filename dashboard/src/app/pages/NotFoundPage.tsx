import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { usePageTitle } from '@/hooks/usePageTitle'

export default function NotFoundPage() {
  const { go } = useDialogs()
  const board = useBoardAddress()
  usePageTitle('Page not found')
  return (
    <EmptyState
      heading="h1"
      drawing="lantern"
      title="Page not found"
      action={<Button onClick={() => go(board)}>Browse Requests</Button>}
    />
  )
}
