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
import { countOf, formatMonth, formatNumber } from '@/lib/format'

/** The public page of a trader: facts, and no grade. */
export function TraderView({ id }: { id: number }) {
  const known = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...traderQuery(id), enabled: known })
  const { data, error } = query
  usePageTitle(data?.name)
  if (!data && (!known || (error instanceof ApiError && error.isClientError))) {
    return <NotFound title="Trader not found" hint="They may have left or not traded yet, or the link may be wrong." />
  }
  if (error && !data) return <ErrorPanel text="Failed to load the trader. Please try again." query={query} />
  if (!data) return <Loading label="Loading the trader" boxes={['h-12', 'h-44']} className="gap-4" />
  const { record } = data
  const hours = record.meetsIn === null ? 0 : Math.ceil(record.meetsIn / 60)
  return (
    <div className="grid gap-5">
      <header>
        <h1 className="text-xl wrap-anywhere">
          <Typed>{data.name}</Typed>
        </h1>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-muted-foreground text-sm">
          Account since <time dateTime={data.since}>{formatMonth(data.since)}</time>
          {data.established && (
            <Tag tone="accent">
              <BadgeCheck aria-hidden /> established
            </Tag>
          )}
          {record.new && <Tag tone="outline">new here</Tag>}
        </p>
      </header>
      <dl className="grid gap-x-6 gap-y-4 rounded-lg border bg-card p-4 sm:grid-cols-2">
        <Fact name="Partners" note="Different established traders they met; others in brackets.">
          {formatNumber(record.partners)}
          {record.others > 0 && ` (+${formatNumber(record.others)})`}
        </Fact>
        <Fact name="Trades met" note="Accepted offers that were handed over.">
          {formatNumber(record.met)}
        </Fact>
        <Fact name="Kept" note="Of their partners, those with whom they kept their word.">
          {record.kept === null ? '-' : `${record.kept}%`}
        </Fact>
        <Fact name="Usual time to meet" note="From accepting until both had met.">
          {hours === 0 ? '-' : hours < 48 ? countOf(hours, 'hour') : countOf(Math.ceil(hours / 24), 'day')}
        </Fact>
      </dl>
    </div>
  )
}

function Fact({ name, note, children }: { name: string; note: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground text-sm">{name}</dt>
      <dd>
        <span className="tabular font-semibold text-lg">{children}</span>
        <p className="text-muted-foreground text-xs">{note}</p>
      </dd>
    </div>
  )
}
