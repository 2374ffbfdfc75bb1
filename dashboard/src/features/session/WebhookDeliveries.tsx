import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { type Delivery, deliveriesQuery, sendAgain, type Webhook } from '@/api/webhooks'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime, relativeTime } from '@/lib/format'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** What was sent to a webhook lately, how it was answered, and a press that sends it again. */
export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<number>()
  const query = useQuery(deliveriesQuery(webhook.id))
  const { data, isError } = query
  const again = useMutation({
    mutationFn: ({ id }: Delivery) => writes.once(id, (delivery, key) => sendAgain(webhook.id, delivery, key)),
    onSuccess: () => showToast(t('webhooks_again_sent')),
    onError: (error) => showToast(messageFor(error, t('webhooks_again_failed')), 'error'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  if (isError) return <ErrorPanel text={t('webhooks_deliveries_failed')} query={query} />
  if (!data) return <Skeleton className="h-14 w-full" />
  if (data.deliveries.length === 0) return <p className="py-1.5 text-sm">{t('webhooks_deliveries_none')}</p>
  return (
    <ul className="grid max-h-80 divide-y overflow-y-auto rounded-lg border px-3">
      {data.deliveries.map((delivery) => (
        <li key={delivery.id} className="flex items-start justify-between gap-3 py-2 text-xs">
          <div className="grid min-w-0 gap-0.5">
            <p className="wrap-anywhere">
              <span className="font-mono">{delivery.type}</span> · {resultText(delivery)}
            </p>
            <p className="wrap-anywhere text-muted-foreground">
              <time dateTime={delivery.createdAt}>{formatDayAndTime(delivery.createdAt)}</time> · {delivery.messageId}
              {delivery.dueAt && delivery.triedAt && ` · ${t('webhooks_next', { when: relativeTime(delivery.dueAt) })}`}
            </p>
            {delivery.answer && (
              <p dir="auto" className="wrap-anywhere font-mono text-muted-foreground">
                {delivery.answer}
              </p>
            )}
          </div>
          <Button
            variant="outline"
            size="sm"
            className="shrink-0 max-sm:h-11"
            disabled={again.isPending || webhook.state !== 'on'}
            aria-label={t('webhooks_again_of', { type: delivery.type, when: formatDayAndTime(delivery.createdAt) })}
            onClick={() => again.mutate(delivery)}
          >
            {t('webhooks_again')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

const failures = {
  name: t('webhooks_name'),
  private: t('webhooks_private'),
  timeout: t('webhooks_timeout'),
  tls: t('webhooks_tls'),
  connection: t('webhooks_connection'),
}

function resultText({ triedAt, status, failure, took }: Delivery) {
  if (!triedAt) return t('webhooks_waiting')
  return `${failure ? failures[failure] : status} · ${t('webhooks_took', { milliseconds: took })}`
}
