import { lazy, Suspense } from 'react'
import { NavLink, useSearchParams } from 'react-router'
import { Button } from '@/components/ui/button'
import { OwnOrders } from '@/features/orders/OwnOrders'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { cn } from '@/lib/cn'
import { countOf, formatNumber } from '@/lib/format'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The reader's requests that are on the board, and those that have expired and wait to be renewed. */
export default function MinePage() {
  const { user, counts, isPending } = useMe()
  const [params] = useSearchParams()
  const expired = params.get('show') === 'expired'
  usePageTitle('My Requests')
  const line = expired ? countOf(counts.expired, 'expired request') : countOf(counts.active, 'active request')
  return (
    <>
      <PageHeading title="My Requests" line={user ? `Showing ${line}` : ''}>
        {(user || isPending) && (
          <nav aria-label="My requests" className="flex rounded-md bg-muted p-1">
            <Part to="/mine" chosen={!expired} label="Active" count={counts.active} />
            <Part to="/mine?show=expired" chosen={expired} label="Expired" count={counts.expired} />
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

function Part({ to, chosen, label, count }: { to: string; chosen: boolean; label: string; count: number }) {
  return (
    <NavLink
      to={to}
      aria-current={chosen ? 'page' : undefined}
      className={cn(
        'touch inline-flex h-8 items-center gap-1.5 rounded-sm px-3 text-sm transition-colors',
        chosen ? 'bg-card font-medium shadow-card' : 'text-muted-foreground hover:text-foreground',
      )}
    >
      {label} <span className="tabular text-muted-foreground text-xs">{formatNumber(count)}</span>
    </NavLink>
  )
}

function NonePosted() {
  const { open } = useDialogs()
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState
        drawing="signpost"
        title="No requests posted yet"
        hint="Say what you need and what you pay for it; sellers come to you."
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
        hint="A request is shown for a year. Here it can be put back on the board for another one."
      />
    </Suspense>
  )
}
