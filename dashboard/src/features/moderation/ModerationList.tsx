import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { useDelayed } from '@/hooks/useDelayed'

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

/** A case that is decided goes, with the button that had the focus: it goes to the page's content then. */
function useFocusInPage(rows: number | undefined) {
  const list = useRef<HTMLDivElement>(null)
  const inside = useRef(false)
  useEffect(() => {
    const element = list.current
    const note = () => {
      inside.current = true
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a row has gone
  useEffect(() => {
    if (inside.current && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true })
  }, [rows])
  return list
}

/** A paginated list for moderators, with loading, error and empty states. */
export function ModerationList<T>({ query, rows, label, loading, failure, empty, hint, children }: Props<T>) {
  const list = useFocusInPage(rows?.length)
  const slow = useDelayed(query.isPending)
  if (query.isPending)
    return slow ? <Loading label={loading} boxes={Array<string>(3).fill('h-28')} className="gap-px" /> : null
  if (query.isError || !rows) {
    return <ErrorPanel text={failure} query={query} />
  }
  if (rows.length === 0) {
    return (
      <Suspense>
        <EmptyState drawing="lantern" title={empty} hint={hint} />
      </Suspense>
    )
  }
  return (
    <div ref={list}>
      <ul aria-label={label} className="divide-y overflow-hidden rounded-lg border bg-card">
        {rows.map(children)}
      </ul>
      <MoreButton pages={query} />
    </div>
  )
}
