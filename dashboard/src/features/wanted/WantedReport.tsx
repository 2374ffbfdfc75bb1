import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { wantedQuery } from '@/api/wanted'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { countOf, formatNumber } from '@/lib/format'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** What sellers could bring: what is wanted and not offered, what is filled fastest, and prices that moved. */
export function WantedReport() {
  const query = useQuery(wantedQuery)
  const { data, isPending, isError } = query
  const slow = useDelayed(isPending)
  if (isPending) return slow ? <Skeleton className="h-48" /> : null
  if (isError) return <ErrorPanel text="Failed to load the report. Please try again." query={query} />
  if (data.unmet.length + data.fastest.length + data.moved.length === 0) {
    return (
      <Suspense>
        <EmptyState
          drawing="lantern"
          title="Nothing to report this week"
          hint="Requests without offers, what is filled fastest and prices that move appear here."
        />
      </Suspense>
    )
  }
  return (
    <div className="grid gap-8">
      <Part title="Wanted and not offered" shown={data.unmet.length > 0}>
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
              <span className="block text-muted-foreground">{countOf(requests, 'request')}</span>
            </p>
          </li>
        ))}
      </Part>
      <Part title="Filled fastest this week" shown={data.fastest.length > 0}>
        {data.fastest.map(({ name, requests, medianSeconds }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 py-3 text-sm">
            <bdi className="min-w-32 flex-1 basis-auto font-medium wrap-anywhere">{name}</bdi>
            <span className="text-muted-foreground">
              {countOf(requests, 'request')}, half of them within {span(medianSeconds)}
            </span>
          </li>
        ))}
      </Part>
      <Part title="Prices that moved" shown={data.moved.length > 0}>
        {data.moved.map(({ name, before, now, percent }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 py-3 text-sm">
            <bdi className="min-w-32 flex-1 basis-auto font-medium wrap-anywhere">{name}</bdi>
            <span>
              <Amount value={before} /> <span aria-hidden="true">→</span>
              <span className="sr-only">to</span> <Amount value={now} />
            </span>
            <span className="tabular w-14 text-right text-muted-foreground">
              {percent > 0 && '+'}
              {percent}%
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
  if (minutes < 120) return countOf(minutes, 'minute')
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.ceil(hours / 24), 'day')
}
