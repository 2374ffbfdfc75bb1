import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '@/api/keys'
import { allowVisitors, requireSignIn, rulesQuery } from '@/api/rules'
import { Failure } from '@/components/failure'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { ReasonForm } from '@/components/reason-form'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime } from '@/lib/format'
import { visitorsOffer } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** Whether visitors can offer on this market, and the switch. */
export function VisitorOffers() {
  const [asking, setAsking] = useState(false)
  const { data: rules, isError, isFetching, refetch } = useQuery(rulesQuery)
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()

  function changed(done: string) {
    showToast(done)
    for (const queryKey of [keys.rules, keys.audit]) void queryClient.invalidateQueries({ queryKey })
  }

  const since = rules?.signedInOnlySince ?? null
  const allow = useMutation({
    mutationFn: () => allowVisitors(writes.keyFor(['allow visitors', since])),
    onSuccess: () => changed(t('moderation_visitors_allowed')),
  })

  const byOperator = !visitorsOffer()
  return (
    <section aria-label={t('moderation_visitor_offers')} className="mb-4 rounded-lg border bg-card px-4 py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 text-sm">
        {byOperator ? (
          <p>{t('moderation_visitor_offers_fixed')}</p>
        ) : isError ? (
          <>
            <p>{t('moderation_visitor_offers_load_failed')}</p>
            <Button variant="outline" size="sm" disabled={isFetching} onClick={() => refetch()}>
              {t('moderation_try_again')}
            </Button>
          </>
        ) : since ? (
          <>
            <p>
              {rich('moderation_signed_in_only_since', {
                strong: (text) => <strong className="font-semibold">{text}</strong>,
                since: <time dateTime={since}>{formatDayAndTime(since)}</time>,
              })}
            </p>
            <Button variant="outline" size="sm" disabled={allow.isPending} onClick={() => allow.mutate()}>
              {allow.isPending ? t('common_changing') : t('moderation_visitors_allow')}
            </Button>
          </>
        ) : rules ? (
          <>
            <p>{t('moderation_visitors_can_offer')}</p>
            <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
              {t('moderation_signed_in_only_open')}
            </Button>
          </>
        ) : null}
      </div>
      {allow.isError && <Failure error={allow.error} fallback={t('moderation_visitors_allow_failed')} />}
      <Dialog open={asking} onOpenChange={setAsking}>
        <DialogContent title={t('moderation_signed_in_only')} className="sm:max-w-md">
          <ReasonForm
            name="signed-in-only"
            help={t('moderation_signed_in_only_help')}
            button={t('moderation_signed_in_only')}
            busy={t('common_changing')}
            failure={t('moderation_signed_in_only_failed')}
            send={async (reason, key) => {
              await requireSignIn(reason, key)
              setAsking(false)
              changed(t('moderation_signed_in_only_done'))
            }}
            onCancel={() => setAsking(false)}
          />
        </DialogContent>
      </Dialog>
    </section>
  )
}
