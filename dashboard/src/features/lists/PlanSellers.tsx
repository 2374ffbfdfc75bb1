import { useRef } from 'react'
import { Amount } from '@/components/coins'
import TradeRecordLine from '@/components/trade-record'
import { Button } from '@/components/ui/button'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import type { PlanSeller } from './planSums'

type Props = {
  sellers: PlanSeller[]
  without: { id: number; name: string }[]
  onLeaveOut: (seller: { id: number; name: string }) => void
  onTakeBack: (id: number) => void
}

/** Whom a plan buys from, with their records. Each can be left out, and taken back. */
export function PlanSellers({ sellers, without, onLeaveOut, onTakeBack }: Props) {
  const list = useRef<HTMLUListElement>(null)
  if (sellers.length + without.length === 0) return null
  const focus = () => list.current?.focus() // the button goes
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={t('lists_plan_sellers')}
      className="grid gap-2 outline-none sm:grid-cols-2"
    >
      {sellers.map(({ id, name, pays, quantity }) => (
        <li key={id} className="flex items-start gap-2 rounded-lg border bg-card px-3 py-2 text-sm">
          <div className="min-w-0 flex-1">
            <p className="tabular wrap-anywhere">
              {rich('lists_plan_seller', {
                seller: <bdi className="font-medium">{name}</bdi>,
                quantity,
                amount: <Amount value={pays} />,
              })}
            </p>
            {isOn('records') && <TradeRecordLine userId={id} />}
          </div>
          <Button
            variant="outline"
            size="sm"
            className="shrink-0 pointer-coarse:h-11"
            aria-label={t('lists_plan_leave_out_named', { name })}
            onClick={() => {
              onLeaveOut({ id, name })
              focus()
            }}
          >
            {t('lists_plan_leave_out')}
          </Button>
        </li>
      ))}
      {without.map(({ id, name }) => (
        <li key={id} className="flex items-center gap-2 rounded-lg border border-dashed px-3 py-2 text-sm">
          <p className="min-w-0 flex-1 text-muted-foreground wrap-anywhere">
            {rich('lists_plan_left_out', { name: <bdi>{name}</bdi> })}
          </p>
          <Button
            variant="ghost"
            size="sm"
            className="shrink-0 pointer-coarse:h-11"
            aria-label={t('lists_plan_take_back_named', { name })}
            onClick={() => {
              onTakeBack(id)
              focus()
            }}
          >
            {t('lists_plan_take_back')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
