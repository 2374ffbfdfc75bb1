import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { allowReach, reachKey, reachQuery, stopReach } from '@/api/reach'
import type { Reaching } from '@/api/types'
import { Failure } from '@/components/failure'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The users because of whom most people were messaged today, each with a button to stop that. */
export default function Reach() {
  const query = useQuery(reachQuery)
  return (
    <>
      <p className="mb-3 text-muted-foreground text-sm">
        A request, an offer or a typed name can send messages to other people. Stop that for a user who annoys them:
        they still find what this user posts.
      </p>
      <ModerationList
        query={query}
        rows={query.data?.users}
        label="Reach"
        failure="Failed to load who reached most people. Please try again."
        empty="No user reached many people today"
        hint="Users who reach 10 people or more within a day are listed here."
      >
        {(row) => <ReachRow key={row.id} row={row} />}
      </ModerationList>
    </>
  )
}

function ReachRow({ row }: { row: Reaching }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { id, username, people, stoppedAt } = row
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => (stoppedAt ? allowReach : stopReach)(id, writes.keyFor([id, stoppedAt ?? 'stop'])),
    onSuccess() {
      showToast(
        stoppedAt
          ? `What ${username} does sends messages to others again.`
          : `What ${username} does sends no messages to others now.`,
      )
      for (const queryKey of [reachKey, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  const act = stoppedAt ? 'Allow Again' : 'Stop'
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 dir="auto" className="text-base wrap-anywhere">
            {username}
          </h2>
          <p className="text-muted-foreground text-sm">
            {people === 1 ? 'Reached 1 person today' : `Reached ${people} people today`}
            {stoppedAt && (
              <>
                {' '}
                · stopped <When at={stoppedAt} />
              </>
            )}
          </p>
        </div>
        <Button
          variant="outline"
          size="sm"
          disabled={isPending}
          aria-label={`${act}: ${username}`}
          onClick={() => mutate()}
        >
          {isPending ? 'Saving...' : act}
        </Button>
      </div>
      {error && <Failure error={error} fallback="Failed to save that. Please try again." />}
    </li>
  )
}
