import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { wantedQuery } from '@/api/wanted'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { formatNumber } from '@/lib/format'
import { itemAddress } from '@/lib/items'
import { lazy } from '@/lib/loaded'
import { categoryName, limits } from '@/lib/market'
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
                to={boardOf(category, toLevel)}
                className="touch inline-block font-medium text-sm hover:text-primary hover:underline"
              >
                {categoryName(category)}
                {fromLevel > 0 && ` ${fromLevel}–${toLevel}`}
              </PageLink>
              <ul className="flex flex-wrap gap-x-4 text-sm pointer-coarse:gap-y-1">
                {items.map((item) => (
                  <li key={item.name}>
                    <PageLink
                      to={addressOf(item)}
                      className="touch inline-block text-muted-foreground wrap-anywhere hover:text-primary hover:underline"
                    >
                      {`${formatNumber(item.quantity)} × ${item.name}`}
                    </PageLink>
                  </li>
                ))}
              </ul>
            </div>
            <p className="tabular text-right text-sm">
              <Amount value={value} />
              <span className="block text-muted-foreground">{t('common_request_count', { count: requests })}</span>
            </p>
          </li>
        ))}
      </Part>
      <Part title={t('wanted_fastest')} shown={data.fastest.length > 0}>
        {data.fastest.map(({ name, itemId, requests, medianSeconds }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 py-3 text-sm">
            <ItemName name={name} itemId={itemId} />
            <span className="text-muted-foreground">
              {t('wanted_fastest_within', { requests, time: span(medianSeconds) })}
            </span>
          </li>
        ))}
      </Part>
      <Part title={t('wanted_moved')} shown={data.moved.length > 0}>
        {data.moved.map(({ name, itemId, before, now, percent }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 py-3 text-sm">
            <ItemName name={name} itemId={itemId} />
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

const ItemName = (item: { name: string; itemId?: number }) => (
  <span className="min-w-32 flex-1 basis-auto">
    <PageLink
      to={addressOf(item)}
      className="touch inline-block font-medium wrap-anywhere hover:text-primary hover:underline"
    >
      <bdi>{item.name}</bdi>
    </PageLink>
  </span>
)

/** The page of an item, or the requests that name it where the catalogue does not have it. */
const addressOf = ({ name, itemId }: { name: string; itemId?: number }) =>
  itemId ? itemAddress({ id: itemId, name }) : `/?${new URLSearchParams({ q: name })}`

/** The requests of a profession that the levels of a band are enough for. */
const boardOf = (category: string, toLevel: number) =>
  `/?${new URLSearchParams({ category, ...(toLevel > 0 && { level: String(Math.min(toLevel, limits.level)) }) })}`

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
