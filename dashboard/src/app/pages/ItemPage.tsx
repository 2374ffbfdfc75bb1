import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, Plus } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import { itemQuery } from '@/api/items'
import { keys } from '@/api/keys'
import type { Item } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { NotFound } from '@/components/not-found'
import { Tag } from '@/components/tag'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { MakersAndUsers } from '@/features/items/MakersAndUsers'
import { Variants } from '@/features/items/Variants'
import { ItemOrders } from '@/features/orders/board/ItemOrders'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { fillDraft } from '@/lib/filledDrafts'
import { itemAddress } from '@/lib/items'
import { lazy } from '@/lib/loaded'
import { categoryName } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

const SaveItem = lazy(async () => ({ default: (await import('@/features/finding/SaveButton')).SaveItem }))
const WhoHasIt = lazy(() => import('@/features/stock/WhoHasIt'))
const PriceAlert = lazy(() => import('@/features/finding/PriceAlert'))
const ItemSides = lazy(() => import('@/features/listings/ItemSides'))
const Prices = lazy(() => import('@/features/items/Prices'))

/** One item: who asks for it now, what it is worth, who has it, and what is known of it. */
export function ItemPage({ id }: { id: number }) {
  const known = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...itemQuery(id), enabled: known })
  const { data: item, isPending, error } = query
  const slow = useDelayed(isPending && known)
  const { user } = useMe()
  usePageTitle(item?.name)
  useFullAddress(item)

  if (!known || (error instanceof ApiError && error.isClientError)) {
    return (
      <NotFound
        title={t('pages_item_not_found')}
        hint={t('pages_item_not_found_hint')}
        to="/items"
        label={t('pages_all_items')}
      />
    )
  }
  if (error) return <ErrorPanel text={t('pages_item_failed')} query={query} />
  if (!item)
    return slow ? (
      <Loading label={t('pages_item_loading')} boxes={['h-5 w-40', 'h-9 w-80 max-w-full', 'h-80']} className="gap-4" />
    ) : (
      <div className="min-h-[60vh]" />
    )
  const mayTrade = !user?.blockedFor && !item.gone
  return (
    <div className="grid gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-center gap-3">
          <span
            aria-hidden
            className="flex size-13 shrink-0 items-center justify-center rounded-lg bg-accent text-accent-foreground max-sm:size-11"
          >
            <CategoryIcon category={item.madeBy[0]} className="size-6" />
          </span>
          <div className="min-w-0">
            <Where item={item} />
            {/* One text, as in PageHeading. */}
            <div className="text-sm">
              <h1 dir="auto" className="inline text-2xl leading-tight wrap-anywhere">
                {item.name}
              </h1>
              <br />
              <p className="inline text-muted-foreground">{t('pages_item_line')}</p>
            </div>
          </div>
          <State item={item} />
        </div>
        {mayTrade && (
          <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
            <Suspense fallback={<i data-loading hidden />}>
              <SaveItem item={item} />
            </Suspense>
            <RequestThis item={item} signedIn={user !== null} />
          </div>
        )}
      </header>
      {/* On a phone the columns are one after the other: requests, price, sellers, variants and facts. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="grid min-w-0 gap-4">
          <ItemOrders itemId={item.id} viewerId={user?.id} />
          {isOn('listings') && (
            <Suspense fallback={<Skeleton className="h-28 rounded-lg" />}>
              <ItemSides item={item} />
            </Suspense>
          )}
          {isOn('prices') && (
            <Suspense fallback={<Skeleton className="h-80 rounded-lg" />}>
              <Prices item={item} />
            </Suspense>
          )}
          {isOn('listings') && isOn('watches') && mayTrade && (
            <Suspense fallback={<Skeleton className="h-56 rounded-lg" />}>
              <PriceAlert item={item} />
            </Suspense>
          )}
        </div>
        <div className="grid min-w-0 gap-4">
          {isOn('stock') && !isOn('listings') && (
            <Suspense fallback={<Skeleton className="h-28 rounded-lg" />}>
              <WhoHasIt item={item} />
            </Suspense>
          )}
          {item.kind && <Variants item={item} />}
          <MakersAndUsers item={item} />
        </div>
      </div>
    </div>
  )
}

/** Leads to the list, and to the items of the profession that makes this one. */
function Where({ item: { madeBy } }: { item: Item }) {
  return (
    <nav aria-label={t('pages_where')} className="flex flex-wrap items-center gap-1 text-muted-foreground text-sm">
      <Link className="touch hover:text-primary hover:underline" to="/items">
        {t('common_items')}
      </Link>
      {madeBy[0] && (
        <>
          <ChevronRight aria-hidden className="size-3.5" />
          <Link
            className="touch hover:text-primary hover:underline"
            to={`/items?${new URLSearchParams({ profession: madeBy[0] })}`}
          >
            {categoryName(madeBy[0])}
          </Link>
        </>
      )}
    </nav>
  )
}

/** The address has the name of the item, and the number of the one that it was merged into. */
function useFullAddress(item: Item | undefined) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  useEffect(() => {
    if (!item || pathname === itemAddress(item) || decodeURI(pathname) === decodeURI(itemAddress(item))) return
    queryClient.setQueryData(keys.item(item.id), item)
    // A dialog that was just opened stays open: the browser's address may be ahead of React's state.
    navigate({ pathname: itemAddress(item), search: window.location.search }, { replace: true, state })
  }, [item, pathname, state, navigate, queryClient])
}

/** Marks an item that is not as others are. */
function State({ item: { gone, provisional } }: { item: Item }) {
  return (
    <>
      {gone && <Tag tone="destructive">{t('pages_item_gone')}</Tag>}
      {provisional && <Tag title={t('pages_item_provisional_why')}>{t('pages_item_provisional')}</Tag>}
    </>
  )
}

/** Opens the form of a new request with the item filled in. A visitor signs in first. */
function RequestThis({ item, signedIn }: { item: Item; signedIn: boolean }) {
  const { open } = useDialogs()
  return (
    <Button
      className="pointer-coarse:h-11"
      onClick={() => {
        fillDraft('post', { itemName: item.name })
        open(signedIn ? { name: 'post' } : { name: 'sign-in', mode: 'sign-up', next: 'post' })
      }}
    >
      <Plus /> {t('pages_request_this')}
    </Button>
  )
}
