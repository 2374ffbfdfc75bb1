import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { disputesQuery } from '@/api/handovers'
import { reportsQuery } from '@/api/moderation'
import { AuditLog } from '@/features/moderation/AuditLog'
import { BlockedUsers } from '@/features/moderation/BlockedUsers'
import { NewNames } from '@/features/moderation/NewNames'
import { Reports } from '@/features/moderation/Reports'
import { Rings } from '@/features/moderation/Rings'
import { VisitorOffers } from '@/features/moderation/VisitorOffers'
import { usePageTitle } from '@/hooks/usePageTitle'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { useScrollChosenIntoView } from '@/hooks/useScrollChosenIntoView'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

const Disputes = lazy(() => import('@/features/moderation/Disputes'))
const ProgramsTrade = lazy(() => import('@/features/moderation/ProgramsTrade'))
const Webhooks = lazy(() => import('@/features/session/Webhooks'))
const Reach = lazy(() => import('@/features/moderation/Reach'))
const YoungMarket = lazy(() => import('@/features/moderation/YoungMarket'))

type Part = { show: string; label: string; page: ComponentType; of?: Parameters<typeof isOn>[0] }

const first: Part = { show: '', label: t('pages_mod_reports'), page: Reports }

const parts: Part[] = [
  first,
  { show: 'disputes', label: t('pages_mod_disputes'), page: Disputes, of: 'handover' },
  { show: 'blocked', label: t('pages_mod_blocked'), page: BlockedUsers },
  { show: 'names', label: t('pages_mod_new_names'), page: NewNames, of: 'items' },
  { show: 'vouch', label: t('pages_mod_vouch'), page: YoungMarket },
  { show: 'rings', label: t('pages_mod_rings'), page: Rings, of: 'prices' },
  { show: 'reach', label: t('pages_mod_reach'), page: Reach },
  { show: 'log', label: t('pages_mod_log'), page: AuditLog },
]

/** The moderators' page: reports, blocked users and the audit log. */
export default function ModerationPage() {
  const [params] = useSearchParams()
  const shown = parts.filter(({ of }) => !of || isOn(of))
  const chosen = shown.find((part) => part.show === params.get('show')) ?? first
  usePageTitle(t('common_moderation'))
  return (
    <div className="mx-auto max-w-3xl">
      <SignedIn>
        {(user) =>
          user.moderator ? (
            <>
              <PageHeading title={t('common_moderation')} line={t('pages_mod_line')}>
                <Parts shown={shown} chosen={chosen} />
              </PageHeading>
              {/* The room of a few cases: what is below them stays where it is while they load. */}
              <div className="min-h-80">
                <Suspense fallback={<div data-loading />}>
                  <chosen.page />
                </Suspense>
              </div>
              {/* What waits stands first, and below it what is seldom changed. */}
              <div className="mt-4">
                <VisitorOffers />
                {isOn('tokens') && (
                  <Suspense fallback={<div data-loading />}>
                    <ProgramsTrade />
                  </Suspense>
                )}
              </div>
              {isOn('webhooks') && (
                <Suspense fallback={<div data-loading />}>
                  <div className="mt-4 rounded-lg border bg-card px-4 py-3">
                    <Webhooks market />
                  </div>
                </Suspense>
              )}
            </>
          ) : (
            <Suspense fallback={<div data-loading className="min-h-80" />}>
              <EmptyState heading="h1" drawing="signpost" title={t('pages_mod_only')} hint={t('pages_mod_only_hint')} />
            </Suspense>
          )
        }
      </SignedIn>
    </div>
  )
}

/** How many cases wait in each part; a part whose next page is not loaded has more. */
function useWaiting(): Record<string, string> {
  const { data: reports } = useInfiniteQuery(reportsQuery)
  const { data: disputes } = useInfiniteQuery({ ...disputesQuery, enabled: isOn('handover') })
  const said = (n = 0, more?: string | null) => (n > 0 ? `${formatNumber(n)}${more ? '+' : ''}` : '')
  return {
    [first.show]: said(reports?.pages.flatMap((page) => page.reports).length, reports?.pages.at(-1)?.nextCursor),
    disputes: said(disputes?.pages.flatMap((page) => page.disputes).length, disputes?.pages.at(-1)?.nextCursor),
  }
}

function Parts({ shown, chosen }: { shown: Part[]; chosen: Part }) {
  const row = useRef<HTMLElement>(null)
  const roving = useRovingFocus(row)
  const waiting = useWaiting()
  useScrollChosenIntoView(row, '[aria-current]', chosen.show)
  return (
    <nav
      ref={row}
      {...roving}
      aria-label={t('common_moderation')}
      className="flex max-w-full overflow-x-auto rounded-md bg-muted p-1"
    >
      {shown.map(({ show, label }) => (
        <Link
          key={label}
          to={show ? `/moderation?show=${show}` : '/moderation'}
          aria-current={show === chosen.show ? 'page' : undefined}
          className={cn(
            'touch inline-flex h-8 shrink-0 items-center gap-1.5 rounded-sm px-3 text-sm transition-colors',
            show === chosen.show
              ? 'bg-card font-medium shadow-card dark:bg-accent dark:text-accent-foreground'
              : 'text-muted-foreground hover:text-foreground',
          )}
        >
          {label}
          {waiting[show] && (
            <span className="tabular rounded-full bg-primary px-1.5 font-semibold text-primary-foreground text-xs">
              {waiting[show]}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
