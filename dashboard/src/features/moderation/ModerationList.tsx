import { type ReactNode, Suspense } from 'react'
import { ErrorPanel } from '@/components/error-panel'
import { useKeptFocus } from '@/components/kept-focus'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { useDelayed } from '@/hooks/useDelayed'
import { lazy } from '@/lib/loaded'

const EmptyState = lazy(() => import('@/components/empty-state'))

type Query = {
  isPending: boolean
  isError: boolean
  isFetching: boolean
  refetch: () => unknown
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?: () => unknown
}

type Props<T> = {
  query: Query
  rows: T[] | undefined
  label: string
  loading: string
  failure: string
  empty: string
  hint: string
  children: (row: T) => ReactNode
}

/** A paginated list for moderators, with loading, error and empty states. When a decided case goes, the focus goes to what is left. */
export function ModerationList<T>({ query, rows, label, loading, failure, empty, hint, children }: Props<T>) {
  const focus = useKeptFocus()
  const slow = useDelayed(query.isPending)
  if (query.isPending)
    return slow ? <Loading label={loading} boxes={Array<string>(3).fill('h-28')} className="gap-px" /> : null
  if (query.isError || !rows) {
    return <ErrorPanel text={failure} query={query} />
  }
  return (
    <div {...focus} tabIndex={-1} className="outline-none">
      {rows.length === 0 ? (
        <Suspense>
          <EmptyState drawing="lantern" title={empty} hint={hint} />
        </Suspense>
      ) : (
        <>
          <ul aria-label={label} className="divide-y overflow-hidden rounded-lg border bg-card">
            {rows.map(children)}
          </ul>
          <MoreButton pages={query} />
        </>
      )}
    </div>
  )
}
