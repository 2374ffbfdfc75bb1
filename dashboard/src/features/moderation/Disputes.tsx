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
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** Trades whose sides contradict each other. */
export default function Disputes() {
  const query = useInfiniteQuery(disputesQuery)
  return (
    <ModerationList
      query={query}
      rows={query.data?.pages.flatMap((page) => page.disputes)}
      label={t('moderation_disputes')}
      loading={t('moderation_disputes_loading')}
      failure={t('moderation_disputes_failed')}
      empty={t('moderation_disputes_empty')}
      hint={t('moderation_disputes_hint')}
    >
      {(dispute) => <DisputeRow key={dispute.id} dispute={dispute} />}
    </ModerationList>
  )
}

const words = { met: t('moderation_said_met'), not_met: t('moderation_said_not_met') }

const past: Record<Dispute['before'][number]['state'], string> = {
  agreed: t('moderation_before_agreed'),
  met: t('moderation_before_met'),
  cancelled: t('moderation_before_not_met'),
  disputed: t('moderation_before_disputed'),
  unconfirmed: t('moderation_before_unconfirmed'),
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
  const times = { accepted: formatDayAndTime(dispute.acceptedAt), agreedBy: formatDayAndTime(dispute.agreedBy) }
  const party = user !== null && (buyer.who?.id === user.id || seller.who?.id === user.id)
  return (
    <li className="grid gap-3 p-4">
      <h2 className="tabular flex flex-wrap items-baseline gap-x-2 text-base wrap-anywhere">
        {formatNumber(dispute.quantity)} <Typed>{dispute.itemName}</Typed> <Amount value={dispute.total} />
      </h2>
      <p className="text-muted-foreground text-sm">
        {dispute.lookedAt === null
          ? t('moderation_dispute_times', times)
          : t('moderation_dispute_times_looked_at', { ...times, since: formatDayAndTime(dispute.lookedAt) })}
      </p>
      {look.error && <Notice>{messageFor(look.error, t('moderation_save_failed'))}</Notice>}
      <dl className="grid gap-2 text-sm sm:grid-cols-2">
        {[
          { name: t('common_buyer'), side: buyer },
          { name: t('common_seller'), side: seller },
        ].map(({ name, side }) => (
          <div key={name}>
            <dt className="text-muted-foreground">
              {name} <Typed>{side.who?.username || t('moderation_who_has_left')}</Typed>
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
                  <span className="sr-only">{t('moderation_record_label')} </span>
                  {inWords(side.record)}
                </PageLink>
              </dd>
            )}
          </div>
        ))}
      </dl>
      {dispute.newSide && (
        <p className="text-sm">
          {dispute.newSide === 'buyer' ? t('moderation_dispute_new_buyer') : t('moderation_dispute_new_seller')}
        </p>
      )}
      <details className="text-sm">
        <summary className="touch cursor-pointer text-muted-foreground">
          {t('moderation_dispute_before', { count: dispute.before.length })}
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
        <p className="text-muted-foreground text-sm">{t('moderation_dispute_about_you')}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {dispute.lookedAt === null && (
            <Button size="sm" disabled={look.isPending} onClick={() => look.mutate()}>
              {t('moderation_dispute_look')}
            </Button>
          )}
          <Button variant="outline" size="sm" onClick={() => setSettling(true)}>
            {t('moderation_dispute_settle_open')}
          </Button>
        </div>
      )}
      <SettleDialog dispute={dispute} open={settling} onClose={() => setSettling(false)} />
    </li>
  )
}

const rulings: { label: string; met: boolean; against: Ruling['against'] }[] = [
  { label: t('moderation_ruling_met'), met: true, against: 'nobody' },
  { label: t('moderation_ruling_met_against_buyer'), met: true, against: 'buyer' },
  { label: t('moderation_ruling_met_against_seller'), met: true, against: 'seller' },
  { label: t('moderation_ruling_not_met'), met: false, against: 'nobody' },
  { label: t('moderation_ruling_not_met_against_buyer'), met: false, against: 'buyer' },
  { label: t('moderation_ruling_not_met_against_seller'), met: false, against: 'seller' },
]

function SettleDialog({ dispute, open, onClose }: { dispute: Dispute; open: boolean; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(0)
  async function send(reason: string, key: string) {
    const { met, against } = rulings[chosen] ?? { met: true, against: 'nobody' as const }
    await settleDispute(dispute.id, { met, against, reason }, key)
    showToast(t('moderation_dispute_settled'))
    onClose()
    for (const queryKey of [keys.disputes, keys.audit, keys.lists]) void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('moderation_dispute_settle_title')} className="sm:max-w-md">
        <ReasonForm
          name={`dispute.${dispute.id}`}
          help={t('moderation_dispute_settle_help')}
          button={t('moderation_dispute_settle')}
          busy={t('moderation_dispute_settling')}
          failure={t('moderation_dispute_settle_failed')}
          send={send}
          onCancel={onClose}
        >
          <fieldset className="grid gap-1">
            <legend className="mb-1 font-medium text-sm">{t('moderation_dispute_question')}</legend>
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
