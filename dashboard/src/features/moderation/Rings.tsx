import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { countAgain, dismissRing, ringsKey, ringsQuery, setAside } from '@/api/rings'
import { Notice } from '@/components/notice'
import { PageLink } from '@/components/page-link'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatCopper } from '@/lib/copper'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

type Member = { id: number; username: string }
type Ring = { id: number; at: string; reason: string; members: Member[] }
type Reason = 'one_copper' | 'same_minute' | 'young_accounts'
type Proposal = {
  id: number
  members: Member[]
  reasons: Reason[]
  accounts: number
  trades: number
  inside: number
  insidePercent: number
  oneCopper: number
  sameMinute: number
  youngAccounts: number
}

/** The accounts that may be rings, and those whose trades count for nothing. */
export function Rings() {
  const query = useQuery(ringsQuery)
  return (
    <>
      <ModerationList
        query={query}
        rows={query.data?.proposals}
        label={t('moderation_rings')}
        loading={t('moderation_rings_loading')}
        failure={t('moderation_rings_failed')}
        empty={t('moderation_rings_empty')}
        hint={t('moderation_rings_hint')}
      >
        {(proposal) => <ProposalRow key={proposal.id} proposal={proposal} />}
      </ModerationList>
      {query.data && (
        <section aria-labelledby="set-aside" className="mt-6">
          <h2 id="set-aside" className="mb-2 text-base">
            {t('moderation_set_aside_title')}
          </h2>
          {query.data.rings.length === 0 ? (
            <p className="text-muted-foreground text-sm">{t('moderation_none_set_aside')}</p>
          ) : (
            <ul aria-labelledby="set-aside" className="divide-y overflow-hidden rounded-lg border bg-card">
              {query.data.rings.map((ring) => (
                <RingRow key={ring.id} ring={ring} />
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  )
}

function useRingWrite(done: string, write: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess() {
      showToast(done)
      for (const queryKey of [ringsKey, keys.audit, ['items', 'prices']])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

function Members({ members }: { members: Member[] }) {
  return members.map((member, i) => (
    <Fragment key={member.id}>
      {i > 0 && ', '}
      <PageLink to={`/traders/${member.id}`} className="underline-offset-2 hover:underline">
        {member.username}
      </PageLink>
    </Fragment>
  ))
}

const namesOf = (members: Member[]) => members.map((member) => member.username).join(', ')

function lineOf(reason: Reason, p: Proposal): string {
  switch (reason) {
    case 'one_copper':
      return t('moderation_ring_one_copper', { count: p.oneCopper, inside: p.inside, amount: formatCopper(1n) })
    case 'same_minute':
      return t('moderation_ring_same_minute', { count: p.sameMinute, inside: p.inside })
    case 'young_accounts':
      return t('moderation_ring_young', { count: p.youngAccounts, accounts: p.accounts })
  }
}

function ProposalRow({ proposal }: { proposal: Proposal }) {
  const writes = useIdempotencyKey()
  const names = namesOf(proposal.members)
  const aside = useRingWrite(t('moderation_ring_set_aside_done'), () =>
    setAside(proposal.id, writes.keyFor(['set aside', proposal.id])),
  )
  const leave = useRingWrite(t('moderation_ring_left'), () =>
    dismissRing(proposal.id, writes.keyFor(['dismiss ring', proposal.id])),
  )
  const busy = aside.isPending || leave.isPending
  const error = aside.error ?? leave.error
  return (
    <li className="grid gap-2 px-4 py-3">
      <h2 dir="auto" className="min-w-0 text-base wrap-anywhere">
        <Members members={proposal.members} />
      </h2>
      <ul className="list-disc pl-5 text-muted-foreground text-sm">
        <li>{t('moderation_ring_inside', { percent: proposal.insidePercent, trades: proposal.trades })}</li>
        {proposal.reasons.map((reason) => (
          <li key={reason}>{lineOf(reason, proposal)}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button size="sm" className="touch" disabled={busy} onClick={() => aside.mutate()}>
          {aside.isPending
            ? t('moderation_setting_aside')
            : t('moderation_ring_set_aside', { count: proposal.members.length })}
        </Button>
        <Button
          variant="outline"
          size="sm"
          className="touch"
          disabled={busy}
          aria-label={t('moderation_ring_leave_names', { names })}
          onClick={() => leave.mutate()}
        >
          {leave.isPending ? t('moderation_ring_leaving') : t('moderation_ring_leave')}
        </Button>
      </div>
      {error && <Notice>{messageFor(error, t('moderation_ring_failed'))}</Notice>}
    </li>
  )
}

function RingRow({ ring }: { ring: Ring }) {
  const writes = useIdempotencyKey()
  const names = namesOf(ring.members)
  const { mutate, isPending, error } = useRingWrite(t('moderation_ring_counts_again'), () =>
    countAgain(ring.id, writes.keyFor(['count again', ring.id])),
  )
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 dir="auto" className="min-w-0 text-base wrap-anywhere">
          <Members members={ring.members} />
        </h3>
        <span className="flex items-center gap-3">
          <When at={ring.at} />
          <Button
            variant="outline"
            size="sm"
            disabled={isPending}
            aria-label={t('moderation_count_again_names', { names })}
            onClick={() => mutate()}
          >
            {isPending ? t('common_changing') : t('moderation_count_again')}
          </Button>
        </span>
      </div>
      <p className="border-l-2 pl-3 text-muted-foreground text-sm wrap-anywhere">
        <Typed>{ring.reason}</Typed>
      </p>
      {error && <Notice>{messageFor(error, t('moderation_count_again_failed'))}</Notice>}
    </li>
  )
}
