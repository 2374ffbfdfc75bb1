import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { ApiError } from '@/api/client'
import { tradeQuery } from '@/api/handovers'
import type { TradeDetails } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { standingOf, standings } from '@/components/trade-state'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { useDelayed } from '@/hooks/useDelayed'
import { usePageTitle } from '@/hooks/usePageTitle'
import { formatNumber } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { Ask } from './Ask'
import { History } from './History'
import { Messages } from './Messages'
import { Sides, WhenAndWhere } from './Sides'
import { Together } from './Together'
import './trade.css'

const Meeting = lazy(() => import('./Meeting'))
const LearnHours = lazy(() => import('./LearnHours'))

type Props = {
  id: number
  /** In place of a trade that does not exist, or is between others. */
  missing: ReactNode
}

/** Everything about one trade, for its two sides: who, what, when and where, what was said, and what to say. */
export function TradeView({ id, missing }: Props) {
  const known = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...tradeQuery(id), enabled: known })
  const { data, error } = query
  const slow = useDelayed(known && !data && !error)
  if (!known || (error instanceof ApiError && error.isClientError)) return missing
  if (error && !data) return <ErrorPanel text={t('trades_one_failed')} query={query} />
  if (!data) return slow ? <Loading label={t('trades_one_loading')} boxes={['h-10', 'h-36', 'h-72']} /> : null
  return <Trade trade={data} />
}

/** What the reader calls the other side. */
const partnerOf = ({ with: other, receipt }: TradeDetails): string =>
  other?.name || other?.contact || receipt.with.name || t('trades_left')

function Trade({ trade }: { trade: TradeDetails }) {
  const { receipt, handover, open } = trade
  const { side, quantity, itemName, orderId, id } = receipt
  const standing = standingOf(trade)
  const { label, tone, icon: Icon } = standings[standing]
  const name = partnerOf(trade)
  const title = { side, quantity, item: itemName, name }
  usePageTitle(t('trades_with', title))

  const waiting = open.filter((line) => line.handover.canSay)
  // Until the reader ticks, those that wait for a word by now, and this one.
  const [ticks, setTicks] = useState<ReadonlyMap<number, boolean>>(new Map())
  const ticked = ({ handover: h }: (typeof open)[number]) =>
    ticks.get(h.id) ?? (h.id === id || standingOf({ handover: h, undoneAt: null }) === 'mine')
  const chosen = waiting.filter(ticked)
  const others = open.some((line) => line.handover.id !== id)

  return (
    <article id="trade" className="grid gap-3">
      <PageLink
        to="/trades"
        className="touch inline-flex items-center gap-1 justify-self-start text-muted-foreground text-sm hover:text-foreground"
      >
        <ArrowLeft aria-hidden className="size-3.5" /> {t('common_trades')}
      </PageLink>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-3">
          <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h1 className="min-w-0 text-xl wrap-anywhere">
              {rich('trades_title', {
                side,
                // In the text's font: the display font has old-style figures.
                what: (
                  <>
                    <span className="font-sans font-semibold">{formatNumber(quantity)}</span> <Typed>{itemName}</Typed>
                  </>
                ),
                name: <Typed>{name}</Typed>,
              })}
            </h1>
            <Tag tone={tone} className="h-6.5 px-2.5 font-semibold">
              <Icon aria-hidden /> {label}
            </Tag>
          </header>
          <Ask trade={trade} standing={standing} name={name} />
          {isOn('hours') && handover?.state === 'agreed' && !handover.yourWord && !handover.theirWord && (
            <Suspense fallback={<div data-loading className="min-h-37" />}>
              <Meeting handover={handover} name={name} />
            </Suspense>
          )}
          {isOn('hours') && standing === 'met' && (
            <Suspense fallback={null}>
              <LearnHours />
            </Suspense>
          )}
          <div className="grid divide-y rounded-lg border bg-card">
            <Sides trade={trade} name={name} over={standing === 'met'} />
            {handover !== null && (open.length > 0 || trade.place !== null) && (
              <WhenAndWhere trade={trade} handover={handover} name={name} />
            )}
            <Messages trade={trade} chosen={chosen} standing={standing} name={name} />
          </div>
        </div>
        <aside className="grid gap-3">
          {others && (
            <Together
              trade={trade}
              name={name}
              chosen={chosen}
              onTick={(sale, on) => setTicks(new Map(ticks).set(sale, on))}
            />
          )}
          <History trade={trade} name={name} />
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-1 text-sm">
            {orderId !== null && (
              <PageLink
                to={`/requests/${orderId}`}
                aria-label={`${t('trades_request')}: ${formatNumber(quantity)} ${itemName}`}
                className="touch text-primary underline decoration-primary/40 underline-offset-4"
              >
                {t('trades_request')}
              </PageLink>
            )}
            <Button variant="link" className="h-auto p-0" onClick={() => window.print()}>
              <Printer /> {t('slips_print')}
            </Button>
          </p>
        </aside>
      </div>
    </article>
  )
}
