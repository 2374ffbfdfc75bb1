import { useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { ApiError } from '@/api/client'
import { traderQuery } from '@/api/traders'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { NotFound } from '@/components/not-found'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { usePageTitle } from '@/hooks/usePageTitle'
import { formatMonth, formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'

/** The public page of a trader: facts, and no grade. */
export function TraderView({ id }: { id: number }) {
  const known = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...traderQuery(id), enabled: known })
  const { data, error } = query
  usePageTitle(data?.name)
  if (!data && (!known || (error instanceof ApiError && error.isClientError))) {
    return <NotFound title={t('traders_not_found')} hint={t('traders_not_found_hint')} />
  }
  if (error && !data) return <ErrorPanel text={t('traders_load_failed')} query={query} />
  if (!data) return <Loading label={t('traders_loading')} boxes={['h-12', 'h-44']} className="gap-4" />
  const { record } = data
  const hours = record.meetsIn === null ? 0 : Math.ceil(record.meetsIn / 60)
  return (
    <div className="grid gap-5">
      <header>
        <h1 className="text-xl wrap-anywhere">
          <Typed>{data.name}</Typed>
        </h1>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-muted-foreground text-sm">
          {rich('traders_since', { month: <time dateTime={data.since}>{formatMonth(data.since)}</time> })}
          {data.established && (
            <Tag tone="accent">
              <BadgeCheck aria-hidden /> {t('traders_established')}
            </Tag>
          )}
          {record.new && <Tag tone="outline">{t('traders_new')}</Tag>}
        </p>
      </header>
      <dl className="grid gap-x-6 gap-y-4 rounded-lg border bg-card p-4 sm:grid-cols-2">
        <Fact label={t('traders_partners')} note={t('traders_partners_note')}>
          {t('traders_partners_met', { partners: record.partners, others: record.others })}
        </Fact>
        <Fact label={t('traders_met')} note={t('traders_met_note')}>
          {formatNumber(record.met)}
        </Fact>
        <Fact label={t('traders_kept')} note={t('traders_kept_note')}>
          {record.kept === null ? '-' : t('traders_percent', { percent: record.kept })}
        </Fact>
        <Fact label={t('traders_meets_in')} note={t('traders_meets_in_note')}>
          {hours === 0
            ? '-'
            : hours < 48
              ? t('traders_hours', { count: hours })
              : t('traders_days', { count: Math.ceil(hours / 24) })}
        </Fact>
      </dl>
    </div>
  )
}

function Fact({ label, note, children }: { label: string; note: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground text-sm">{label}</dt>
      <dd>
        <span className="tabular font-semibold text-lg">{children}</span>
        <p className="text-muted-foreground text-xs">{note}</p>
      </dd>
    </div>
  )
}
