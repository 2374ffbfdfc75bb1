import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Handshake } from 'lucide-react'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { handoverQuery, handoversQuery } from '@/api/handovers'
import type { Handover } from '@/api/types'
import { cn } from '@/lib/cn'
import { formatDayAndTime, formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { ByWhen } from './by-when'
import { ContradictQuestion, questionBefore } from './contradict-question'
import { useHandoverAnswers } from './handover-answers'
import { useKeptFocus } from './kept-focus'
import { meetingInWords } from './meeting-time'
import { Notice } from './notice'
import { PageLink } from './page-link'
import { PostMissing } from './post-again'
import { Tag } from './tag'
import { TradeLink } from './trade-link'
import { standingOf, standings } from './trade-state'
import { Typed } from './typed'
import { Button } from './ui/button'

type Props = { sale: number; className?: string }

/** What becomes of one accept, with the answers. Shows nothing for a sale without a handover. */
export default function HandoverPart({ sale, className }: Props) {
  const all = useQuery(handoversQuery)
  const found = all.data?.handovers.find((h) => h.id === sale)
  const older = useQuery({ ...handoverQuery(sale), enabled: !found && all.data?.nextCursor != null })
  const handover = found ?? older.data?.handovers[0]
  if (!handover && (all.isPending || older.isFetching)) return <div className={cn('h-17', className)} />
  return handover ? <HandoverAnswers handover={handover} className={className} /> : null
}

type AnswersProps = {
  handover: Handover
  /** Leads to the page of the trade. */
  linked?: boolean
  className?: string
}

const touched = 'pointer-coarse:h-11'

/** What is known of one handover, and what its reader can do about it. */
export function HandoverAnswers({ handover, linked = true, className }: AnswersProps) {
  const [changing, setChanging] = useState(false)
  const [asking, setAsking] = useState(false)
  const { say, agree, busy, failed } = useHandoverAnswers(handover.id, {
    onSaid: () => setAsking(false),
    onAgreed: () => setChanging(false),
  })
  const { label, tone } = standings[standingOf({ handover, undoneAt: null })]
  const focus = useKeptFocus()
  const what = `${formatNumber(handover.quantity)} ${handover.itemName}`
  const { meeting } = handover
  const question = questionBefore(handover, handover.with.name || handover.with.contact || t('handover_the_other_side'))
  const meets = handover.state === 'agreed' && meeting && new Date(meeting.at) > new Date()
  return (
    <section
      {...focus}
      tabIndex={-1}
      aria-label={t('handover_question', { what })}
      className={cn('grid gap-2 border-t pt-3 text-sm outline-none', className)}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Handshake aria-hidden className="size-4 text-muted-foreground" />
        <Tag tone={tone}>{label}</Tag>
        <span className="text-muted-foreground">{describe(handover)}</span>
      </p>
      <RulingReason handover={handover} />
      {meets && (
        <p className="flex flex-wrap items-center gap-x-2 first-letter:uppercase">
          <CalendarClock aria-hidden className="size-4 text-muted-foreground" />
          <PageLink to={`/trades/${handover.id}`} className="touch underline underline-offset-4">
            {meetingInWords(meeting, handover.with.name || handover.with.contact || t('handover_other_side'))}
          </PageLink>
        </p>
      )}
      {failed && <Notice>{messageFor(failed, t('handover_answer_failed'))}</Notice>}
      {handover.canSay && asking && question && (
        <ContradictQuestion
          question={question}
          what={what}
          busy={busy}
          onSure={() => say('not_met')}
          onCancel={() => setAsking(false)}
        />
      )}
      {handover.canTakeBack && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            className={touched}
            variant="outline"
            disabled={busy}
            onClick={() => say(handover.yourWord === 'met' ? 'not_met' : 'met')}
          >
            {handover.yourWord === 'met' ? t('common_not_met') : t('common_we_met')}
          </Button>
          <Button size="sm" className={touched} variant="outline" disabled={busy} onClick={() => say('take-back')}>
            {t('handover_take_back')}
          </Button>
        </div>
      )}
      {handover.canSay && !(asking && question) && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            className={touched}
            disabled={busy}
            aria-label={t('handover_met_label', { what })}
            onClick={() => say('met')}
          >
            {t('common_we_met')}
          </Button>
          {handover.canPutOff && (
            <Button size="sm" className={touched} variant="outline" disabled={busy} onClick={() => say('later')}>
              {t('handover_later')}
            </Button>
          )}
          <Button
            size="sm"
            className={touched}
            variant="outline"
            disabled={busy}
            aria-label={t('handover_not_met_label', { what })}
            onClick={() => (question ? setAsking(true) : say('not_met'))}
          >
            {t('common_not_met')}
          </Button>
          {handover.canAgree && !changing && !meets && (
            <Button size="sm" className={touched} variant="ghost" disabled={busy} onClick={() => setChanging(true)}>
              {t('handover_another_time')}
            </Button>
          )}
        </div>
      )}
      {linked && (
        <p>
          <TradeLink sale={handover.id} />
        </p>
      )}
      {changing && (
        <ByWhen
          label={t('handover_meet_by')}
          standard={t('handover_choose_time')}
          what={what}
          onChange={(by) => by && agree(by)}
        />
      )}
      <PostMissing handover={handover} />
    </section>
  )
}

/** What is known, and what happens next. */
export function describe(h: Handover) {
  const name = <Typed>{h.with.name || h.with.contact || t('handover_other_side')}</Typed>
  switch (h.state) {
    case 'agreed':
      if (h.yourWord) return rich('handover_you_said', { word: h.yourWord, name })
      if (h.theirWord) return rich('handover_they_said', { word: h.theirWord, name })
      return rich('handover_meet', {
        name,
        time: <time dateTime={h.agreedBy}>{formatDayAndTime(h.agreedBy)}</time>,
      })
    case 'disputed': {
      const places = { yours: h.yourWord ?? '', theirs: h.theirWord ?? '', name }
      return h.lookedAt === null ? rich('handover_disputed', places) : rich('handover_looked_at', places)
    }
    case 'cancelled':
      return h.ruling ? `${ruled(h)} ${t('handover_free_again')}` : t('handover_free_again')
    case 'met':
      return h.ruling ? ruled(h) : null
    default:
      return null
  }
}

const ruled = (h: Handover) => t('handover_ruled', { state: h.state, against: h.against ?? 'neither' })

/** Why a moderator decided as they did. */
export function RulingReason({ handover }: { handover: Handover }) {
  if (!handover.ruling?.reason) return null
  return (
    <blockquote dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
      {handover.ruling.reason}
    </blockquote>
  )
}
