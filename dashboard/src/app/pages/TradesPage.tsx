import { useId } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { TradeState } from '@/api/handovers'
import Choice from '@/components/choice'
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

const all = 'all'

/** The user's trades on both sides: what was agreed and how it went. */
export default function TradesPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = useId()
  const asked = params.get('state') ?? ''
  const state = Object.hasOwn(states, asked) ? (asked as TradeState) : undefined
  usePageTitle(t('common_my_trades'))
  return (
    <div className="mx-auto max-w-5xl">
      <PageHeading title={t('common_my_trades')} line={t('pages_my_trades_line')}>
        <div className="flex items-center gap-2">
          <label htmlFor={id} className="text-muted-foreground text-sm">
            {t('pages_trades_show')}
          </label>
          <Choice
            id={id}
            value={state ?? all}
            options={[
              { value: all, label: t('pages_all_trades') },
              ...Object.entries(states).map(([value, label]) => ({ value, label })),
            ]}
            onValue={(value) => navigate(value === all ? '/trades' : `/trades?state=${value}`)}
          />
        </div>
      </PageHeading>
      <SignedIn>{() => <MyTrades state={state} />}</SignedIn>
    </div>
  )
}
