import { Handshake } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import type { Handover, TradeDetails } from '@/api/types'
import { ByWhen } from '@/components/by-when'
import { Amount } from '@/components/coins'
import { ContradictQuestion, questionBefore } from '@/components/contradict-question'
import { describe, RulingReason } from '@/components/handover'
import { useHandoverAnswers } from '@/components/handover-answers'
import { Time } from '@/components/meeting-time'
import { Notice } from '@/components/notice'
import { PostAgain, PostMissing } from '@/components/post-again'
import type { Standing } from '@/components/trade-state'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { UndoButton } from '@/components/undo-button'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'

type Props = { trade: TradeDetails; standing: Standing; name: string }

/** The one question that a trade asks its reader now, or how it ended. */
export function Ask({ trade, standing, name }: Props) {
  const { receipt, handover } = trade
  const heading = useRef<HTMLHeadingElement>(null)
  const asks = standing === 'agreed' || standing === 'mine' || standing === 'disputed'
  const focus = () => requestAnimationFrame(() => heading.current?.focus()) // the button is gone
  return (
    <section
      aria-labelledby="ask"
      className={cn(
        'grid gap-3 rounded-lg border p-4 sm:px-5',
        asks ? 'border-primary bg-accent text-accent-foreground' : 'bg-card',
      )}
    >
      <div className="grid gap-1">
        <h2 id="ask" ref={heading} tabIndex={-1} className="text-lg wrap-anywhere outline-none">
          {question(trade, standing, name)}
        </h2>
        <p className={cn('text-sm empty:hidden', !asks && 'text-muted-foreground')}>{hint(trade, standing, name)}</p>
      </div>
      {handover && <RulingReason handover={handover} />}
      {handover && (handover.canSay || handover.canTakeBack) && (
        <Answers handover={handover} due={standing !== 'agreed'} name={name} onSaid={focus} />
      )}
      {handover && <PostMissing handover={handover} />}
      {standing === 'met' && receipt.side === 'buyer' && receipt.orderId !== null && (
        <PostAgain order={receipt.orderId} quantity={receipt.quantity}>
          {t('orders_post_again')}
        </PostAgain>
      )}
      {receipt.undo && (
        <UndoButton
          act={receipt.undo}
          what={receipt.crossed ? t('offers_undo_crossing', { name }) : t('offers_undo_accept', { seller: name })}
          variant="outline"
          className="justify-self-start text-foreground"
          onUndone={focus}
        />
      )}
    </section>
  )
}

function question({ handover: h, history }: TradeDetails, standing: Standing, name: string): ReactNode {
  const typed = <Typed>{name}</Typed>
  switch (standing) {
    case 'agreed':
      return rich('handover_meet', { name: typed, time: <Time at={h?.agreedBy ?? ''} /> })
    case 'mine':
      if (h?.theirWord === 'met') return rich('trades_ask_met', { name: typed })
      if (h?.theirWord === 'not_met') return rich('trades_ask_not_met', { name: typed })
      return rich('trades_ask', { name: typed })
    case 'theirs':
      return t('trades_you_said', { word: h?.yourWord ?? '' })
    case 'disputed':
      return t('trades_disagree')
    case 'met':
      return h?.yourWord === 'met' && h.theirWord === 'met' ? t('trades_done') : t('trades_done_silently')
    case 'cancelled':
      return t('common_not_met')
    case 'unconfirmed':
      return t('trades_unconfirmed')
    case 'undone':
      return rich('trades_undone', { by: history.find((e) => e.kind === 'undone')?.by ?? 'them', name: typed })
    case 'accepted':
      return t('trades_accepted')
  }
}

function hint({ receipt, handover: h, next }: TradeDetails, standing: Standing, name: string): ReactNode {
  const { side, quantity, itemName, total } = receipt
  const what = {
    side,
    quantity,
    item: <Typed>{itemName}</Typed>,
    amount: <Amount value={total} className="font-semibold" />,
  }
  switch (standing) {
    case 'agreed':
      return rich('trades_bring_hint', what)
    case 'mine':
      return rich('trades_ask_hint', what)
    case 'theirs':
      return rich('trades_you_said_hint', { name: <Typed>{name}</Typed>, time: <Time at={next?.at ?? ''} /> })
    case 'unconfirmed':
      return t('trades_unconfirmed_hint')
    case 'undone':
      return t('trades_undone_hint')
    case 'accepted':
      return t('trades_accepted_hint')
    default:
      return h && describe(h)
  }
}

type AnswersProps = { handover: Handover; due: boolean; name: string; onSaid: () => void }

function Answers({ handover: h, due, name, onSaid }: AnswersProps) {
  const [changing, setChanging] = useState(false)
  const [asking, setAsking] = useState(false)
  const { say, agree, busy, failed } = useHandoverAnswers(h.id, {
    onSaid() {
      setAsking(false)
      onSaid()
    },
    onAgreed: () => setChanging(false),
  })
  const what = `${formatNumber(h.quantity)} ${h.itemName}`
  const question = questionBefore(h, name)
  const other = h.yourWord === 'met' ? 'not_met' : 'met'
  return (
    <>
      {failed && <Notice>{messageFor(failed, t('handover_answer_failed'))}</Notice>}
      {h.canSay && asking && question && (
        <ContradictQuestion
          question={question}
          what={what}
          busy={busy}
          onSure={() => say('not_met')}
          onCancel={() => setAsking(false)}
        />
      )}
      {h.canTakeBack && (
        <div className="flex flex-wrap gap-2">
          <Answer busy={busy} onClick={() => say(other)}>
            {other === 'met' ? t('common_we_met') : t('common_not_met')}
          </Answer>
          <Answer busy={busy} onClick={() => say('take-back')}>
            {t('handover_take_back')}
          </Answer>
        </div>
      )}
      {h.canSay && !(asking && question) && (
        <div className="flex flex-wrap gap-2">
          <Button
            className="h-11 px-5 text-base max-sm:h-12 max-sm:flex-1"
            disabled={busy}
            aria-label={t('handover_met_label', { what })}
            onClick={() => say('met')}
          >
            <Handshake /> {t('common_we_met')}
          </Button>
          {h.canAgree &&
            !due &&
            !changing &&
            !h.meeting && ( // else the time to meet is changed beside it
              <Answer busy={busy} onClick={() => setChanging(true)}>
                {t('handover_another_time')}
              </Answer>
            )}
          <Answer
            busy={busy}
            quiet={!due}
            label={t('handover_not_met_label', { what })}
            onClick={() => (question ? setAsking(true) : say('not_met'))}
          >
            {t('common_not_met')}
          </Answer>
          {h.canPutOff && (
            <Answer busy={busy} quiet onClick={() => say('later')}>
              {t('handover_later')}
            </Answer>
          )}
        </div>
      )}
      {h.canSay && due && !(asking && question) && <p className="text-sm">{t('trades_not_all')}</p>}
      {changing && (
        <ByWhen
          label={t('handover_meet_by')}
          standard={t('handover_choose_time')}
          what={what}
          onChange={(by) => by && agree(by)}
        />
      )}
    </>
  )
}

type AnswerProps = { busy: boolean; label?: string; quiet?: boolean; onClick: () => void; children: ReactNode }

function Answer({ busy, label, quiet = false, onClick, children }: AnswerProps) {
  return (
    <Button
      variant={quiet ? 'ghost' : 'outline'}
      className={cn('h-11 px-5 text-base max-sm:h-12', !quiet && 'text-foreground max-sm:flex-1')}
      disabled={busy}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
