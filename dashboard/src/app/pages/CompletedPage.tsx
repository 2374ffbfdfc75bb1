import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { OwnOrders } from '@/features/orders/board/OwnOrders'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { ListPart } from '../ListPart'
import { PageHeading } from '../PageHeading'
import { RequestsTabs } from '../PlaceTabs'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The user's filled and closed requests, and the archive of older ones. */
export default function CompletedPage() {
  const { user, counts, isPending } = useMe()
  const [params] = useSearchParams()
  const archived = params.get('show') === 'archived'
  usePageTitle(t('common_completed'))
  const count = archived
    ? t('pages_showing_archived', { count: counts.archived })
    : t('pages_showing_completed', { count: counts.fulfilled })
  return (
    <>
      <div className="sm:hidden">
        <RequestsTabs chosen="/completed" />
      </div>
      <PageHeading title={t('common_completed')} line={t('pages_completed_line')} count={isPending ? '' : count}>
        {user && (archived || counts.archived > 0) && (
          <nav aria-label={t('pages_completed_requests')} className="flex rounded-md bg-muted p-1">
            <ListPart to="/completed" chosen={!archived} label={t('pages_recent')} count={counts.fulfilled} />
            <ListPart
              to="/completed?show=archived"
              chosen={archived}
              label={t('pages_archive')}
              count={counts.archived}
            />
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
              label={t('pages_archived_requests')}
              empty={<None title={t('pages_no_archived')} hint={t('pages_no_archived_hint')} />}
            />
          ) : (
            <OwnOrders
              key="fulfilled"
              status="fulfilled"
              viewerId={user.id}
              label={t('pages_completed_requests')}
              empty={<None title={t('pages_no_completed')} hint={t('pages_no_completed_hint')} />}
            />
          )
        }
      </SignedIn>
    </>
  )
}

function None({ title, hint }: { title: string; hint: string }) {
  return (
    <Suspense fallback={<div data-loading className="min-h-80" />}>
      <EmptyState drawing="chest" title={title} hint={hint} />
    </Suspense>
  )
}
