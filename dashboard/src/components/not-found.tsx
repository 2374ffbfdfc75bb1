import { Suspense } from 'react'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { Button } from './ui/button'

const EmptyState = lazy(() => import('./empty-state'))

type Props = { title: string; hint: string; to?: string; label?: string }

/** In place of a page with nothing to show: why, and where to go. */
export function NotFound({ title, hint, to, label = t('common_browse_requests') }: Props) {
  const { go } = useDialogs()
  const board = useBoardAddress()
  usePageTitle(title)
  return (
    <Suspense fallback={<div data-loading className="min-h-80" />}>
      <EmptyState
        heading="h1"
        drawing="lantern"
        title={title}
        hint={hint}
        action={<Button onClick={() => go(to ?? board)}>{label}</Button>}
      />
    </Suspense>
  )
}
