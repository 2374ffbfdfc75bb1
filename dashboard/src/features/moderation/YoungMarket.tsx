import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { vouch, vouchesQuery } from '@/api/moderation'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDay, formatMonth } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

type Candidate = {
  id: number
  username: string
  accountMade?: string
  firstTrade: string
  partners: number
  apart: number
}

/** Shows how far a young market has come, and lists people to vouch for. */
export default function YoungMarket() {
  const query = useQuery(vouchesQuery)
  const market = query.data
  return (
    <>
      {market?.young && (
        <section aria-label={t('moderation_young_market')} className="mb-4 rounded-lg border bg-card px-4 py-3 text-sm">
          <p>
            {rich('moderation_young_known', {
              trusted: market.trusted,
              trustedWanted: market.trustedWanted,
              circles: market.circles,
              circlesWanted: market.circlesWanted,
              strong: (text) => <strong className="font-semibold">{text}</strong>,
            })}
          </p>
          <p className="mt-1 text-muted-foreground">{t('moderation_young_vouch')}</p>
        </section>
      )}
      <ModerationList
        query={query}
        rows={market?.candidates}
        label={t('moderation_vouches')}
        loading={t('moderation_vouches_loading')}
        failure={t('moderation_vouches_failed')}
        empty={market?.young ? t('moderation_vouches_empty') : t('moderation_vouches_over')}
        hint={market?.young ? t('moderation_vouches_hint') : t('moderation_vouches_over_hint')}
      >
        {(candidate) => <CandidateRow key={candidate.id} candidate={candidate} />}
      </ModerationList>
    </>
  )
}

function CandidateRow({ candidate }: { candidate: Candidate }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => vouch(candidate.id, writes.keyFor(['vouch', candidate.id])),
    onSuccess() {
      showToast(t('moderation_vouched', { name: candidate.username }))
      for (const queryKey of [keys.vouches, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  const { partners, apart } = candidate
  const known = { partners, apart, day: formatDay(candidate.firstTrade) }
  return (
    <li className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 dir="auto" className="min-w-0 text-base wrap-anywhere">
          {candidate.username}
        </h2>
        <Button
          variant="outline"
          size="sm"
          className="touch"
          disabled={isPending}
          aria-label={t('moderation_vouch_for', { name: candidate.username })}
          onClick={() => mutate()}
        >
          {isPending ? t('moderation_vouching') : t('moderation_vouch')}
        </Button>
      </div>
      <p className="text-muted-foreground text-sm">
        {candidate.accountMade
          ? t('moderation_candidate_with_account', { ...known, month: formatMonth(candidate.accountMade) })
          : t('moderation_candidate', known)}
      </p>
      {error && <Notice>{messageFor(error, t('moderation_vouch_failed'))}</Notice>}
    </li>
  )
}
