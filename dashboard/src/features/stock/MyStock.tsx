import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { alertStock, confirmStock, deleteStock, stockKeys, stockQuery } from '@/api/stock'
import type { Stock } from '@/api/types'
import { showUndoable } from '@/api/undo'
import { ErrorPanel } from '@/components/error-panel'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { AddStock } from './AddStock'
import { StockRow } from './StockRow'
import { useByProfession } from './useByProfession'
import { useListIt } from './useListIt'

const professionOfStock = ({ category }: Stock) => category

/** What the user has: they add to it by lines, remove from it, and say that it is still there. */
export function MyStock() {
  const query = useQuery(stockQuery)
  const { data, isPending, isError } = query
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [error, setError] = useState<unknown>()
  const listIt = useListIt()
  const writes = useIdempotencyKey<number | null>()
  const alerting = useIdempotencyKey()
  const slow = useDelayed(isPending)
  const { shown, chips } = useByProfession(data, professionOfStock)

  function changed(stock?: Stock[]) {
    setError(undefined)
    if (stock) queryClient.setQueryData(stockKeys.own, stock)
    else void queryClient.invalidateQueries({ queryKey: stockKeys.own })
    void queryClient.invalidateQueries({ queryKey: keys.lists }) // "For me" goes by it
    void queryClient.invalidateQueries({ queryKey: keys.ready })
  }
  const confirm = useMutation({
    mutationFn: () => writes.once(null, confirmStock),
    onSuccess: (stock) => {
      changed(stock)
      showToast(t('stock_confirmed'))
    },
    onError: setError,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Stock) => writes.once(id, (given, key) => deleteStock(given ?? 0, key)),
    onSuccess: (_, entry) => {
      changed()
      heading.current?.focus() // the button is gone
      showUndoable(queryClient, t('stock_removed', { item: entry.itemName }), { kind: 'stock', id: entry.id })
    },
    onError: setError,
  })
  const alert = useMutation({
    mutationFn: ({ id, on }: { id: number; on: boolean }) =>
      alerting.once([id, on], (_, key) => alertStock(id, on, key)),
    onSuccess: (now) => changed(data?.map((entry) => (entry.id === now.id ? now : entry))),
    onError: setError,
  })

  const asked = data?.filter((entry) => entry.asked).length ?? 0
  return (
    <section aria-labelledby="stock" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="stock" ref={heading} tabIndex={-1} className="text-lg outline-none">
          {t('stock_title')}
        </h2>
        {data && data.length > 0 && (
          <Button
            variant="outline"
            size="sm"
            className="touch"
            disabled={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {t('stock_confirm')}
          </Button>
        )}
      </div>
      {slow && <Skeleton className="h-24" />}
      {isError && <ErrorPanel text={t('stock_failed_to_load')} query={query} />}
      {error !== undefined && <Notice>{messageFor(error, t('common_save_failed'))}</Notice>}
      {asked > 0 && <Notice tone="info">{t('stock_untouched', { count: asked })}</Notice>}
      {data?.length === 0 && <p className="text-muted-foreground text-sm">{t('stock_empty')}</p>}
      {chips}
      {data && data.length > 0 && (
        <ul aria-label={t('stock_title')} className="grid divide-y border-y">
          {shown.map((entry) => (
            <StockRow
              key={entry.id}
              entry={entry}
              busy={remove.isPending || alert.isPending}
              onAlert={(on) => alert.mutate({ id: entry.id, on })}
              onRemove={() => remove.mutate(entry)}
              onSaved={changed}
              onList={() => void listIt(entry)}
            />
          ))}
        </ul>
      )}
      {data && <AddStock stock={data} onSaved={changed} />}
    </section>
  )
}
