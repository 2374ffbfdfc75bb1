import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { alertStock, confirmStock, deleteStock, stockKeys, stockQuery } from '@/api/stock'
import type { Stock } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Notice } from '@/components/notice'
import { Tag } from '@/components/tag'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime, formatNumber, relativeDay } from '@/lib/format'
import { showToast } from '@/lib/toasts'
import { AddStock } from './AddStock'

/** What the user has: they add to it by lines, remove from it, and say that it is still there. */
export function MyStock() {
  const { data, isPending, isError, isFetching, refetch } = useQuery(stockQuery)
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [error, setError] = useState<unknown>()
  const writes = useIdempotencyKey<number | null>()
  const alerting = useIdempotencyKey()
  const slow = useDelayed(isPending)

  function changed(stock?: Stock[]) {
    setError(undefined)
    if (stock) queryClient.setQueryData(stockKeys.own, stock)
    else void queryClient.invalidateQueries({ queryKey: stockKeys.own })
    void queryClient.invalidateQueries({ queryKey: keys.lists }) // "For me" goes by it
  }
  const confirm = useMutation({
    mutationFn: () => writes.once(null, confirmStock),
    onSuccess: (stock) => {
      changed(stock)
      showToast('Thank you. Your stock stays listed.')
    },
    onError: setError,
  })
  const remove = useMutation({
    mutationFn: (id: number) => writes.once(id, (given, key) => deleteStock(given ?? 0, key)),
    onSuccess: () => {
      changed()
      heading.current?.focus() // the button is gone
    },
    onError: setError,
  })

  const alert = useMutation({
    mutationFn: ({ id, on }: { id: number; on: boolean }) =>
      alerting.once([id, on], (_, key) => alertStock(id, on, key)),
    onSuccess: (now) => changed(data?.map((entry) => (entry.id === now.id ? now : entry))),
    onError: setError,
  })

  return (
    <section aria-labelledby="stock" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="stock" ref={heading} tabIndex={-1} className="text-lg outline-none">
          What you have
        </h2>
        {data && data.length > 0 && (
          <Button
            variant="outline"
            size="sm"
            className="touch"
            disabled={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            All still there
          </Button>
        )}
      </div>
      {slow && <Skeleton className="h-24" />}
      {isError && (
        <ErrorPanel
          text="Failed to load your stock. Please try again."
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {error !== undefined && <Notice>{messageFor(error, 'Failed to save. Please try again.')}</Notice>}
      {data?.length === 0 && (
        <p className="text-muted-foreground text-sm">
          You haven't said what you have. Paste a line for each item below: buyers see what there is, and requests that
          fit find you.
        </p>
      )}
      {data && data.length > 0 && (
        <ul aria-label="What you have" className="grid divide-y border-y">
          {data.map((entry) => (
            <Row
              key={entry.id}
              entry={entry}
              busy={remove.isPending || alert.isPending}
              onAlert={(on) => alert.mutate({ id: entry.id, on })}
              onRemove={() => remove.mutate(entry.id)}
            />
          ))}
        </ul>
      )}
      {data && <AddStock onSaved={changed} />}
    </section>
  )
}

type RowProps = { entry: Stock; busy: boolean; onAlert: (on: boolean) => void; onRemove: () => void }

function Row({ entry, busy, onAlert, onRemove }: RowProps) {
  const snoozed = entry.snoozedUntil !== null && Date.parse(entry.snoozedUntil) > Date.now()
  const alerts = entry.alerts && !snoozed
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-sm">
          {formatNumber(entry.quantity)} × <bdi>{entry.itemName}</bdi>
        </p>
        <p className="text-muted-foreground text-sm">
          At <Amount value={entry.price} /> or more
          {entry.quantity === 0 && ' · all of it was accepted'}
          {entry.note && (
            <>
              {' · '}
              <bdi>{entry.note}</bdi>
            </>
          )}
          {!entry.alerts && ' · no alerts'}
          {snoozed && entry.snoozedUntil && ` · quiet until ${formatDayAndTime(entry.snoozedUntil)}`}
          {entry.asked && ` · still there? Off your list ${relativeDay(entry.endsAt)}`}
        </p>
      </div>
      <Tag>{entry.public ? 'Shown to buyers' : 'For matching only'}</Tag>
      <Button
        variant="ghost"
        size="icon"
        className="touch shrink-0"
        disabled={busy}
        aria-pressed={alerts}
        aria-label={`Tell me of requests for ${entry.itemName}`}
        onClick={() => onAlert(!alerts)}
      >
        {alerts ? <Bell /> : <BellOff className="text-muted-foreground" />}
      </Button>
      <Button
        variant="ghost"
        size="icon"
        className="touch shrink-0"
        disabled={busy}
        aria-label={`Remove ${entry.itemName}`}
        onClick={onRemove}
      >
        <Trash2 />
      </Button>
    </li>
  )
}
