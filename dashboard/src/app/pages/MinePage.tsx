import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/components/ui/button'
import { OwnOrders } from '@/features/orders/board/OwnOrders'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { RequestsTabs } from '../PlaceTabs'
import { SignedIn } from '../SignedIn'

const AsksMade = lazy(() => import('@/features/listings/AsksMade'))
const EmptyState = lazy(() => import('@/components/empty-state'))

/** The user's active requests, and expired ones that can be renewed. */
export default function MinePage() {
  const { user, counts } = useMe()
  const [params] = useSearchParams()
  const expired = params.get('show') === 'expired'
  usePageTitle(t('common_my_requests'))
  const count = expired
    ? t('pages_showing_expired', { count: counts.expired })
    : t('pages_showing', { count: counts.active })
  return (
    <>
      <RequestsTabs chosen={expired ? '/mine?show=expired' : '/mine'} />
      <PageHeading title={t('common_my_requests')} line={t('pages_mine_line')} count={user ? count : ''} />
      <SignedIn>
        {(user) =>
          expired ? (
            <OwnOrders
              key="expired"
              status="expired"
              viewerId={user.id}
              label={t('pages_my_expired')}
              empty={<NoneExpired />}
            />
          ) : (
            <>
              {isOn('listings') && (
                <Suspense fallback={<i data-loading hidden />}>
                  <AsksMade />
                </Suspense>
              )}
              <OwnOrders
                key="active"
                status="active"
                viewerId={user.id}
                label={t('pages_my_requests')}
                empty={<NonePosted />}
              />
            </>
          )
        }
      </SignedIn>
    </>
  )
}

function NonePosted() {
  const { open } = useDialogs()
  return (
    <Suspense fallback={<div data-loading className="min-h-80" />}>
      <EmptyState
        drawing="signpost"
        title={t('pages_none_posted')}
        hint={t('pages_none_posted_hint')}
        action={<Button onClick={() => open({ name: 'post' })}>{t('pages_post_first')}</Button>}
      />
    </Suspense>
  )
}

function NoneExpired() {
  return (
    <Suspense fallback={<div data-loading className="min-h-80" />}>
      <EmptyState drawing="lantern" title={t('pages_none_expired')} hint={t('pages_none_expired_hint')} />
    </Suspense>
  )
}
