import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { hoursQuery, learnHours } from '@/api/hours'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** Asks once, after a trade, whether hours of play are learned from "We met". */
export default function LearnHours() {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { data } = useQuery(hoursQuery)
  const answer = useMutation({
    mutationFn: (learns: boolean) => learnHours(learns, writes.keyFor(['learn', learns])),
    onSuccess(hours, learns) {
      queryClient.setQueryData(hoursQuery.queryKey, hours)
      document.getElementById('ask')?.focus() // the buttons go; it is the heading above
      showToast(learns ? t('hours_learn_on') : t('hours_learn_off'))
    },
    onError: (error) => showToast(messageFor(error, t('hours_failed')), 'error'),
  })
  if (data?.learns !== null) return null
  return (
    <section aria-labelledby="learn" className="grid gap-2 rounded-lg border bg-card p-4 sm:px-5">
      <h2 id="learn" className="text-base">
        {t('hours_learn_ask')}
      </h2>
      <p className="text-muted-foreground text-sm">{t('hours_learn_about')}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          className="max-sm:h-11"
          disabled={answer.isPending}
          onClick={() => answer.mutate(true)}
        >
          {t('hours_learn_yes')}
        </Button>
        <Button
          variant="ghost"
          className="max-sm:h-11"
          disabled={answer.isPending}
          onClick={() => answer.mutate(false)}
        >
          {t('hours_learn_no')}
        </Button>
      </div>
    </section>
  )
}
