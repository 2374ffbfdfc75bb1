import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { fillQuery } from '@/api/stock'
import type { Fillable, OpenOffer } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { skillWords } from '@/components/skill-words'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { YouOffered } from '@/components/you-offered'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import { useReady } from '@/hooks/useReady'
import { useSkills } from '@/hooks/useSkills'
import { formatNumber } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { suggestQuantity } from '@/lib/suggested'
import { rich, t } from '@/lib/texts'
import { AddOne } from './AddOne'
import { useByProfession } from './useByProfession'

const OnePress = lazy(() => import('@/components/one-press'))

/** The open requests that the user can fill, ranked by what they would earn: what they have first, then what they can make. */
export function CanFill() {
  const query = useQuery(fillQuery)
  const { data, isPending, isError } = query
  const { open } = useDialogs()
  const offers = useOpenOffers()
  const { skills } = useSkills(true)
  const slow = useDelayed(isPending)
  const { shown, chips } = useByProfession(data, professionOfRequest)
  return (
    <section aria-labelledby="can-fill" className="grid gap-3">
      <h2 id="can-fill" className="sr-only">
        {t('stock_for_me')}
      </h2>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-72">{isOn('stock') && <AddOne />}</div>
        <Button variant="outline" className="touch sm:mt-7" onClick={() => open({ name: 'skills' })}>
          {t('common_my_skills')}
        </Button>
        {skills.length > 0 && (
          <p className="flex-1 basis-40 self-center text-muted-foreground text-xs sm:basis-full">
            {skillWords(skills)}
          </p>
        )}
      </div>
      {slow && <Skeleton className="h-24" />}
      {isError && <ErrorPanel text={t('stock_failed_to_load_requests')} query={query} />}
      {data?.length === 0 && <p className="text-balance text-muted-foreground text-sm">{t('stock_fill_none')}</p>}
      {chips}
      {data && data.length > 0 && (
        <ul aria-label={t('stock_fill_list')} className="grid divide-y border-y">
          {shown.map((fillable) => (
            <FillRow key={fillable.order.id} {...fillable} offered={offers.get(fillable.order.id)} />
          ))}
        </ul>
      )}
    </section>
  )
}

const professionOfRequest = ({ order }: Fillable) => order.category

/** One press offers what the user has of it. The row stays, so that the press can be undone. */
function FillRow({ order, fromStock, can, earns, offered }: Fillable & { offered: OpenOffer | undefined }) {
  const { open } = useDialogs()
  const ready = useReady(order.id)
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-end gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-48">
        <PageLink to={`/requests/${order.id}`} className="touch block truncate font-medium text-sm hover:underline">
          {formatNumber(can)} × <bdi>{order.itemName}</bdi>
        </PageLink>
        {offered ? (
          <YouOffered offer={offered} />
        ) : (
          <p className="text-muted-foreground text-sm">
            {rich('stock_fill_earns', { amount: <Amount value={earns} />, how: fromStock ? 'stock' : 'skill' })}
          </p>
        )}
      </div>
      <span className="tabular whitespace-nowrap text-muted-foreground text-sm max-lg:hidden lg:w-40">
        {t('common_left_of', { left: order.quantity - order.sold, quantity: order.quantity })}
      </span>
      <span className="whitespace-nowrap text-sm max-lg:hidden lg:w-32">
        {rich('stock_each', { price: <Amount value={order.maxPricePerUnit} /> })}
      </span>
      <span className="flex justify-end gap-2 lg:min-w-72">
        {(ready || offered) && (
          <Suspense>
            <OnePress wide order={order} offered={offered} ready={ready} />
          </Suspense>
        )}
        <Button
          variant="outline"
          size="sm"
          className="pointer-coarse:h-11"
          aria-label={
            offered
              ? t('orders_change_offer_on', { item: order.itemName })
              : t('stock_offer_on', { item: order.itemName })
          }
          onClick={() => {
            suggestQuantity(order.id, can)
            open({ name: 'offer', request: order.id })
          }}
        >
          {offered ? t('common_change') : t('common_offer')}
        </Button>
      </span>
    </li>
  )
}
