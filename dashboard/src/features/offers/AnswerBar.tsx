import { useState } from 'react'
import { messageForSale } from '@/api/client'
import { QuietDestructiveButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { UndoButton } from '@/components/undo-button'
import { rich, t } from '@/lib/texts'
import { type Answered, acceptAll, type Choice, declineAll, useAnswers } from './useAnswers'

type Props = { choices: Choice[]; onAnswered: (answered: Answered[]) => void; onClear: () => void }

/** Accepts or declines the chosen offers. */
export function AnswerBar({ choices, onAnswered, onClear }: Props) {
  const { mutate, isPending, error } = useAnswers(choices, onAnswered)
  const [asked, setAsked] = useState(false)
  const accepts = acceptAll(choices)
  const cost = choices.reduce(
    (sum, { offer }, i) => sum + BigInt(offer.pricePerUnit) * BigInt(accepts[i]?.accept ?? 0),
    0n,
  )
  return (
    <section
      aria-label={t('offers_chosen')}
      className="sticky bottom-[calc(0.75rem+var(--bottom-bar))] z-20 grid gap-2 rounded-lg border bg-popover p-3 shadow-lifted"
    >
      {error && <Notice>{messageForSale(error, t('offers_accept_failed'))}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm">
          {asked
            ? t('offers_decline_question', { count: choices.length })
            : rich('offers_chosen_cost', {
                count: choices.length,
                cost: <Amount value={cost} className="text-muted-foreground" />,
              })}
        </p>
        {asked ? (
          <>
            <Button variant="ghost" onClick={() => setAsked(false)}>
              {t('offers_keep')}
            </Button>
            <Button variant="destructive" disabled={isPending} onClick={() => mutate(declineAll(choices))}>
              {isPending ? t('offers_declining') : t('offers_decline')}
            </Button>
          </>
        ) : (
          <>
            <Button variant="ghost" onClick={onClear}>
              {t('offers_clear')}
            </Button>
            <QuietDestructiveButton disabled={isPending} onClick={() => setAsked(true)}>
              {t('offers_decline_all')}
            </QuietDestructiveButton>
            <Button disabled={isPending} onClick={() => mutate(accepts)}>
              {isPending ? t('offers_accepting') : t('offers_accept_all')}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

/** What came of each answer. */
export function Outcomes({ answered }: { answered: Answered[] }) {
  if (answered.length === 0) return null
  const failed = answered.some(({ outcome }) => outcome.problem)
  return (
    <Notice tone={failed ? 'info' : 'success'}>
      <ul aria-label={t('offers_outcomes')} className="grid gap-1">
        {answered.map((one) => (
          <Outcome key={one.offer.id} {...one} />
        ))}
      </ul>
    </Notice>
  )
}

function Outcome({ offer, order, outcome: { accepted, problem, undo } }: Answered) {
  const [undone, setUndone] = useState(false)
  if (problem) {
    return (
      <li className="text-destructive">
        <Typed>{offer.sellerName}</Typed>, <Typed>{order.itemName}</Typed>: {problem.detail}
      </li>
    )
  }
  if (!accepted) {
    return (
      <li>
        {rich('offers_outcome_declined', {
          seller: <Typed>{offer.sellerName}</Typed>,
          item: <Typed>{order.itemName}</Typed>,
        })}{' '}
        {undone
          ? t('common_undone')
          : undo && (
              <UndoButton
                act={undo}
                what={t('offers_undo_decline', { seller: offer.sellerName })}
                onUndone={() => setUndone(true)}
              />
            )}
      </li>
    )
  }
  return (
    <li>
      {rich('offers_outcome_accepted', {
        quantity: accepted.sale.quantitySold,
        item: <Typed>{order.itemName}</Typed>,
        seller: <Typed>{offer.sellerName}</Typed>,
      })}{' '}
      {undone
        ? t('common_undone')
        : accepted.sale.undo && (
            <UndoButton
              act={accepted.sale.undo}
              what={t('offers_undo_accept', { seller: offer.sellerName })}
              onUndone={() => setUndone(true)}
            />
          )}
    </li>
  )
}
