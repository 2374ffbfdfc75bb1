import type { ReactNode } from 'react'
import type { Handover } from '@/api/types'
import { rich, t } from '@/lib/texts'
import { Time } from './meeting-time'
import { Typed } from './typed'
import { Button } from './ui/button'

/**
 * The question before the reader says that it did not happen: a partner who says that they met is contradicted, which
 * makes a case for moderators, or the trade ends before they can have met. Null for none.
 */
export function questionBefore({ theirWord, earlyUntil, meeting, agreedBy }: Handover, name: string): ReactNode {
  if (theirWord === 'met') return rich('handover_is_it_wrong', { name: <Typed>{name}</Typed> })
  if (!earlyUntil || Date.parse(earlyUntil) <= Date.now()) return null
  const until = Date.parse(earlyUntil)
  const exact = meeting != null && Date.parse(meeting.at) === until
  if (!exact && until !== Date.parse(agreedBy)) return t('handover_early_soon')
  return rich('handover_early', { exact: exact ? 'yes' : 'no', time: <Time at={earlyUntil} /> })
}

type Props = { question: ReactNode; what: string; busy: boolean; onSure: () => void; onCancel: () => void }

/** Asks once before the reader says that it did not happen. */
export function ContradictQuestion({ question, what, busy, onSure, onCancel }: Props) {
  return (
    <section aria-label={t('handover_really_not_met', { what })} className="grid gap-2 text-sm">
      <p role="status">{question}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="destructive" className="pointer-coarse:h-11" disabled={busy} onClick={onSure}>
          {t('handover_not_met_sure')}
        </Button>
        <Button size="sm" variant="outline" className="pointer-coarse:h-11" disabled={busy} onClick={onCancel}>
          {t('handover_back')}
        </Button>
      </div>
    </section>
  )
}
