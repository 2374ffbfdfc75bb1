import { useQuery } from '@tanstack/react-query'
import { itemStockQuery } from '@/api/stock'
import type { Item } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { askFor } from '@/lib/asked'
import { printCopper } from '@/lib/copper'
import { fillDraft } from '@/lib/filledDrafts'
import { relativeDay } from '@/lib/format'
import { rich, t } from '@/lib/texts'

/** Who has an item, and a button that asks one of them for it. */
export default function WhoHasIt({ item }: { item: Item }) {
  const query = useQuery(itemStockQuery(item.id))
  const { data, isPending, isError } = query
  const { user } = useMe()
  const { open } = useDialogs()
  const slow = useDelayed(isPending)
  return (
    <section aria-labelledby="who-has-it" className="rounded-lg border bg-card">
      <div className="flex min-h-11 items-center border-b px-4 py-1.5">
        <h2 id="who-has-it" className="text-lg">
          {t('stock_sellers_title')}
        </h2>
      </div>
      {slow && <Skeleton className="m-4 h-8" />}
      {isError && (
        <div className="p-4">
          <ErrorPanel text={t('stock_failed_to_load_sellers')} query={query} />
        </div>
      )}
      {data && (
        <p className="px-4 py-3 text-muted-foreground text-sm">
          {data.sellers === 0
            ? t('stock_no_sellers')
            : t('stock_sellers_have', {
                sellers: data.sellers,
                quantity: data.quantity,
                price: printCopper(BigInt(data.upTo)),
              })}
        </p>
      )}
      {data && data.public.length > 0 && (
        <ul aria-label={t('stock_sellers_list')} className="divide-y border-t">
          {data.public.map(({ id, seller, quantity, price, note, since }) => (
            <li key={id} className="flex min-h-14 items-center gap-3 px-4 py-1.5 text-sm max-sm:min-h-16">
              <div className="min-w-0 flex-1">
                <p className="truncate">
                  {rich('stock_seller', {
                    seller: <bdi className="font-medium">{seller.displayName}</bdi>,
                    quantity,
                    price: <Amount value={price} />,
                  })}
                </p>
                <p className="truncate text-muted-foreground">
                  {note && <bdi>{note} · </bdi>}
                  {relativeDay(since)}
                </p>
              </div>
              {user && !user.blockedFor && (
                <Button
                  variant="outline"
                  size="sm"
                  className="touch shrink-0 max-sm:h-11"
                  aria-label={t('stock_ask_seller', { seller: seller.displayName })}
                  onClick={() => {
                    fillDraft('post', { itemName: item.name, maxPricePerUnit: printCopper(BigInt(price)) })
                    askFor(id, item.name)
                    open({ name: 'post' })
                  }}
                >
                  {t('stock_ask')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
