import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Navigate } from 'react-router'
import { ApiError } from '@/api/client'
import { slipQuery } from '@/api/slips'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** Leads to the trade with one partner that waits longest: all others with them stand on its page. */
export function WithPartner({ partner }: { partner: number }) {
  const known = Number.isSafeInteger(partner) && partner > 0
  const query = useQuery({ ...slipQuery(partner), enabled: known })
  const { data, error } = query
  usePageTitle(t('slips_page_title'))
  if (!known || (error instanceof ApiError && error.isClientError)) return <NothingOpen name={data?.with.name} />
  if (error && !data) return <ErrorPanel text={t('slips_load_failed')} query={query} />
  const first = data?.lines.find((line) => line.handover.canSay) ?? data?.lines[0]
  if (first) return <Navigate replace to={`/trades/${first.handover.id}`} />
  return <Loading label={t('slips_loading')} boxes={['h-10', 'h-36', 'h-72']} />
}

function NothingOpen({ name }: { name: string | undefined }) {
  const { go } = useDialogs()
  return (
    <Suspense fallback={<div data-loading className="min-h-80" />}>
      <EmptyState
        heading="h1"
        drawing="stall"
        title={name ? t('slips_settled_with', { name }) : t('slips_nothing_open')}
        hint={t('slips_nothing_open_hint')}
        action={<Button onClick={() => go('/trades')}>{t('common_my_trades')}</Button>}
      />
    </Suspense>
  )
}
