import { type ComponentProps, Suspense } from 'react'
import { countConditions } from '@/hooks/useBrowseFilter'
import { lazy } from '@/lib/loaded'
import type { ActiveFilters as Loaded } from './ActiveFilters'

const ActiveFilters = lazy(() => import('./ActiveFilters').then((m) => ({ default: m.ActiveFilters })))

/** Loads the row of active filters with the first of them. */
export function LazyActiveFilters(props: ComponentProps<typeof Loaded>) {
  const { filter } = props
  if (!filter.q && !filter.for && countConditions(filter) === 0) return null
  return (
    <Suspense fallback={<div className="h-8" />}>
      <ActiveFilters {...props} />
    </Suspense>
  )
}
