import { Suspense } from 'react'
import { Operation } from '@/features/operation/Operation'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The operators' page: how the market's machine is. */
export default function OperationPage() {
  usePageTitle(t('common_operation'))
  return (
    <div className="mx-auto max-w-3xl">
      <SignedIn>
        {(user) =>
          user.operator ? (
            <>
              <PageHeading title={t('common_operation')} line={t('operation_line')} />
              <Operation />
            </>
          ) : (
            <Suspense fallback={<div data-loading className="min-h-80" />}>
              <EmptyState heading="h1" drawing="signpost" title={t('operation_only')} hint={t('operation_only_hint')} />
            </Suspense>
          )
        }
      </SignedIn>
    </div>
  )
}
