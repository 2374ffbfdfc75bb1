import { Trash2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageForSale } from '@/api/client'
import { QuietDestructiveButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { Notice } from '@/components/notice'
import { TradeLink } from '@/components/trade-link'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { UndoButton } from '@/components/undo-button'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { type Answered, acceptAll, type Choice, declineAll, useAnswers } from './useAnswers'

/** The line above the offers. Sentence and bar have the same height, so that no offer moves when one is ticked. */
export const queueLine =
  'sticky top-14 short:static z-20 flex h-11 max-sm:h-14 items-center gap-2 bg-background text-sm max-xl:pointer-coarse:h-14'

type Props = { choices: Choice[]; onAnswered: (answered: Answered[]) => void; onClear: () => void }

/** Accepts or declines the chosen offers. */
export function AnswerBar({ choices, onAnswered, onClear }: Props) {
  const { mutate, isPending, error } = useAnswers(choices, onAnswered)
  const [asked, setAsked] = useState(false)
  const button = useSendKeyOutside()
  const accepts = acceptAll(choices)
  const cost = choices.reduce((sum, { offer, accept }) => sum + BigInt(offer.pricePerUnit) * BigInt(accept), 0n)
  return (
    <>
      <section aria-label={t('offers_chosen')} className={queueLine}>
        <div className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md bg-accent px-3 text-accent-foreground max-sm:px-2">
          <p className="mr-auto min-w-0 max-sm:text-xs" aria-live="polite">
            {asked
              ? t('offers_decline_question', { count: choices.length })
              : rich('offers_chosen_cost', {
                  b: (text) => <strong className="font-semibold">{text}</strong>,
                  count: choices.length,
                  quantity: accepts.reduce((sum, { accept }) => sum + accept, 0),
                  cost: <Amount value={cost} />,
                })}
          </p>
          {asked ? (
            <>
              <Button variant="ghost" size="sm" className={touch} onClick={() => setAsked(false)}>
                {t('offers_keep')}
              </Button>
              <Button
                variant="destructive"
                size="sm"
                className={touch}
                disabled={isPending}
                autoFocus
                onClick={() => mutate(declineAll(choices))}
              >
                {isPending ? t('offers_declining') : t('offers_decline')}
              </Button>
            </>
          ) : (
            <>
              <Button variant="ghost" size="sm" className={icon} onClick={onClear}>
                <X className="sm:hidden" /> <span className="max-sm:sr-only">{t('offers_clear')}</span>
              </Button>
              <QuietDestructiveButton size="sm" className={icon} disabled={isPending} onClick={() => setAsked(true)}>
                <Trash2 className="sm:hidden" /> <span className="max-sm:sr-only">{t('offers_decline_chosen')}</span>
              </QuietDestructiveButton>
              <Button
                size="sm"
                className={touch}
                ref={button}
                aria-keyshortcuts="Control+Enter"
                disabled={isPending || accepts.length === 0}
                onClick={() => mutate(accepts)}
              >
                {isPending ? (
                  t('offers_accepting')
                ) : (
                  <>
                    <span aria-hidden="true" className="sm:hidden">
                      {t('offers_accept_short')}
                    </span>
                    <span className="max-sm:sr-only">{t('offers_accept_chosen', { count: accepts.length })}</span>
                  </>
                )}
              </Button>
            </>
          )}
        </div>
      </section>
      {error && <Notice className="mb-3">{messageForSale(error, t('offers_accept_failed'))}</Notice>}
    </>
  )
}

/** Ctrl+Enter, or Cmd+Enter, presses the button from anywhere on the page but a form, which it sends. */
function useSendKeyOutside() {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      if (!(event.target instanceof Element) || event.target.closest('form, [role=dialog]')) return
      event.preventDefault()
      button.current?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return button
}

const touch = 'pointer-coarse:h-11'
const icon = 'pointer-coarse:h-11 max-sm:px-2 pointer-coarse:min-w-11'

/** What came of each answer. */
export function Outcomes({ answered }: { answered: Answered[] }) {
  if (answered.length === 0) return null
  const failed = answered.some(({ outcome }) => outcome.problem)
  return (
    <Notice tone={failed ? 'info' : 'success'} className="items-center py-1.5 [&>svg]:translate-y-0">
      <ul aria-label={t('offers_outcomes')} className="grid gap-1">
        {answered.map((one) => (
          <Outcome key={one.offer.id} {...one} />
        ))}
      </ul>
    </Notice>
  )
}

const outcome = 'flex min-h-8 flex-wrap items-center gap-x-3'

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
      <li className={outcome}>
        <span>
          {rich('offers_outcome_declined', {
            seller: <Typed>{offer.sellerName}</Typed>,
            item: <Typed>{order.itemName}</Typed>,
          })}
        </span>{' '}
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
    <li className={outcome}>
      <span>
        {rich('offers_outcome_accepted', {
          quantity: accepted.sale.quantitySold,
          item: <Typed>{order.itemName}</Typed>,
          seller: <Typed>{offer.sellerName}</Typed>,
        })}
      </span>{' '}
      {isOn('handover') && !undone && <TradeLink sale={accepted.sale.id} />}
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
