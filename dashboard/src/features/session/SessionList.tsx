import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { endSession, sessionsQuery, signOutEverywhere } from '@/api/me'
import type { Session } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { formatDay, formatDayAndTime, relativeTime } from '@/lib/format'
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
    onError: (error) => showToast(messageFor(error, 'Failed to sign out there. Please try again.'), 'error'),
  })
  const everywhere = useMutation({
    mutationFn: () => signOutEverywhere(queryClient),
    onError: (error) => showToast(messageFor(error, 'Failed to sign out everywhere. Please try again.'), 'error'),
  })
  return (
    <section aria-labelledby="sessions" className="grid w-full gap-1">
      <h3 ref={heading} id="sessions" tabIndex={-1} className="font-medium text-sm outline-none">
        Where you're signed in
      </h3>
      {isError && <ErrorPanel text="Failed to load where you're signed in. Please try again." query={query} />}
      {!data && !isError && <Skeleton className="h-14 w-full" />}
      <ul className="grid divide-y">
        {data?.sessions.map((session) => (
          <Row key={session.id} session={session} disabled={ending.isPending} onEnd={() => ending.mutate(session.id)} />
        ))}
      </ul>
      <p className="text-muted-foreground text-xs">You stay signed in for 30 days, or until you stay away for 7.</p>
      <Button
        variant="outline"
        className="justify-self-start max-sm:h-11"
        disabled={everywhere.isPending || everywhere.isSuccess}
        onClick={() => everywhere.mutate()}
      >
        Sign Out Everywhere
      </Button>
    </section>
  )
}

type RowProps = { session: Session; disabled: boolean; onEnd: () => void }

function Row({ session: { agent, since, usedAt, current }, disabled, onEnd }: RowProps) {
  const name = agent || 'Unknown browser'
  return (
    <li className="flex min-h-14 items-center justify-between gap-3 py-1.5 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          {name}
          {current && <Badge variant="outline">This browser</Badge>}
        </p>
        <p className="text-muted-foreground text-xs">
          Since{' '}
          <time dateTime={since} title={formatDayAndTime(since)}>
            {formatDay(since)}
          </time>
          , last used {usedRecently(usedAt) ? 'within the hour' : relativeTime(usedAt)}
        </p>
      </div>
      {!current && (
        <Button
          variant="outline"
          size="sm"
          className="shrink-0 max-sm:h-11"
          disabled={disabled}
          aria-label={`Sign out of ${name}`}
          onClick={onEnd}
        >
          Sign Out
        </Button>
      )}
    </li>
  )
}

/** The server notes a use once an hour. */
const usedRecently = (iso: string) => Date.now() - new Date(iso).getTime() < 70 * minute
