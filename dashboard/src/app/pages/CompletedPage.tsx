import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { OwnOrders } from '@/features/orders/board/OwnOrders'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { countOf } from '@/lib/format'
import { ListPart } from '../ListPart'
import { PageHeading } from '../PageHeading'
import { RequestsSwitch } from '../RequestsSwitch'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The user's filled and closed requests, and the archive of older ones. */
export default function CompletedPage() {
  const { user, counts, isPending } = useMe()
  const [params] = useSearchParams()
  const archived = params.get('show') === 'archived'
  usePageTitle('Completed')
  const line = archived ? countOf(counts.archived, 'archived request') : countOf(counts.fulfilled, 'completed request')
  return (
    <>
      <PageHeading title="Completed" line={isPending ? '' : `Showing ${line}`}>
        <RequestsSwitch />
        {user && (archived || counts.archived > 0) && (
          <nav aria-label="Completed requests" className="flex rounded-md bg-muted p-1">
            <ListPart to="/completed" chosen={!archived} label="Recent" count={counts.fulfilled} />
            <ListPart to="/completed?show=archived" chosen={archived} label="Archive" count={counts.archived} />
          </nav>
        )}
      </PageHeading>
      <SignedIn>
        {(user) =>
          archived ? (
            <OwnOrders
              key="archived"
              status="archived"
              viewerId={user.id}
              label="Archived requests"
              empty={
                <None
                  title="No archived requests"
                  hint="Completed requests move here after a while. You can still read and delete them."
                />
              }
            />
          ) : (
            <OwnOrders
              key="fulfilled"
              status="fulfilled"
              viewerId={user.id}
              label="Completed requests"
              empty={<None title="No completed requests yet" hint="Requests that were filled or closed appear here." />}
            />
          )
        }
      </SignedIn>
    </>
  )
}

function None({ title, hint }: { title: string; hint: string }) {
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState drawing="chest" title={title} hint={hint} />
    </Suspense>
  )
}
