import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { type CatalogueFilter, catalogueQuery, type ItemSort } from '@/api/items'
import Choice from '@/components/choice'
import { ErrorPanel } from '@/components/error-panel'
import { Field } from '@/components/labelled-field'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { Button } from '@/components/ui/button'
import { useDelayed } from '@/hooks/useDelayed'
import { usePhone } from '@/hooks/usePhone'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { ItemFilters } from './ItemFilters'
import { ItemRows, ItemTable } from './ItemTable'
import { defaultSort, sortAt, sortsShown } from './sorts'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The items that match a filter, the most wanted first. Filter and sort are in the address. */
export function ItemList() {
  const [params, setParams] = useSearchParams()
  const filter = filterAt(params)
  const sort = sortAt(params.get('sort'))
  const phone = usePhone()
  const query = useInfiniteQuery({ ...catalogueQuery({ ...filter, sort }), placeholderData: keepPreviousData })
  const slow = useDelayed(query.isPending)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []

  const changeSort = (sort: ItemSort) => change({ sort: sort === defaultSort ? undefined : sort })

  function change(changes: CatalogueFilter & { sort?: ItemSort }) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, String(value))
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  }

  return (
    <>
      <ItemFilters filter={filter} onChange={change}>
        {phone && (
          <Field label={t('items_sort')}>
            {(control) => (
              <Choice
                {...control}
                className="w-full pointer-coarse:h-11"
                options={sortsShown()}
                value={sort}
                onValue={(chosen) => changeSort(chosen as ItemSort)}
              />
            )}
          </Field>
        )}
      </ItemFilters>
      {query.isPending ? (
        slow && (
          <Loading label={t('items_loading')} boxes={Array<string>(10).fill('h-11 max-sm:h-16')} className="gap-px" />
        )
      ) : query.isError ? (
        <ErrorPanel text={t('items_failed_to_load')} query={query} />
      ) : items.length === 0 ? (
        <Suspense fallback={<div data-loading className="min-h-80" />}>
          <NoItems filtered={Object.values(filter).some(Boolean)} onClear={() => setParams({}, { replace: true })} />
        </Suspense>
      ) : (
        <>
          {phone ? <ItemRows items={items} /> : <ItemTable items={items} sort={sort} onSort={changeSort} />}
          <MoreButton pages={query} className="pointer-coarse:h-11" />
        </>
      )}
    </>
  )
}

/** Reads the filter of an address. What makes no sense in it is left out. */
function filterAt(params: URLSearchParams): CatalogueFilter {
  const level = Number(params.get('level'))
  return {
    q: params.get('q')?.slice(0, 100) || undefined,
    profession: params.get('profession')?.slice(0, 40) || undefined,
    level: Number.isInteger(level) && level > 0 && level <= 100_000 ? level : undefined,
  }
}

function NoItems({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return <EmptyState drawing="chest" title={t('items_none')} hint={t('items_none_hint')} />
  }
  return (
    <EmptyState
      drawing="lantern"
      title={t('items_no_match')}
      hint={t('items_no_match_hint')}
      action={
        <Button variant="outline" onClick={onClear}>
          {t('items_clear_filters')}
        </Button>
      }
    />
  )
}
