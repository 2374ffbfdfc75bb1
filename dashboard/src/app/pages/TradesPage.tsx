import { useId } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { TradeState } from '@/api/handovers'
import { MyTrades } from '@/features/trades/MyTrades'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const states: Record<TradeState, string> = {
  agreed: 'Agreed',
  met: 'Met',
  cancelled: 'Did not happen',
  disputed: 'Disputed',
  unconfirmed: 'Nobody has said',
}

/** The user's trades on both sides: what was agreed and how it went. */
export default function TradesPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = useId()
  const asked = params.get('state') ?? ''
  const state = Object.hasOwn(states, asked) ? (asked as TradeState) : undefined
  usePageTitle('My Trades')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="My Trades" line="Accepted offers, and whether you met">
        <div className="flex items-center gap-2">
          <label htmlFor={id} className="text-muted-foreground text-sm">
            Show
          </label>
          <select
            id={id}
            className="h-10 rounded-md border border-input bg-card px-2.5 text-sm pointer-coarse:h-11"
            value={state ?? ''}
            onChange={(event) => navigate(event.target.value ? `/trades?state=${event.target.value}` : '/trades')}
          >
            <option value="">All trades</option>
            {Object.entries(states).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </PageHeading>
      <SignedIn>{() => <MyTrades state={state} />}</SignedIn>
    </div>
  )
}
