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
import { countOf, formatNumber, relativeDay } from '@/lib/format'

/** Who has an item, and a button that asks one of them for it. */
export default function WhoHasIt({ item }: { item: Item }) {
  const query = useQuery(itemStockQuery(item.id))
  const { data, isPending, isError } = query
  const { user } = useMe()
  const { open } = useDialogs()
  const slow = useDelayed(isPending)
  return (
    <section aria-labelledby="who-has-it" className="rounded-lg border bg-card p-4">
      <h2 id="who-has-it" className="text-lg">
        Who has it
      </h2>
      {slow && <Skeleton className="mt-2 h-12" />}
      {isError && <ErrorPanel text="Failed to load sellers. Please try again." query={query} />}
      {data && (
        <p className="mt-1 text-muted-foreground text-sm">
          {data.sellers === 0
            ? 'Nobody has said that they have it.'
            : `${countOf(data.sellers, 'seller has', 'sellers have')} ${formatNumber(data.quantity)} at up to ${printCopper(BigInt(data.upTo))}.`}
        </p>
      )}
      {data && data.public.length > 0 && (
        <ul aria-label="Sellers who have it" className="mt-2 grid divide-y">
          {data.public.map(({ id, seller, quantity, price, note, since }) => (
            <li key={id} className="flex items-center gap-3 py-2 text-sm">
              <div className="min-w-0 flex-1">
                <p className="truncate">
                  <bdi className="font-medium">{seller.displayName}</bdi> · {formatNumber(quantity)} at{' '}
                  <Amount value={price} />
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
                  className="touch shrink-0"
                  aria-label={`Ask ${seller.displayName} for it`}
                  onClick={() => {
                    fillDraft('post', { itemName: item.name, maxPricePerUnit: printCopper(BigInt(price)) })
                    askFor(id, item.name)
                    open({ name: 'post' })
                  }}
                >
                  Ask for it
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
