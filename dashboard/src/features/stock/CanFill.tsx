import { useQuery } from '@tanstack/react-query'
import { fillQuery } from '@/api/stock'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { PageLink } from '@/components/page-link'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { formatNumber } from '@/lib/format'
import { suggestQuantity } from '@/lib/suggested'
import { rich, t } from '@/lib/texts'

/** The open requests that the user can fill, ranked by what they would earn: what they have first, then what they can make. */
export function CanFill() {
  const query = useQuery(fillQuery)
  const { data, isPending, isError } = query
  const { open } = useDialogs()
  const slow = useDelayed(isPending)
  return (
    <section aria-labelledby="can-fill" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-end gap-3">
        <h2 id="can-fill" className="sr-only">
          {t('stock_for_me')}
        </h2>
        <Button variant="outline" size="sm" className="touch" onClick={() => open({ name: 'skills' })}>
          {t('common_my_skills')}
        </Button>
      </div>
      {slow && <Skeleton className="h-24" />}
      {isError && <ErrorPanel text={t('stock_failed_to_load_requests')} query={query} />}
      {data?.length === 0 && <p className="text-muted-foreground text-sm">{t('stock_fill_none')}</p>}
      {data && data.length > 0 && (
        <ul aria-label={t('stock_fill_list')} className="grid divide-y border-y">
          {data.map(({ order, fromStock, can, earns }) => (
            <li key={order.id} className="flex min-h-14 items-center gap-3 py-2">
              <div className="min-w-0 flex-1">
                <PageLink
                  to={`/requests/${order.id}`}
                  className="touch block truncate font-medium text-sm hover:underline"
                >
                  {formatNumber(can)} × <bdi>{order.itemName}</bdi>
                </PageLink>
                <p className="text-muted-foreground text-sm">
                  {rich('stock_fill_earns', { amount: <Amount value={earns} />, how: fromStock ? 'stock' : 'skill' })}
                </p>
              </div>
              <Button
                variant="outline"
                size="sm"
                className="pointer-coarse:h-11"
                aria-label={t('stock_offer_on', { item: order.itemName })}
                onClick={() => {
                  suggestQuantity(order.id, can)
                  open({ name: 'offer', request: order.id })
                }}
              >
                {t('common_offer')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
