import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, ChevronRight, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
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
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

const WhoHasIt = lazy(() => import('@/features/stock/WhoHasIt'))
const Prices = lazy(() => import('@/features/items/Prices'))

/** What is known of one item: who makes and uses it, what it is worth, and who asks for it now. */
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
  return (
    <div className="grid gap-4">
      <nav aria-label={t('pages_where')} className="flex flex-wrap items-center gap-1 text-muted-foreground text-sm">
        <Link className="hover:text-primary hover:underline" to="/items">
          {t('common_items')}
        </Link>
        {item.madeBy[0] && (
          <>
            <ChevronRight aria-hidden className="size-3.5" />
            <Link
              className="hover:text-primary hover:underline"
              to={`/items?${new URLSearchParams({ profession: item.madeBy[0] })}`}
            >
              {item.madeBy[0]}
            </Link>
          </>
        )}
      </nav>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 dir="auto" className="text-2xl wrap-anywhere">
            {item.name}
          </h1>
          <Facts item={item} />
        </div>
        <div className="flex flex-wrap gap-2">
          {isOn('watches') && !user?.blockedFor && !item.gone && <WatchThis />}
          {!user?.blockedFor && !item.gone && <RequestThis item={item} signedIn={user !== null} />}
        </div>
      </header>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        {isOn('prices') && (
          <Suspense fallback={<Skeleton className="h-80 rounded-lg" />}>
            <Prices item={item} />
          </Suspense>
        )}
        <div className="grid gap-4">
          {isOn('stock') && (
            <Suspense fallback={<Skeleton className="h-28 rounded-lg" />}>
              <WhoHasIt item={item} />
            </Suspense>
          )}
          <MakersAndUsers item={item} />
          {item.kind && <Variants item={item} />}
        </div>
      </div>
      <ItemOrders itemId={item.id} viewerId={user?.id} />
    </div>
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

function Facts({ item }: { item: Item }) {
  const { kind, name, region, tradeable, gone, provisional, link } = item
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground text-sm">
      {item.madeBy.map((profession) => (
        <Tag key={profession} tone="outline" className="tabular">
          <CategoryIcon category={profession} />
          {profession}
          {item.madeAtLevel ? ` ${item.madeAtLevel}` : ''}
        </Tag>
      ))}
      {kind && kind !== name && <span dir="auto">{kind}</span>}
      {region && <span dir="auto">{t('pages_found_in', { region })}</span>}
      {tradeable !== null && <span>{tradeable ? t('pages_tradeable') : t('pages_not_tradeable')}</span>}
      {gone && <Tag tone="destructive">{t('pages_item_gone')}</Tag>}
      {provisional && <Tag title={t('pages_item_provisional_why')}>{t('pages_item_provisional')}</Tag>}
      {link && (
        <a className="text-primary underline underline-offset-4" href={link} rel="noreferrer" target="_blank">
          {t('pages_item_more')}
        </a>
      )}
    </div>
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

/** Opens the watches, to be told of new requests for the item. */
function WatchThis() {
  const { open } = useDialogs()
  return (
    <Button variant="outline" className="pointer-coarse:h-11" onClick={() => open({ name: 'watches' })}>
      <Bell /> {t('pages_watch_this')}
    </Button>
  )
}
