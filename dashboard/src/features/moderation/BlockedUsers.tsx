import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { blocksQuery, unblockUser } from '@/api/moderation'
import type { BlockedUser } from '@/api/types'
import { Failure } from '@/components/failure'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The blocked users and the reasons. */
export function BlockedUsers() {
  const query = useQuery(blocksQuery)
  return (
    <ModerationList
      query={query}
      rows={query.data?.users}
      label={t('moderation_blocked')}
      loading={t('moderation_blocked_loading')}
      failure={t('moderation_blocked_failed')}
      empty={t('moderation_blocked_empty')}
      hint={t('moderation_blocked_hint')}
    >
      {(blocked) => <BlockedRow key={blocked.user.id} blocked={blocked} />}
    </ModerationList>
  )
}

function BlockedRow({ blocked }: { blocked: BlockedUser }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { id, username } = blocked.user
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => unblockUser(id, writes.keyFor(['unblock', id, blocked.blockedAt])),
    onSuccess() {
      showToast(t('moderation_unblocked', { name: username }))
      for (const queryKey of [keys.blocks, keys.audit, keys.lists, keys.counts]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
  })
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 dir="auto" className="min-w-0 text-base wrap-anywhere">
          {username}
        </h2>
        <span className="flex items-center gap-3">
          <When at={blocked.blockedAt} />
          <Button
            variant="outline"
            size="sm"
            disabled={isPending}
            aria-label={t('moderation_unblock_user', { name: username })}
            onClick={() => mutate()}
          >
            {isPending ? t('moderation_unblocking') : t('moderation_unblock')}
          </Button>
        </span>
      </div>
      <p className="whitespace-pre-line border-l-2 pl-3 text-muted-foreground text-sm wrap-anywhere">
        <Typed>{blocked.reason}</Typed>
      </p>
      {error && <Failure error={error} fallback={t('moderation_unblock_failed')} />}
    </li>
  )
}
