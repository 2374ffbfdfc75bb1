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
import { formatNumber } from '@/lib/format'
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
        label="Proposed rings"
        failure="Failed to load the proposed rings. Please try again."
        empty="No ring was found"
        hint="We look for accounts that trade among themselves once an hour, and when trades settle."
      >
        {(proposal) => <ProposalRow key={proposal.id} proposal={proposal} />}
      </ModerationList>
      {query.data && (
        <section aria-labelledby="set-aside" className="mt-6">
          <h2 id="set-aside" className="mb-2 text-base">
            Set aside
          </h2>
          {query.data.rings.length === 0 ? (
            <p className="text-muted-foreground text-sm">No accounts are set aside.</p>
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
      return `${formatNumber(p.oneCopper)} of ${formatNumber(p.inside)} trades between them were for ${formatCopper(1n)} each`
    case 'same_minute':
      return `${formatNumber(p.sameMinute)} of ${formatNumber(p.inside)} were confirmed by both sides within a minute`
    case 'young_accounts':
      return `${formatNumber(p.youngAccounts)} of ${formatNumber(p.accounts)} Discord accounts are younger than 30 days`
  }
}

function ProposalRow({ proposal }: { proposal: Proposal }) {
  const writes = useIdempotencyKey()
  const names = namesOf(proposal.members)
  const aside = useRingWrite('Their trades count for nothing now.', () =>
    setAside(proposal.id, writes.keyFor(['set aside', proposal.id])),
  )
  const leave = useRingWrite('They are not proposed again.', () =>
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
        <li>
          {`${proposal.insidePercent}\u00a0% of their ${formatNumber(proposal.trades)} trades are with each other`}
        </li>
        {proposal.reasons.map((reason) => (
          <li key={reason}>{lineOf(reason, proposal)}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button size="sm" className="touch" disabled={busy} onClick={() => aside.mutate()}>
          {aside.isPending ? 'Setting aside...' : `Set These ${formatNumber(proposal.members.length)} Aside`}
        </Button>
        <Button
          variant="outline"
          size="sm"
          className="touch"
          disabled={busy}
          aria-label={`Leave them: ${names}`}
          onClick={() => leave.mutate()}
        >
          {leave.isPending ? 'Leaving...' : 'Leave Them'}
        </Button>
      </div>
      {error && <Notice>{messageFor(error, 'Failed to save your decision. Please try again.')}</Notice>}
    </li>
  )
}

function RingRow({ ring }: { ring: Ring }) {
  const writes = useIdempotencyKey()
  const names = namesOf(ring.members)
  const { mutate, isPending, error } = useRingWrite('Their trades count again.', () =>
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
            aria-label={`Have the trades of ${names} count again`}
            onClick={() => mutate()}
          >
            {isPending ? 'Changing...' : 'Count Again'}
          </Button>
        </span>
      </div>
      <p className="border-l-2 pl-3 text-muted-foreground text-sm wrap-anywhere">
        <Typed>{ring.reason}</Typed>
      </p>
      {error && <Notice>{messageFor(error, 'Failed to have them count again. Please try again.')}</Notice>}
    </li>
  )
}
