import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { unmuteBuyer, watchesKey, watchesQuery } from '@/api/watches'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { Button } from './ui/button'

/** The buyers whose requests alert the user to nothing. Shows nothing if there are none. */
export function MutedBuyers() {
  const { data } = useQuery({ ...watchesQuery, enabled: isOn('watches') || isOn('stock') })
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<number>()
  const hear = async (id: number) => {
    try {
      await writes.once(id, unmuteBuyer)
      await queryClient.invalidateQueries({ queryKey: watchesKey })
      document.querySelector<HTMLElement>('[role=dialog], #content')?.focus() // the button is gone
    } catch (error) {
      showToast(messageFor(error, t('parts_failed_to_change')), 'error')
    }
  }
  if (!data || data.mutedBuyers.length === 0) return null
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-sm">{t('parts_muted_title')}</legend>
      {data.mutedBuyers.map(({ id, username }) => (
        <div key={id} className="flex min-h-9 items-center justify-between gap-3 text-sm pointer-coarse:min-h-11">
          <span dir="auto" className="min-w-0 truncate">
            {username}
          </span>
          <Button
            variant="outline"
            size="sm"
            aria-label={t('parts_hear_of_again', { buyer: username })}
            onClick={() => hear(id)}
          >
            {t('parts_hear_again')}
          </Button>
        </div>
      ))}
    </fieldset>
  )
}
