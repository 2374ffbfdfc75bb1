import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { vouch, vouchesQuery } from '@/api/moderation'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { countOf, formatDay, formatMonth, formatNumber } from '@/lib/format'
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
        <section aria-label="Young market" className="mb-4 rounded-lg border bg-card px-4 py-3 text-sm">
          <p>
            <strong className="font-semibold">
              {formatNumber(market.trusted)} of {formatNumber(market.trustedWanted)} people are known here
            </strong>
            , from {formatNumber(market.circles)} of {formatNumber(market.circlesWanted)} circles of people who trade
            with each other. Until then all trades count for prices, but for those of accounts younger than a week.
          </p>
          <p className="mt-1 text-muted-foreground">
            Vouch only for people you know. People they trade with become known through them.
          </p>
        </section>
      )}
      <ModerationList
        query={query}
        rows={market?.candidates}
        label="People to vouch for"
        failure="Failed to load the people to vouch for. Please try again."
        empty={market?.young ? 'No candidates yet' : 'This market has grown up'}
        hint={
          market?.young
            ? 'People appear here once they have handed over with several others who have not traded with each other.'
            : 'Enough people are known here: trust spreads by their trades.'
        }
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
      showToast(`${candidate.username} is an established trader now.`)
      for (const queryKey of [keys.vouches, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    },
  })
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
          aria-label={`Vouch for ${candidate.username}`}
          onClick={() => mutate()}
        >
          {isPending ? 'Vouching...' : 'Vouch'}
        </Button>
      </div>
      <p className="text-muted-foreground text-sm">
        {countOf(candidate.partners, 'partner')}, {formatNumber(candidate.apart)} with nothing to do with one another ·
        first trade {formatDay(candidate.firstTrade)}
        {candidate.accountMade && ` · account from ${formatMonth(candidate.accountMade)}`}
      </p>
      {error && <Notice>{messageFor(error, 'Failed to vouch for them. Please try again.')}</Notice>}
    </li>
  )
}
