import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { browserSearches } from '@/api/browserSearches'
import type { BrowseFilter } from '@/api/filter'
import { keys } from '@/api/keys'
import { countsQuery } from '@/api/orders'
import { OpeningFrame } from '@/components/opening-frame'
import { Button } from '@/components/ui/button'
import { SearchesMenu } from '@/features/finding/LazySearchesMenu'
import { Board, BoardSkeleton, prefetchView, useBoardTotal } from '@/features/orders/board/Board'
import { CategoryChips } from '@/features/orders/board/CategoryChips'
import { LazyActiveFilters } from '@/features/orders/board/LazyActiveFilters'
import { SearchField } from '@/features/orders/board/SearchField'
import { SortSelect } from '@/features/orders/board/SortSelect'
import { ViewSwitch } from '@/features/orders/board/ViewSwitch'
import { useBoardView } from '@/hooks/useBoardView'
import { countConditions, isWholeBoard, useBrowseFilter } from '@/hooks/useBrowseFilter'
import { dialogAt, useDialogs } from '@/hooks/useDialogs'
import { useForMe } from '@/hooks/useForMe'
import { useMe } from '@/hooks/useMe'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { usePageTitle } from '@/hooks/usePageTitle'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { rememberForMe } from '@/lib/finding'
import { formatNumber, joinAnd } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { categoryName } from '@/lib/market'
import { isOn, site } from '@/lib/site'
import { t } from '@/lib/texts'

const KeepInAccount = lazy(() => import('@/features/finding/KeepInAccount'))
const SaveBoard = lazy(async () => ({ default: (await import('@/features/finding/SaveButton')).SaveBoard }))
const FilterFields = lazy(() => import('@/features/orders/board/FilterFields'))
const BrowseSides = lazy(() => import('./BrowseSides'))
const FilterSheet = lazy(() => import('@/features/orders/board/FilterSheet'))

