import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/components/ui/button'
import { OwnOrders } from '@/features/orders/board/OwnOrders'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { countOf } from '@/lib/format'
import { ListPart } from '../ListPart'
import { PageHeading } from '../PageHeading'
import { RequestsSwitch } from '../RequestsSwitch'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The user's active requests, and expired ones that can be renewed. */
export default function MinePage() {
  const { user, counts, isPending } = useMe()
  const [params] = useSearchParams()
  const expired = params.get('show') === 'expired'
  usePageTitle('My Requests')
  const line = expired ? countOf(counts.expired, 'expired request') : countOf(counts.active, 'active request')
  return (
    <>
      <PageHeading title="My Requests" line={user ? `Showing ${line}` : ''}>
        <RequestsSwitch />
        {(user || isPending) && (
          <nav aria-label="My requests" className="flex rounded-md bg-muted p-1">
            <ListPart to="/mine" chosen={!expired} label="Active" count={counts.active} />
            <ListPart to="/mine?show=expired" chosen={expired} label="Expired" count={counts.expired} />
          </nav>
        )}
      </PageHeading>
      <SignedIn>
        {(user) =>
          expired ? (
            <OwnOrders
              key="expired"
              status="expired"
              viewerId={user.id}
              label="My expired requests"
              empty={<NoneExpired />}
            />
          ) : (
            <OwnOrders key="active" status="active" viewerId={user.id} label="My requests" empty={<NonePosted />} />
          )
        }
      </SignedIn>
    </>
  )
}

function NonePosted() {
  const { open } = useDialogs()
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState
        drawing="signpost"
        title="No requests posted yet"
        hint="Tell sellers what you need and what you'll pay."
        action={<Button onClick={() => open({ name: 'post' })}>Post Your First Request</Button>}
      />
    </Suspense>
  )
}

function NoneExpired() {
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState
        drawing="lantern"
        title="No expired requests"
        hint="Requests stay on the board for a year. After that you can renew them here."
      />
    </Suspense>
  )
}
