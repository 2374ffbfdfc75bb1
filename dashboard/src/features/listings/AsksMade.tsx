import { useQuery } from '@tanstack/react-query'
import { asksQuery } from '@/api/listings'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { formatDayAndTime, relativeTime } from '@/lib/format'
import { rich, t } from '@/lib/texts'

/** The user's requests that ask one seller, and which they alone see. */
export default function AsksMade() {
  const query = useQuery(asksQuery)
  const { open } = useDialogs()
  if (query.isError) return <ErrorPanel text={t('listings_made_failed')} query={query} />
  if (!query.data?.length) return null
  return (
    <section aria-labelledby="asks-made" className="mb-4 rounded-lg border bg-card">
      <h2 id="asks-made" className="border-b px-4 py-2 text-lg">
        {t('listings_made_title')}
      </h2>
      <ul className="divide-y">
        {query.data.map(({ id, seller, itemName, quantity, price, endsAt }) => (
          <li key={id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <p className="min-w-0 flex-1 basis-56 text-sm wrap-anywhere">
              {rich('listings_waits_for', {
                seller: <bdi className="font-medium">{seller.displayName}</bdi>,
                quantity,
                item: <bdi className="font-medium">{itemName}</bdi>,
                sum: <Amount value={BigInt(price) * BigInt(quantity)} />,
              })}{' '}
              <time className="text-muted-foreground" dateTime={endsAt} title={formatDayAndTime(endsAt)}>
                {t('listings_ends', { time: relativeTime(endsAt) })}
              </time>
            </p>
            <Button
              variant="outline"
              size="sm"
              className="touch"
              aria-label={t('listings_withdraw_item', { item: itemName })}
              onClick={() => open({ name: 'delete', request: id })}
            >
              {t('listings_withdraw')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
