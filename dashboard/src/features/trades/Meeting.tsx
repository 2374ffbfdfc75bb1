import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { acceptMeeting, chooseMeeting, hoursQuery, proposeMeeting, saveHours } from '@/api/hours'
import type { Handover } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { useRefreshTrades } from '@/components/handover-answers'
import { meetingInWords, Time } from '@/components/meeting-time'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { rich, t } from '@/lib/texts'

type Props = { handover: Handover; name: string }

/** The one time that is proposed to both sides, with the presses to take or change it. */
export default function Meeting({ handover: h, name }: Props) {
  const { meeting } = h
  const heading = useRef<HTMLHeadingElement>(null)
  const [choosing, setChoosing] = useState(false)
  const writes = useIdempotencyKey()
  const refresh = useRefreshTrades()
  const options = {
    onSuccess() {
      writes.succeeded()
      setChoosing(false)
      requestAnimationFrame(() => heading.current?.focus()) // the button is gone
    },
    onSettled: refresh,
  }
  const at = meeting?.at
  const accept = useMutation({
    mutationFn: (time: string) => acceptMeeting(h.id, time, writes.keyFor(['works', h.id, time])),
    ...options,
  })
  const choose = useMutation({
    mutationFn: (time: string) => chooseMeeting(h.id, time, writes.keyFor(['choose', h.id, time])),
    ...options,
  })
  const other = useMutation({
    mutationFn: () => proposeMeeting(h.id, at, writes.keyFor(['other', h.id, at])),
    ...options,
    onError: (error) => error instanceof ApiError && error.problem.code === 'meeting_none' && setChoosing(true),
  })
  const busy = accept.isPending || choose.isPending || other.isPending
  const failed = accept.error ?? choose.error ?? other.error
  const past = at !== undefined && new Date(at) <= new Date()
  const more = !meeting || meeting.proposalsLeft > 0
  const press = 'h-11 px-5 max-sm:h-12 max-sm:flex-1'
  return (
    <section aria-labelledby="meeting" className="grid gap-3 rounded-lg border bg-card p-4 sm:px-5">
      <div className="grid gap-1">
        <h2 id="meeting" ref={heading} tabIndex={-1} className="flex items-center gap-2 text-base outline-none">
          <CalendarClock aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0 wrap-anywhere first-letter:uppercase">
            {!meeting || past ? t('meeting_when') : meetingInWords(meeting, name)}
          </span>
        </h2>
        <p className="text-muted-foreground text-sm">{hint(meeting, past, name)}</p>
        {!meeting && <SayHours />}
      </div>
      {failed && <Notice>{messageFor(failed, t('meeting_failed'))}</Notice>}
      <div className="flex flex-wrap gap-2">
        {meeting && !meeting.works && !past && (
          <Button className={press} disabled={busy} onClick={() => accept.mutate(meeting.at)}>
            {t('meeting_works')}
          </Button>
        )}
        {meeting && more && (
          <Button variant="outline" className={press} disabled={busy} onClick={() => other.mutate()}>
            {t('meeting_other')}
          </Button>
        )}
        {!choosing && more && (
          <Button
            variant={meeting ? 'ghost' : 'outline'}
            className={press}
            disabled={busy}
            onClick={() => setChoosing(true)}
          >
            {t('meeting_choose')}
          </Button>
        )}
      </div>
      {choosing && more && <Choose busy={busy} onChoose={(time) => choose.mutate(time)} />}
    </section>
  )
}

function hint(meeting: Handover['meeting'], past: boolean, name: string): ReactNode {
  if (!meeting) return t('meeting_none_hint')
  const places = { name: <Typed>{name}</Typed>, time: <Time at={meeting.at} /> }
  if (meeting.proposalsLeft === 0 && !meeting.works) return rich('meeting_often_hint', places)
  if (past) return rich('meeting_past_hint', places)
  if (meeting.works && meeting.worksForThem) return t('meeting_agreed_hint')
  return meeting.works ? rich('meeting_yours_hint', places) : t('meeting_proposed_hint')
}

/** Leads users who have not said when they play to where they can, until they have answered once. */
function SayHours() {
  const { open } = useDialogs()
  const { data } = useQuery(hoursQuery)
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const dismiss = useMutation({
    mutationFn: () => saveHours([], writes.keyFor('not-now')),
    onSuccess: (hours) => queryClient.setQueryData(hoursQuery.queryKey, hours),
  })
  if (!data?.asks) return null
  return (
    <p className="flex flex-wrap gap-x-4 text-sm">
      <LinkButton onClick={() => open({ name: 'data' })}>{t('meeting_say_hours')}</LinkButton>
      <LinkButton onClick={() => dismiss.mutate()}>{t('meeting_not_now')}</LinkButton>
    </p>
  )
}

function Choose({ busy, onChoose }: { busy: boolean; onChoose: (time: string) => void }) {
  const [typed, setTyped] = useState('')
  const id = useId()
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed) onChoose(new Date(typed).toISOString())
      }}
    >
      <div className="grid gap-1 text-sm max-sm:w-full">
        <label htmlFor={id} className="font-medium">
          {t('meeting_choose_label')}
        </label>
        <Input
          id={id}
          autoFocus // the button that opened it is gone
          type="datetime-local"
          required
          className="h-11 w-56 max-sm:w-full"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button type="submit" className="h-11 max-sm:h-12 max-sm:w-full" disabled={busy || !typed}>
        {t('meeting_propose')}
      </Button>
    </form>
  )
}
