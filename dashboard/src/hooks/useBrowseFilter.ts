import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { BrowseFilter, Sort } from '@/api/filter'
import type { Category, Importance } from '@/api/types'
import { parseCopper } from '@/lib/copper'
import { mapFilterTexts } from '@/lib/fields'
import { categories, importances, limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

export const sorts: readonly { value: Sort; label: string }[] = [
  { value: 'newest', label: t('lib_sort_newest') },
  { value: 'price', label: t('lib_sort_price') },
  { value: 'total', label: t('lib_sort_total') },
  { value: 'ending', label: t('lib_sort_ending') },
]

/** The sorts of what a reader can fill, of which the first is the usual one. */
export const fillSorts = [{ value: 'earnings', label: t('lib_sort_earnings') }, ...sorts] as const

// Without a part of the filter, this does not compile.
const empty = {
  ...mapFilterTexts({}, () => undefined),
  category: undefined,
  q: undefined,
  importance: undefined,
  level: undefined,
  min: undefined,
  max: undefined,
  sort: undefined,
  for: undefined,
} satisfies Record<keyof BrowseFilter, undefined>

const names = Object.keys(empty)

/** Parses the board's filter from a URL. Invalid values are ignored. */
export function filterAt(params: URLSearchParams): BrowseFilter {
  const category = categories.filter((c) => params.getAll('category').includes(c))
  const importance = importances.filter((i) => params.getAll('importance').includes(i))
  const level = Number(params.get('level'))
  const sort = sorts.find((s) => s.value === params.get('sort'))?.value
  const ranked = params.get('for') === 'me' && isOn('stock') // by earnings
  const coins = (name: string) => {
    const text = params.get(name) ?? ''
    return parseCopper(text).copper ? text : undefined
  }
  return prune({
    ...mapFilterTexts(Object.fromEntries(params), (text, limit) => text.slice(0, limit) || undefined),
    category: category.length > 0 ? (category as Category[]) : undefined,
    q: params.get('q')?.slice(0, limits.itemName) || undefined,
    importance: importance.length > 0 ? (importance as Importance[]) : undefined,
    level: Number.isInteger(level) && level >= 1 && level <= limits.level ? level : undefined,
    min: coins('min'),
    max: coins('max'),
    sort: sort === 'newest' && !ranked ? undefined : sort,
    for: params.get('for') === 'me' ? ('me' as const) : undefined,
  } satisfies Record<keyof BrowseFilter, unknown>)
}

/** Removes empty parts, so that equal filters share a cache key. */
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

/** The board's filter. It is stored in the URL, so that reload, back and a shared link show the same. */
export function useBrowseFilter() {
  const { search } = useLocation()
  const navigate = useNavigate() // which keeps its identity, too
  // The filter keeps its identity while other parts of the URL change.
  const text = JSON.stringify(filterAt(new URLSearchParams(search)))
  const filter = useMemo(() => JSON.parse(text) as BrowseFilter, [text])

  // The URL changes immediately, the React state a moment later: two changes in between must both apply.
  const change = useCallback(
    (changes: Partial<BrowseFilter>, { replace = false } = {}) => {
      const now = new URLSearchParams(window.location.search)
      navigate({ search: String(write(now, prune({ ...filterAt(now), ...changes }))) }, { replace })
    },
    [navigate],
  )
  return { filter, change }
}

/** Counts the active filters, besides category and search. */
export function countConditions({ category, q, sort, importance, for: forMe, ...others }: BrowseFilter): number {
  return (importance?.length ?? 0) + Object.values(others).filter(Boolean).length
}

/** Whether a filter asks for categories at most: only then is it counted how many each has. */
export const isWholeBoard = ({ q, for: forMe, ...filter }: BrowseFilter): boolean =>
  !q && !forMe && countConditions(filter) === 0

/** Clears every filter; the sort order stays. */
export const cleared: Partial<BrowseFilter> = (({ sort, ...filters }) => filters)(empty)