/** The board: every open request, with search, categories and filters. */
export default function BrowsePage() {
  const queryClient = useQueryClient()
  const { filter, change } = useBrowseFilter()
  const { user } = useMe()
  const forMe = useForMe(filter, change)
  const { applied } = forMe
  const counted = isWholeBoard(applied) && !forMe.waits
  const { data: counts, isLoading: counting } = useQuery({ ...countsQuery, enabled: counted })
  const { open: openDialog, close } = useDialogs()
  const { view, choose } = useBoardView()
  const total = useBoardTotal(applied, view, !forMe.waits)
  const bar = useRef<HTMLDivElement>(null)
  const roving = useRovingFocus(bar)
  const chips = useRef<HTMLDivElement>(null)
  const rovingChips = useRovingFocus(chips)
  const { search } = useLocation()
  const sides = isOn('listings')
  const side = sides && new URLSearchParams(search).get('side')
  const sheetOpen = dialogAt(search)?.name === 'filters'
  const wide = useMediaQuery('(min-width: 64rem)')
  const roomy = useMediaQuery('(min-width: 40rem)')
  const [panel, setPanel] = useState(false)
  const conditions = countConditions(filter)
  const panelShown = panel && wide
  const title = side === 'sale' ? t('listings_for_sale') : side ? t('listings_both_list') : titleOf(filter.category)
  usePageTitle(side || filter.category ? title : undefined)
  useEffect(() => {
    prefetchView(view)
  }, [view])

  function chooseCategories(category: NonNullable<BrowseFilter['category']>) {
    change({ category: category.length > 0 ? category : undefined })
    if (category.length === 0) void queryClient.invalidateQueries({ queryKey: keys.counts })
  }

  /** A filter that is removed with others stays removed when the page is opened again. */
  const changeFilter = useCallback(
    (changes: Partial<BrowseFilter>) => {
      if ('for' in changes) rememberForMe(changes.for === 'me')
      change(changes)
    },
    [change],
  )

  const skeleton = <BoardSkeleton view={view} narrow={panelShown} />
  const board = <Board filter={applied} view={view} viewerId={user?.id} narrow={panelShown} onChange={changeFilter} />
  const sorting = { sort: filter.sort, fill: applied.fill, onSort: (sort: BrowseFilter['sort']) => change({ sort }) }

  return (
    // On a phone the search is first, and the heading is at the requests.
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 max-sm:gap-1.5">
      {site.welcome && (
        <p className="max-w-[70ch] whitespace-pre-line text-muted-foreground max-sm:-order-4">{site.welcome}</p>
      )}
      <div
        ref={bar}
        role="toolbar"
        aria-label={t('pages_board')}
        {...roving}
        className="flex items-center gap-x-4 gap-y-2 max-sm:contents sm:flex-wrap short:flex-nowrap"
      >
        <div className="mr-auto flex min-w-0 items-baseline gap-x-3 max-sm:-order-1 max-sm:mr-0">
          <h1 className="shrink-0 text-lg sm:text-xl">{title}</h1>
          <p
            className={`tabular min-h-5 text-muted-foreground text-sm max-sm:text-xs short:sr-only ${side ? 'max-sm:sr-only' : ''}`}
            aria-live="polite"
          >
            {total && side !== 'sale' && showing(total)}
          </p>
          {(filter.category || !isWholeBoard(filter)) && (
            <Suspense fallback={<span className="h-7 w-8 shrink-0 self-center" />}>
              <SaveBoard filter={filter} view={view} />
            </Suspense>
          )}
        </div>
        <div className="flex gap-2 max-sm:-order-3 sm:contents">
          <div className="flex w-full min-w-0 gap-2 sm:max-lg:order-1 md:w-auto md:max-w-[36rem] md:flex-1 md:basis-96 short:w-auto short:flex-1">
            <SearchField value={filter.q ?? ''} onSearch={(q) => change({ q: q || undefined }, { replace: true })} />
            {(forMe.ofAccount || !isWholeBoard(filter) || browserSearches.get().length > 0) && (
              <SearchesMenu
                filter={filter}
                view={view}
                onApply={(saved, look) => {
                  changeFilter(saved)
                  if (look) choose(look)
                }}
              />
            )}
            {roomy && side !== 'sale' && <SortSelect {...sorting} />}
            <Button
              variant="outline"
              className="px-3 pointer-coarse:h-11"
              aria-expanded={wide ? panelShown : undefined}
              aria-label={conditions > 0 ? t('pages_filters_active', { count: conditions }) : t('pages_filters')}
              onClick={() => (wide ? setPanel(!panel) : openDialog({ name: 'filters' }))}
            >
              <SlidersHorizontal />
              <span className="max-md:sr-only">{t('pages_filters')}</span>
              {conditions > 0 && (
                <span className="tabular grid size-5 place-items-center rounded-full bg-primary text-primary-foreground text-xs">
                  {formatNumber(conditions)}
                </span>
              )}
            </Button>
          </div>
          <ViewSwitch view={view} onView={choose} onNear={() => prefetchView(view === 'list' ? 'cards' : 'list')} />
        </div>
      </div>
      <div className="flex min-w-0 gap-2 max-sm:-order-2">
        {!roomy && side !== 'sale' && <SortSelect {...sorting} compact />}
        <div
          ref={chips}
          role="toolbar"
          aria-label={t('pages_professions')}
          {...rovingChips}
          className="flex min-w-0 flex-1 gap-2"
        >
          <div className="min-w-0 flex-1">
            <CategoryChips
              counts={side !== 'sale' && counted ? counts : undefined}
              counting={counting}
              chosen={filter.category ?? []}
              onChoose={chooseCategories}
              forMe={side !== 'sale' && (forMe.ofAccount || forMe.on || forMe.skills.length > 0) ? forMe.on : undefined}
              onForMe={() => {
                forMe.toggle()
                // Without skills there is nothing to go by: they are asked for.
                if (!forMe.on && forMe.knownToBeEmpty) forMe.openSkills()
              }}
            />
          </div>
          {sides && (
            <Suspense fallback={<p className="w-15" />}>
              <BrowseSides />
            </Suspense>
          )}
        </div>
      </div>
      {forMe.offered && (
        <Suspense>
          <KeepInAccount
            skills={forMe.skills}
            save={forMe.save}
            onKept={() => void queryClient.invalidateQueries({ queryKey: keys.searches })}
          />
        </Suspense>
      )}
      <LazyActiveFilters filter={filter} fill={applied.fill} forMe={forMe} onChange={changeFilter} />
      <div className={panelShown ? 'grid grid-cols-[15rem_minmax(0,1fr)] items-start gap-6' : undefined}>
        {panelShown && (
          <aside
            aria-label={t('pages_filters')}
            className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-lg border bg-card p-4"
          >
            <Suspense fallback={<div className="h-96" />}>
              <FilterFields filter={filter} onChange={(changes) => change(changes, { replace: true })} />
            </Suspense>
          </aside>
        )}
        {forMe.waits ? (
          skeleton
        ) : side ? (
          <Suspense fallback={skeleton}>
            <BrowseSides board={board} />
          </Suspense>
        ) : (
          board
        )}
      </div>
      {!wide && (
        <Suspense fallback={sheetOpen && <OpeningFrame />}>
          <LazyFilterSheet
            open={sheetOpen}
            filter={filter}
            shown={applied}
            onClose={close}
            onApply={(chosen) => change({ ...blank, ...chosen }, { replace: true })}
          />
        </Suspense>
      )}
    </div>
  )
}

type Total = { total: number; totalIsExact?: boolean }

const showing = ({ total: count, totalIsExact }: Total) =>
  totalIsExact === false ? t('pages_showing_at_least', { count }) : t('pages_showing', { count })

/** The heading of the board. */
function titleOf(chosen: BrowseFilter['category']): string {
  if (!chosen) return t('pages_all_requests')
  return chosen.length > 3
    ? t('pages_requests_of_many', { count: chosen.length })
    : t('pages_requests_of', { professions: joinAnd(chosen.map(categoryName)) })
}

const blank: BrowseFilter = { importance: undefined, level: undefined, min: undefined, max: undefined, sort: undefined }

/** Loaded on first use, then stays mounted so that its close animation can run. */
function LazyFilterSheet(props: React.ComponentProps<typeof FilterSheet>) {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (props.open) setWanted(true)
  }, [props.open])
  return wanted ? <FilterSheet {...props} /> : null
}
