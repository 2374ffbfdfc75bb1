import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { allowReach, reachKey, reachQuery, stopReach } from '@/api/reach'
import type { Reaching } from '@/api/types'
import { Failure } from '@/components/failure'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The users because of whom most people were messaged today, each with a button to stop that. */
export default function Reach() {
  const query = useQuery(reachQuery)
  return (
    <>
      <p className="mb-3 text-muted-foreground text-sm">{t('moderation_reach_explained')}</p>
      <ModerationList
        query={query}
        rows={query.data?.users}
        label={t('moderation_reach')}
        loading={t('moderation_reach_loading')}
        failure={t('moderation_reach_failed')}
        empty={t('moderation_reach_empty')}
        hint={t('moderation_reach_hint')}
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
          ? t('moderation_reach_allowed', { name: username })
          : t('moderation_reach_stopped', { name: username }),
      )
      for (const queryKey of [reachKey, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 dir="auto" className="text-base wrap-anywhere">
            {username}
          </h2>
          <p className="text-muted-foreground text-sm">
            {t('moderation_reached', { count: people })}
            {stoppedAt && <> · {rich('moderation_reach_stopped_when', { when: <When at={stoppedAt} /> })}</>}
          </p>
        </div>
        <Button
          variant="outline"
          size="sm"
          disabled={isPending}
          aria-label={
            stoppedAt
              ? t('moderation_reach_allow_user', { name: username })
              : t('moderation_reach_stop_user', { name: username })
          }
          onClick={() => mutate()}
        >
          {isPending ? t('common_saving') : stoppedAt ? t('moderation_reach_allow') : t('moderation_reach_stop')}
        </Button>
      </div>
      {error && <Failure error={error} fallback={t('moderation_save_failed')} />}
    </li>
  )
}
