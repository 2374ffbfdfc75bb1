import { useId } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { TradeState } from '@/api/handovers'
import { MyTrades } from '@/features/trades/MyTrades'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const states: Record<TradeState, string> = {
  agreed: t('pages_trade_agreed'),
  met: t('pages_trade_met'),
  cancelled: t('pages_trade_cancelled'),
  disputed: t('pages_trade_disputed'),
  unconfirmed: t('pages_trade_unconfirmed'),
}

/** The user's trades on both sides: what was agreed and how it went. */
export default function TradesPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = useId()
  const asked = params.get('state') ?? ''
  const state = Object.hasOwn(states, asked) ? (asked as TradeState) : undefined
  usePageTitle(t('common_my_trades'))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title={t('common_my_trades')} line={t('pages_my_trades_line')}>
        <div className="flex items-center gap-2">
          <label htmlFor={id} className="text-muted-foreground text-sm">
            {t('pages_trades_show')}
          </label>
          <select
            id={id}
            className="h-10 rounded-md border border-input bg-card px-2.5 text-sm pointer-coarse:h-11"
            value={state ?? ''}
            onChange={(event) => navigate(event.target.value ? `/trades?state=${event.target.value}` : '/trades')}
          >
            <option value="">{t('pages_all_trades')}</option>
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
