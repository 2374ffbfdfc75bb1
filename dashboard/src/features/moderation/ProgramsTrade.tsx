import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { keepProgramsFromTrading, letProgramsTrade, rulesQuery } from '@/api/rules'
import { Failure } from '@/components/failure'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** Whether programs can trade on this market, and the switch. That the rules cannot be read is said by VisitorOffers. */
export default function ProgramsTrade() {
  const { data: rules } = useQuery(rulesQuery)
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const since = rules?.programsTradeSince
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      (since ? keepProgramsFromTrading : letProgramsTrade)(writes.keyFor(['programs trade', since ?? 'not'])),
    onSuccess() {
      showToast(since ? t('moderation_programs_stopped') : t('moderation_programs_allowed'))
      for (const queryKey of [keys.rules, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  if (!rules) return null
  return (
    <section aria-label={t('moderation_programs')} className="mb-4 rounded-lg border bg-card px-4 py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 text-sm">
        <p>
          {since
            ? rich('moderation_programs_trade', {
                since: <time dateTime={since}>{formatDayAndTime(since)}</time>,
              })
            : t('moderation_programs_trade_not')}
        </p>
        <Button variant="outline" size="sm" className="max-sm:h-11" disabled={isPending} onClick={() => mutate()}>
          {isPending ? t('common_changing') : since ? t('moderation_programs_stop') : t('moderation_programs_allow')}
        </Button>
      </div>
      {error && <Failure error={error} fallback={t('moderation_programs_failed')} />}
    </section>
  )
}
