import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { wantedQuery } from '@/api/wanted'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** What sellers could bring: what is wanted and not offered, what is filled fastest, and prices that moved. */
export function WantedReport() {
  const query = useQuery(wantedQuery)
  const { data, isPending, isError } = query
  const slow = useDelayed(isPending)
  if (isPending) return slow ? <Skeleton className="h-48" /> : null
  if (isError) return <ErrorPanel text={t('wanted_load_failed')} query={query} />
  if (data.unmet.length + data.fastest.length + data.moved.length === 0) {
    return (
      <Suspense>
        <EmptyState drawing="lantern" title={t('wanted_nothing')} hint={t('wanted_nothing_hint')} />
      </Suspense>
    )
  }
  return (
    <div className="grid gap-8">
      <Part title={t('wanted_unmet')} shown={data.unmet.length > 0}>
        {data.unmet.map(({ category, fromLevel, toLevel, requests, value, items }) => (
          <li key={`${category} ${fromLevel}`} className="flex items-start gap-3 py-3">
            <CategoryIcon category={category} className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
            <div className="min-w-0 flex-1">
              <PageLink
                to={`/?${new URLSearchParams({ category })}`}
                className="touch inline-block font-medium text-sm hover:underline"
              >
                {category}
                {fromLevel > 0 && ` ${fromLevel}–${toLevel}`}
              </PageLink>
              <p className="text-muted-foreground text-sm">
                {items.map(({ name, quantity }) => `${formatNumber(quantity)} × ${name}`).join(', ')}
              </p>
            </div>
            <p className="tabular text-right text-sm">
              <Amount value={value} />
              <span className="block text-muted-foreground">{t('common_request_count', { count: requests })}</span>
            </p>
          </li>
        ))}
      </Part>
      <Part title={t('wanted_fastest')} shown={data.fastest.length > 0}>
        {data.fastest.map(({ name, requests, medianSeconds }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 py-3 text-sm">
            <bdi className="min-w-32 flex-1 basis-auto font-medium wrap-anywhere">{name}</bdi>
            <span className="text-muted-foreground">
              {t('wanted_fastest_within', { requests, time: span(medianSeconds) })}
            </span>
          </li>
        ))}
      </Part>
      <Part title={t('wanted_moved')} shown={data.moved.length > 0}>
        {data.moved.map(({ name, before, now, percent }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 py-3 text-sm">
            <bdi className="min-w-32 flex-1 basis-auto font-medium wrap-anywhere">{name}</bdi>
            <span>
              {rich('wanted_from_to', {
                before: <Amount value={before} />,
                arrow: (text) => <span aria-hidden="true">{text}</span>,
                hidden: (text) => <span className="sr-only">{text}</span>,
                now: <Amount value={now} />,
              })}
            </span>
            <span className="tabular w-14 text-right text-muted-foreground">
              {t('wanted_percent', { percent: `${percent > 0 ? '+' : ''}${percent}` })}
            </span>
          </li>
        ))}
      </Part>
    </div>
  )
}

function Part({ title, shown, children }: { title: string; shown: boolean; children: ReactNode }) {
  if (!shown) return null
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-lg">{title}</h2>
      <ul className="grid divide-y border-y">{children}</ul>
    </section>
  )
}

/** A length of time in whole minutes, hours or days, rounded up. */
function span(seconds: number): string {
  const minutes = Math.max(Math.ceil(seconds / 60), 1)
  if (minutes < 120) return t('wanted_minutes', { count: minutes })
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? t('wanted_hours', { count: hours }) : t('wanted_days', { count: Math.ceil(hours / 24) })
}
