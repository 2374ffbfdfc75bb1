import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { BrowseFilter, Sort } from '@/api/orders'
import type { Category, Importance } from '@/api/types'
import { parseCopper } from '@/lib/copper'
import { categories, importances, limits } from '@/lib/market'

export const sorts: readonly { value: Sort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'price', label: 'Best price for one' },
  { value: 'total', label: 'Best total value' },
  { value: 'ending', label: 'Ending soon' },
]

const names = ['category', 'q', 'importance', 'level', 'min', 'max', 'sort'] as const

/** Reads the board's filter out of an address. What makes no sense there is left out. */
export function filterAt(params: URLSearchParams): BrowseFilter {
  const category = categories.find((c) => c === params.get('category'))
  const importance = importances.filter((i) => params.getAll('importance').includes(i))
  const level = Number(params.get('level'))
  const sort = sorts.find((s) => s.value === params.get('sort'))?.value
  const coins = (name: string) => {
    const text = params.get(name) ?? ''
    return parseCopper(text).copper ? text : undefined
  }
  return prune({
    category: category as Category | undefined,
    q: params.get('q')?.slice(0, limits.itemName) || undefined,
    importance: importance.length > 0 ? (importance as Importance[]) : undefined,
    level: Number.isInteger(level) && level >= 1 && level <= limits.level ? level : undefined,
    min: coins('min'),
    max: coins('max'),
    sort: sort === 'newest' ? undefined : sort,
  })
}

/** Without its empty parts two equal filters have one name in the cache. */
function prune(filter: BrowseFilter): BrowseFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as BrowseFilter
}

function write(params: URLSearchParams, filter: BrowseFilter): URLSearchParams {
  const next = new URLSearchParams(params)
  // A change to the filter closes the sheet it was made in.
  for (const name of [...names, 'dialog']) next.delete(name)
  for (const [name, value] of Object.entries(filter)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one) next.append(name, String(one))
  }
  return next
}

/** The board's filter. It lives in the address, so that reload, back and a pasted link all show the same. */
export function useBrowseFilter() {
  const [params, setParams] = useSearchParams()
  // The same filter stays the same object while other parts of the address change.
  const text = JSON.stringify(filterAt(params))
  const filter = useMemo(() => JSON.parse(text) as BrowseFilter, [text])

  // The address changes at once, what React knows of it a moment later: two changes in that moment must both last.
  const change = useCallback(
    (changes: Partial<BrowseFilter>, { replace = false } = {}) => {
      const now = new URLSearchParams(window.location.search)
      setParams(write(now, prune({ ...filterAt(now), ...changes })), { replace })
    },
    [setParams],
  )
  return { filter, change }
}

/** How many conditions narrow the board, besides category and search. */
export function countConditions({ importance, level, min, max }: BrowseFilter): number {
  return (importance?.length ?? 0) + [level, min, max].filter(Boolean).length
}

export const cleared: Partial<BrowseFilter> = {
  category: undefined,
  q: undefined,
  importance: undefined,
  level: undefined,
  min: undefined,
  max: undefined,
}
