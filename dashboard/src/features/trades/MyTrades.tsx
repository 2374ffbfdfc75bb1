import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type TradeState, tradesQuery } from '@/api/handovers'
import type { Handover } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { HandoverAnswers } from '@/components/handover'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { PageLink } from '@/components/page-link'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { lazy } from '@/lib/loaded'
import { rich, t } from '@/lib/texts'

const EmptyState = lazy(() => import('@/components/empty-state'))

const open: TradeState[] = ['agreed', 'disputed']
const past: TradeState[] = ['met', 'cancelled', 'unconfirmed']

/** The user's trades: open ones first, then past ones; or those in one state. */
export function MyTrades({ state }: { state?: TradeState }) {
  return state ? <Trades key={state} states={[state]} /> : <AllTrades />
}

function AllTrades() {
  const waiting = useInfiniteQuery(tradesQuery(open))
  const over = useInfiniteQuery(tradesQuery(past))
  const none = (query: typeof over) => query.data?.pages[0]?.handovers.length === 0
  if (none(waiting) && none(over)) return <NoTrades title={t('trades_none_yet')} />
  return (
    <div className="grid gap-8">
      {!none(waiting) && (
        <section aria-label={t('trades_open')} className="grid gap-3">
          <h2 className="text-lg">{t('common_open')}</h2>
          <Trades states={open} />
        </section>
      )}
      {!none(over) && (
        <section aria-label={t('trades_past')} className="grid gap-3">
          <h2 className="text-lg">{t('trades_past_heading')}</h2>
          <Trades states={past} />
        </section>
      )}
    </div>
  )
}

function Trades({ states }: { states: TradeState[] }) {
  const query = useInfiniteQuery(tradesQuery(states))
  const { data, isPending, isError } = query
  const slow = useDelayed(isPending)
  if (isPending)
    return slow ? <Loading label={t('trades_loading')} boxes={Array<string>(3).fill('h-24 rounded-lg')} /> : null
  if (isError) return <ErrorPanel text={t('trades_load_failed')} query={query} />
  const trades = data.pages.flatMap((page) => page.handovers)
  if (trades.length === 0) return <NoTrades title={t('trades_none_in_state')} />
  return (
    <>
      <ul className="grid divide-y rounded-lg border bg-card">
        {trades.map((trade) => (
          <TradeRow key={trade.id} trade={trade} />
        ))}
      </ul>
      <MoreButton pages={query} className="mt-3" />
    </>
  )
}

/** The item, the partner and the sum in one line, then its state and the answers that its reader can give. */
function TradeRow({ trade }: { trade: Handover }) {
  const { id, side, quantity, itemName, total, acceptedAt } = trade
  const name = trade.with.name || trade.with.contact || t('trades_left')
  return (
    <li className="grid gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
        <h3 className="min-w-0 flex-1 basis-56 font-sans font-semibold text-base wrap-anywhere">
          {rich('trades_with', {
            side,
            quantity,
            item: (
              <PageLink to={`/trades/${id}`} className="touch hover:text-primary hover:underline">
                <Typed>{itemName}</Typed>
              </PageLink>
            ),
            name: <Typed>{name}</Typed>,
          })}
        </h3>
        <p className="tabular text-sm">
          {rich('trades_pay', {
            side,
            quiet: (text) => <span className="text-muted-foreground">{text}</span>,
            amount: <Amount value={total} />,
          })}
        </p>
        <When at={acceptedAt} className="min-w-24 text-right max-sm:min-w-0" />
      </div>
      <HandoverAnswers handover={trade} linked={false} className="border-t-0 pt-0" />
    </li>
  )
}

function NoTrades({ title }: { title: string }) {
  const { go } = useDialogs()
  const board = useBoardAddress()
  return (
    <Suspense fallback={<div data-loading className="min-h-80" />}>
      <EmptyState
        drawing="signpost"
        title={title}
        hint={t('trades_none_hint')}
        action={<Button onClick={() => go(board)}>{t('common_browse_requests')}</Button>}
      />
    </Suspense>
  )
}
