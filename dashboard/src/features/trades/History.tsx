import type { ReactNode } from 'react'
import type { TradeDetails } from '@/api/types'
import { nearTime } from '@/components/near-time'
import { Typed } from '@/components/typed'
import { cn } from '@/lib/cn'
import { formatDayAndTime } from '@/lib/format'
import { rich, t } from '@/lib/texts'

type Props = { trade: TradeDetails; name: string }
type Event = TradeDetails['history'][number]

/** What has happened to a trade, and what comes next. */
export function History({ trade, name }: Props) {
  const next = comes(trade, name)
  return (
    <section aria-labelledby="history" className="rounded-lg border bg-card p-4 sm:px-5">
      <h2 id="history" className="mb-3 text-lg">
        {t('trades_history')}
      </h2>
      <ol className="grid">
        {trade.history.map((event) => (
          <Step key={`${event.kind} ${event.by} ${event.at}`} at={event.at}>
            {happened(event, name, trade)}
          </Step>
        ))}
        {next && <Step>{next}</Step>}
      </ol>
    </section>
  )
}

/** One that has no time yet is still to come. */
function Step({ at, children }: { at?: string; children: ReactNode }) {
  return (
    <li
      className={cn(
        'relative grid grid-cols-[1.25rem_1fr_auto] gap-2.5 pb-3 text-sm last:pb-0',
        'not-last:before:absolute not-last:before:top-2.5 not-last:before:-bottom-2 not-last:before:left-[9px] not-last:before:border-primary/45 not-last:before:border-l-2',
      )}
    >
      <span
        aria-hidden
        className={cn('relative m-1 size-3 rounded-full border-2 border-primary', at ? 'bg-primary' : 'bg-card')}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {at && (
        <time
          dateTime={at}
          title={formatDayAndTime(at)}
          className="tabular whitespace-nowrap text-muted-foreground text-xs leading-5"
        >
          {nearTime(at)}
        </time>
      )}
    </li>
  )
}

function happened({ kind, by = 'them' }: Event, name: string, { receipt, handover }: TradeDetails): ReactNode {
  const places = { by, name: <Typed>{name}</Typed> }
  switch (kind) {
    case 'accepted':
      return receipt.crossed ? t('trades_event_crossed') : rich('trades_event_accepted', places)
    case 'placed':
      return rich('trades_event_placed', places)
    case 'postponed':
      return rich('trades_event_postponed', places)
    case 'met':
      return rich('trades_event_met', places)
    case 'not_met':
      return rich('trades_event_not_met', places)
    case 'took_back':
      return rich('trades_event_took_back', places)
    case 'looked_at':
      return t('trades_event_looked_at')
    case 'decided':
      return t('trades_event_decided', { state: handover?.state ?? '' })
    case 'reopened':
      return t('trades_event_reopened')
    case 'silence':
      return t('trades_event_silence')
    case 'undone':
      return rich('trades_event_undone', places)
  }
}

function comes({ handover: h, next }: TradeDetails, name: string): ReactNode {
  if (!h || !next) return null
  const due = Date.parse(h.agreedBy) <= Date.now()
  const at = h.yourWord || h.theirWord || due ? next.at : h.agreedBy
  const places = { time: <time dateTime={at}>{nearTime(at)}</time>, name: <Typed>{name}</Typed> }
  if (h.yourWord) return rich('trades_next_theirs', places)
  if (h.theirWord) return rich('trades_next_mine', places)
  return due ? rich('trades_next_both', places) : rich('trades_next_ask', places)
}
