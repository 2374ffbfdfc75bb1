import { useQuery } from '@tanstack/react-query'
import { recordQuery, type TradeRecord } from '@/api/traders'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { PageLink } from './page-link'

/** What a trader's handovers came to, in a line that leads to their page. It holds its place while it loads, and says nothing when
 * it can't be read. */
export default function TradeRecordLine({ userId, className }: { userId: number; className?: string }) {
  const { data } = useQuery(recordQuery(userId))
  return (
    <p className={cn('min-h-5 text-sm', className)}>
      {data && (
        <PageLink
          to={`/traders/${userId}`}
          className="tabular inline-flex items-center text-muted-foreground underline-offset-2 hover:text-foreground hover:underline pointer-coarse:min-h-11"
        >
          <span className="sr-only">{t('handover_record')}</span>
          {inWords(data)}
        </PageLink>
      )}
    </p>
  )
}

/** A record in words: "12 established partners, 3 new · 40 handovers · 98% reliable · usually within 1 day". */
export function inWords(record: TradeRecord): string {
  if (record.new) return t('handover_record_new')
  const { partners, others, met, kept, meetsIn } = record
  return [
    t('handover_record_partners', { partners, others }),
    t('handover_record_met', { met }),
    kept === null ? '' : t('handover_record_kept', { kept }),
    meetsIn === null ? '' : within(meetsIn),
  ]
    .filter(Boolean)
    .join(' · ')
}

function within(minutes: number): string {
  const hours = Math.ceil(minutes / 60)
  return hours < 48
    ? t('handover_record_within_hours', { hours })
    : t('handover_record_within_days', { days: Math.ceil(hours / 24) })
}
