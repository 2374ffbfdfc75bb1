import { useState } from 'react'
import { messageForSale } from '@/api/client'
import { QuietDestructiveButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { UndoButton } from '@/components/undo-button'
import { countOf, formatNumber } from '@/lib/format'
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
      aria-label="Chosen offers"
      className="sticky bottom-[calc(0.75rem+var(--bottom-bar))] z-20 grid gap-2 rounded-lg border bg-popover p-3 shadow-lifted"
    >
      {error && <Notice>{messageForSale(error, 'Failed to accept offer. Please try again.')}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm">
          {asked ? (
            `Decline ${countOf(choices.length, 'offer')}? We'll tell the sellers.`
          ) : (
            <>
              {countOf(choices.length, 'offer')} chosen <Amount value={cost} className="text-muted-foreground" />
            </>
          )}
        </p>
        {asked ? (
          <>
            <Button variant="ghost" onClick={() => setAsked(false)}>
              Keep
            </Button>
            <Button variant="destructive" disabled={isPending} onClick={() => mutate(declineAll(choices))}>
              {isPending ? 'Declining...' : 'Decline'}
            </Button>
          </>
        ) : (
          <>
            <Button variant="ghost" onClick={onClear}>
              Clear
            </Button>
            <QuietDestructiveButton disabled={isPending} onClick={() => setAsked(true)}>
              Decline all
            </QuietDestructiveButton>
            <Button disabled={isPending} onClick={() => mutate(accepts)}>
              {isPending ? 'Accepting...' : 'Accept all'}
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
      <ul aria-label="Outcomes" className="grid gap-1">
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
        Declined the offer of <Typed>{offer.sellerName}</Typed> on <Typed>{order.itemName}</Typed>.{' '}
        {undone
          ? 'Undone.'
          : undo && (
              <UndoButton
                act={undo}
                what={`declining the offer of ${offer.sellerName}`}
                onUndone={() => setUndone(true)}
              />
            )}
      </li>
    )
  }
  return (
    <li>
      Accepted {formatNumber(accepted.sale.quantitySold)} × <Typed>{order.itemName}</Typed> from{' '}
      <Typed>{offer.sellerName}</Typed>.{' '}
      {undone
        ? 'Undone.'
        : accepted.sale.undo && (
            <UndoButton
              act={accepted.sale.undo}
              what={`the accept of ${offer.sellerName}'s offer`}
              onUndone={() => setUndone(true)}
            />
          )}
    </li>
  )
}
