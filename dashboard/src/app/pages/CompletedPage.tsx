import { lazy, Suspense } from 'react'
import { OwnOrders } from '@/features/orders/OwnOrders'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { countOf } from '@/lib/format'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The reader's requests that were filled or closed. */
export default function CompletedPage() {
  const { counts, isPending } = useMe()
  usePageTitle('Completed')
  return (
    <>
      <PageHeading
        title="Completed"
        line={isPending ? '' : `Showing ${countOf(counts.fulfilled, 'completed request')}`}
      />
      <SignedIn>
        {(user) => <OwnOrders status="fulfilled" viewerId={user.id} label="Completed requests" empty={<None />} />}
      </SignedIn>
    </>
  )
}

function None() {
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState
        drawing="chest"
        title="No completed requests yet"
        hint="What has been filled or closed is kept here, with what really became of it."
      />
    </Suspense>
  )
}
