import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { sayHandovers } from '@/api/handovers'
import type { SlipLine } from '@/api/slips'
import type { TradeDetails } from '@/api/types'
import { SoftButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { useRefreshTrades } from '@/components/handover-answers'
import { Notice } from '@/components/notice'
import { PageLink } from '@/components/page-link'
import { standingOf, standings } from '@/components/trade-state'
import { Typed } from '@/components/typed'
import { Checkbox } from '@/components/ui/checkbox'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { totalsOf } from './totals'

type Props = {
  trade: TradeDetails
  name: string
  chosen: SlipLine[]
  onTick: (sale: number, on: boolean) => void
}

/** All that is open with the same partner: what both met for is said at once. */
export function Together({ trade, name, chosen, onTick }: Props) {
  const refresh = useRefreshTrades()
  const writes = useIdempotencyKey()
  const heading = useRef<HTMLHeadingElement>(null)
  const [errors, setErrors] = useState<ReadonlyMap<number, string>>(new Map())
  const say = useMutation({
    mutationFn: (sales: number[]) => sayHandovers(sales, 'met', writes.keyFor(sales)),
    onMutate: () => setErrors(new Map()),
    onSuccess: (_, sales) => {
      writes.succeeded()
      showToast(t('slips_said_met', { count: sales.length }))
      heading.current?.focus() // the button may be gone
    },
    onError: (error, sales) => {
      if (error instanceof ApiError) setErrors(bySale(error, sales))
    },
    onSettled: refresh,
  })
  const sayable = trade.open.some((line) => line.handover.canSay)
  const { pay, earn } = totalsOf(chosen)
  const net = pay - earn
  const count = chosen.length
  return (
    <section aria-labelledby="together" className="rounded-lg border bg-card">
      <div className="px-4 pt-3.5 pb-2.5 sm:px-5">
        <h2 id="together" ref={heading} tabIndex={-1} className="text-lg wrap-anywhere outline-none">
          {rich('trades_with_partner', { name: <Typed>{name}</Typed> })}
        </h2>
        {sayable && <p className="text-muted-foreground text-sm">{t('trades_with_partner_hint')}</p>}
      </div>
      {say.error && (
        <div className="px-4 pb-2.5 sm:px-5">
          <Notice>
            {errors.size > 0 ? t('slips_not_saved') : messageFor(say.error, t('slips_answer_failed'))}
            {/* What is no longer open is named here. */}
            {[...errors]
              .filter(([sale]) => !trade.open.some((line) => line.handover.id === sale))
              .map(([sale, text]) => (
                <p key={sale}>{text}</p>
              ))}
          </Notice>
        </div>
      )}
      <ul aria-labelledby="together">
        {trade.open.map((line) => (
          <Line
            key={line.handover.id}
            line={line}
            own={line.handover.id === trade.receipt.id}
            ticked={chosen.includes(line)}
            error={errors.get(line.handover.id)}
            onTick={(on) => onTick(line.handover.id, on)}
          />
        ))}
      </ul>
      {trade.more && <p className="border-t px-4 py-2.5 text-muted-foreground text-sm sm:px-5">{t('slips_more')}</p>}
      {sayable && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t px-4 py-3.5 sm:px-5">
          <p className="grid text-sm" aria-live="polite">
            {count === 0 ? (
              <span className="text-muted-foreground">{t('trades_choose_some')}</span>
            ) : net === 0n ? (
              t('slips_even')
            ) : (
              <>
                <span className="text-muted-foreground">
                  {net > 0n ? t('trades_chosen_pay', { count }) : t('trades_chosen_get', { count })}
                </span>
                <Amount value={net > 0n ? net : -net} size="medium" />
              </>
            )}
          </p>
          <SoftButton
            className="pointer-coarse:h-11"
            disabled={count === 0 || say.isPending}
            onClick={() => say.mutate(chosen.map((line) => line.handover.id))}
          >
            {say.isPending ? t('common_saving') : count === 0 ? t('common_we_met') : t('trades_met_for', { count })}
          </SoftButton>
        </div>
      )}
    </section>
  )
}

/** The reasons by the number of the trade: the server names them by their place. */
function bySale(error: ApiError, sales: number[]): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(error.problem.errors ?? {}).map(([field, text]) => {
      const place = Number(/^sales\[(\d+)\]$/.exec(field)?.[1] ?? 0)
      return [sales[place - 1] ?? 0, text] as const
    }),
  )
}

type LineProps = {
  line: SlipLine
  /** Whether the page is about this one. */
  own: boolean
  ticked: boolean
  error: string | undefined
  onTick: (on: boolean) => void
}

function Line({ line: { handover: h }, own, ticked, error, onTick }: LineProps) {
  const id = useId()
  const what: ReactNode = (
    <>
      {formatNumber(h.quantity)} <Typed>{h.itemName}</Typed>
    </>
  )
  return (
    <li className="grid border-t px-4 py-1 sm:px-5">
      <div className="flex min-h-10 items-center gap-2.5">
        {h.canSay && (
          <Checkbox
            id={id}
            className="size-5"
            aria-label={`${formatNumber(h.quantity)} ${h.itemName}`}
            checked={ticked}
            onCheckedChange={(on) => onTick(on === true)}
          />
        )}
        {own ? (
          <label htmlFor={h.canSay ? id : undefined} className="min-w-0 flex-1 font-medium wrap-anywhere">
            {what} <span className="font-normal text-muted-foreground text-sm">{t('trades_this')}</span>
          </label>
        ) : (
          <PageLink
            to={`/trades/${h.id}`}
            className="touch min-w-0 flex-1 underline-offset-2 wrap-anywhere hover:underline"
          >
            {what}
          </PageLink>
        )}
        <Amount value={h.total} />
        <span className="text-muted-foreground text-sm">
          {h.side === 'buyer' ? t('trades_line_pay') : t('trades_line_get')}
        </span>
      </div>
      {!h.canSay && (
        <p className="pb-1 text-muted-foreground text-sm">
          {standings[standingOf({ handover: h, undoneAt: null })].label}
        </p>
      )}
      {error && (
        <p role="alert" className="pb-1 text-destructive text-sm">
          {error}
        </p>
      )}
    </li>
  )
}
