import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/keys'
import { blockedSellersQuery, unblockSeller } from '@/api/moderation'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** The sellers that the user has blocked. Shows nothing if there are none. */
export function BlockedSellers() {
  const { data } = useQuery(blockedSellersQuery)
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending } = useMutation({
    mutationFn: (id: number) => unblockSeller(id, writes.keyFor(['unblock-seller', id])),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.blockedSellers }),
    onError: () => showToast(t('notices_unblock_failed'), 'error'),
  })
  if (!data || data.sellers.length === 0) return null
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-sm">{t('notices_blocked_sellers')}</legend>
      {data.sellers.map(({ seller }) => (
        <div key={seller.id} className="flex min-h-9 items-center justify-between gap-3 text-sm">
          <span dir="auto" className="min-w-0 truncate">
            {seller.username}
          </span>
          <Button
            variant="outline"
            size="sm"
            disabled={isPending}
            aria-label={t('notices_unblock_label', { seller: seller.username })}
            onClick={() => mutate(seller.id)}
          >
            {t('notices_unblock')}
          </Button>
        </div>
      ))}
    </fieldset>
  )
}
