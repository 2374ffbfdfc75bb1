import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { disputesQuery, lookAtDispute, type Ruling, settleDispute } from '@/api/handovers'
import { keys } from '@/api/keys'
import type { Dispute } from '@/api/types'
import { Amount } from '@/components/coins'
import { Notice } from '@/components/notice'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { PageLink } from '@/components/page-link'
import { ReasonForm } from '@/components/reason-form'
import { inWords } from '@/components/trade-record'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useMe } from '@/hooks/useMe'
import { formatDayAndTime, formatNumber } from '@/lib/format'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** Trades whose sides contradict each other. */
export default function Disputes() {
  const query = useInfiniteQuery(disputesQuery)
  return (
    <ModerationList
      query={query}
      rows={query.data?.pages.flatMap((page) => page.disputes)}
      label="Disputes"
      failure="Failed to load disputes. Please try again."
      empty="No disputes are waiting"
      hint="Trades whose sides contradict each other appear here."
    >
      {(dispute) => <DisputeRow key={dispute.id} dispute={dispute} />}
    </ModerationList>
  )
}

const words = { met: '“We met”', not_met: '“It did not happen”' }

const past: Record<Dispute['before'][number]['state'], string> = {
  agreed: 'agreed',
  met: 'met',
  cancelled: 'did not happen',
  disputed: 'disputed',
  unconfirmed: 'nobody has said',
}

function DisputeRow({ dispute }: { dispute: Dispute }) {
  const [settling, setSettling] = useState(false)
  const { user } = useMe()
  const { buyer, seller } = dispute
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const look = useMutation({
    mutationFn: () => lookAtDispute(dispute.id, writes.keyFor(['look', dispute.id])),
    onSettled: () => {
      for (const queryKey of [keys.disputes, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  const party = user !== null && (buyer.who?.id === user.id || seller.who?.id === user.id)
  return (
    <li className="grid gap-3 p-4">
      <h2 className="tabular flex flex-wrap items-baseline gap-x-2 text-base wrap-anywhere">
        {formatNumber(dispute.quantity)} <Typed>{dispute.itemName}</Typed> <Amount value={dispute.total} />
      </h2>
      <p className="text-muted-foreground text-sm">
        Accepted {formatDayAndTime(dispute.acceptedAt)}, to meet by {formatDayAndTime(dispute.agreedBy)}
        {dispute.lookedAt !== null && (
          <>. A moderator has been looking at it since {formatDayAndTime(dispute.lookedAt)}</>
        )}
      </p>
      {look.error && <Notice>{messageFor(look.error, 'Failed to save that. Please try again.')}</Notice>}
      <dl className="grid gap-2 text-sm sm:grid-cols-2">
        {[
          { name: 'Buyer', side: buyer },
          { name: 'Seller', side: seller },
        ].map(({ name, side }) => (
          <div key={name}>
            <dt className="text-muted-foreground">
              {name} <Typed>{side.who?.username || 'who has left'}</Typed>
            </dt>
            <dd>
              {words[side.word]} <span className="text-muted-foreground">{formatDayAndTime(side.saidAt)}</span>
            </dd>
            {side.record && (
              <dd>
                <PageLink
                  to={`/traders/${side.record.userId}`}
                  className="tabular inline-flex items-center text-muted-foreground underline-offset-2 hover:text-foreground hover:underline pointer-coarse:min-h-11"
                >
                  <span className="sr-only">Record: </span>
                  {inWords(side.record)}
                </PageLink>
              </dd>
            )}
          </div>
        ))}
      </dl>
      {dispute.newSide && (
        <p className="text-sm">
          The {dispute.newSide} is new here, and others know the {dispute.newSide === 'buyer' ? 'seller' : 'buyer'}.
          Anybody can make up a dispute with a new account.
        </p>
      )}
      <details className="text-sm">
        <summary className="touch cursor-pointer text-muted-foreground">
          Between the two before: {dispute.before.length === 0 ? 'nothing' : formatNumber(dispute.before.length)}
        </summary>
        <ul className="mt-1 grid gap-1">
          {dispute.before.map((b) => (
            <li key={b.acceptedAt + b.itemName}>
              {formatNumber(b.quantity)} <Typed>{b.itemName}</Typed>: {past[b.state]}, {formatDayAndTime(b.acceptedAt)}
            </li>
          ))}
        </ul>
      </details>
      {party ? (
        <p className="text-muted-foreground text-sm">This is about you. Another moderator has to settle it.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {dispute.lookedAt === null && (
            <Button size="sm" disabled={look.isPending} onClick={() => look.mutate()}>
              I am looking at it
            </Button>
          )}
          <Button variant="outline" size="sm" onClick={() => setSettling(true)}>
            Settle…
          </Button>
        </div>
      )}
      <SettleDialog dispute={dispute} open={settling} onClose={() => setSettling(false)} />
    </li>
  )
}

const rulings: { label: string; met: boolean; against: Ruling['against'] }[] = [
  { label: 'They met', met: true, against: 'nobody' },
  { label: 'They met; it counts against the buyer', met: true, against: 'buyer' },
  { label: 'They met; it counts against the seller', met: true, against: 'seller' },
  { label: 'It did not happen', met: false, against: 'nobody' },
  { label: 'It did not happen; it counts against the buyer', met: false, against: 'buyer' },
  { label: 'It did not happen; it counts against the seller', met: false, against: 'seller' },
]

function SettleDialog({ dispute, open, onClose }: { dispute: Dispute; open: boolean; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(0)
  async function send(reason: string, key: string) {
    const { met, against } = rulings[chosen] ?? { met: true, against: 'nobody' as const }
    await settleDispute(dispute.id, { met, against, reason }, key)
    showToast('The dispute is settled. Both sides hear of it.')
    onClose()
    for (const queryKey of [keys.disputes, keys.audit, keys.lists]) void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title="Settle the dispute" className="sm:max-w-md">
        <ReasonForm
          name={`dispute.${dispute.id}`}
          help="Both sides read it."
          button="Settle"
          busy="Settling..."
          failure="Failed to settle the dispute. Please try again."
          send={send}
          onCancel={onClose}
        >
          <fieldset className="grid gap-1">
            <legend className="mb-1 font-medium text-sm">What happened in the trade?</legend>
            {rulings.map((ruling, i) => (
              <label key={ruling.label} className="touch flex min-h-9 items-center gap-2 text-sm">
                <input type="radio" name="ruling" checked={chosen === i} onChange={() => setChosen(i)} /> {ruling.label}
              </label>
            ))}
          </fieldset>
        </ReasonForm>
      </DialogContent>
    </Dialog>
  )
}
