import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { endSession, sessionsQuery, signOutEverywhere } from '@/api/account'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import type { Session } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { formatDay, formatDayAndTime, relativeTime } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

const minute = 60_000

/** Where the user is signed in, and how to end that. */
export function SessionList() {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useQuery(sessionsQuery)
  const { data, isError } = query
  const ending = useMutation({
    mutationFn: endSession,
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: keys.sessions })
      heading.current?.focus() // the button is gone
    },
    onError: (error) => showToast(messageFor(error, t('session_end_failed')), 'error'),
  })
  const everywhere = useMutation({
    mutationFn: () => signOutEverywhere(queryClient),
    onError: (error) => showToast(messageFor(error, t('session_end_all_failed')), 'error'),
  })
  return (
    <section aria-labelledby="sessions" className="grid w-full gap-1">
      <h3 ref={heading} id="sessions" tabIndex={-1} className="font-medium text-sm outline-none">
        {t('session_where')}
      </h3>
      {isError && <ErrorPanel text={t('session_load_failed')} query={query} />}
      {!data && !isError && <Skeleton className="h-14 w-full" />}
      <ul className="grid divide-y">
        {data?.sessions.map((session) => (
          <Row key={session.id} session={session} disabled={ending.isPending} onEnd={() => ending.mutate(session.id)} />
        ))}
      </ul>
      <p className="text-muted-foreground text-xs">{t('session_how_long')}</p>
      <Button
        variant="outline"
        className="justify-self-start max-sm:h-11"
        disabled={everywhere.isPending || everywhere.isSuccess}
        onClick={() => everywhere.mutate()}
      >
        {t('session_sign_out_everywhere')}
      </Button>
    </section>
  )
}

type RowProps = { session: Session; disabled: boolean; onEnd: () => void }

function Row({ session: { agent, since, usedAt, current }, disabled, onEnd }: RowProps) {
  const name = nameOf(agent)
  const day = (
    <time dateTime={since} title={formatDayAndTime(since)}>
      {formatDay(since)}
    </time>
  )
  return (
    <li className="flex min-h-14 items-center justify-between gap-3 py-1.5 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          {name}
          {current && <Badge variant="outline">{t('session_this_browser')}</Badge>}
        </p>
        <p className="text-muted-foreground text-xs">
          {usedRecently(usedAt)
            ? rich('session_since_within_hour', { day })
            : rich('session_since', { day, when: relativeTime(usedAt) })}
        </p>
      </div>
      {!current && (
        <Button
          variant="outline"
          size="sm"
          className="shrink-0 max-sm:h-11"
          disabled={disabled}
          aria-label={t('session_sign_out_of', { browser: name })}
          onClick={onEnd}
        >
          {t('common_sign_out')}
        </Button>
      )}
    </li>
  )
}

/** The server says "Firefox on Linux", or one of both. */
function nameOf(agent: string): string {
  const [browser, system] = agent.split(' on ')
  if (browser && system) return t('session_browser_on', { browser, system })
  return agent || t('session_unknown_browser')
}

/** The server notes a use once an hour. */
const usedRecently = (iso: string) => Date.now() - new Date(iso).getTime() < 70 * minute
