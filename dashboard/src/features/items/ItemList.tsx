import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { type CatalogueFilter, catalogueQuery } from '@/api/items'
import type { Item } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Button } from '@/components/ui/button'
import { useDelayed } from '@/hooks/useDelayed'
import { itemAddress } from '@/lib/items'
import { rich, t } from '@/lib/texts'
import { ItemFilters } from './ItemFilters'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The items that match a filter, which is in the address. */
export function ItemList() {
  const [params, setParams] = useSearchParams()
  const filter = filterAt(params)
  const query = useInfiniteQuery({ ...catalogueQuery(filter), placeholderData: keepPreviousData })
  const slow = useDelayed(query.isPending)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []

  function change(changes: CatalogueFilter) {
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
      <ItemFilters filter={filter} onChange={change} />
      {query.isPending ? (
        slow && <Loading label={t('items_loading')} boxes={Array<string>(6).fill('h-16')} className="gap-px" />
      ) : query.isError ? (
        <ErrorPanel text={t('items_failed_to_load')} query={query} />
      ) : items.length === 0 ? (
        <Suspense fallback={<div className="min-h-80" />}>
          <NoItems filtered={Object.values(filter).some(Boolean)} onClear={() => setParams({}, { replace: true })} />
        </Suspense>
      ) : (
        <>
          <ul aria-label={t('common_items')} className="divide-y overflow-hidden rounded-lg border bg-card">
            {items.map((item) => (
              <ItemRow key={item.id} item={item} />
            ))}
          </ul>
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

function ItemRow({ item }: { item: Item }) {
  return (
    <li className="relative grid gap-x-4 px-4 py-2.5 hover:bg-muted/50 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <h2 className="text-base">
          <PageLink
            dir="auto"
            to={itemAddress(item)}
            className="wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
          >
            {item.name}
          </PageLink>
        </h2>
        <p dir="auto" className="truncate text-muted-foreground text-sm">
          {[item.kind !== item.name && item.kind, item.region].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className="tabular flex flex-wrap items-center gap-1.5 text-muted-foreground text-sm sm:justify-end">
        {item.provisional && <Tag>{t('items_not_confirmed')}</Tag>}
        {item.madeBy.map((profession) => (
          <Tag key={profession} tone="outline">
            <CategoryIcon category={profession} />
            {rich('items_row_made_by', {
              profession: `${profession}${item.madeAtLevel ? ` ${item.madeAtLevel}` : ''}`,
              hidden: (text) => <span className="sr-only">{text}</span>,
            })}
          </Tag>
        ))}
        {item.usedBy.length > 0 && <span>{t('items_row_used_by', { professions: item.usedBy.join(', ') })}</span>}
      </p>
    </li>
  )
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
