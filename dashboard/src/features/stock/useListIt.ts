import { useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { listingsChanged } from '@/api/listings'
import { saveStock, stockKeys } from '@/api/stock'
import type { Stock, StockDraft } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** Lists stock for sale at its price, as it is. Undo keeps it for matching again. */
export function useListIt() {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<StockDraft[]>()

  async function save({ itemName, quantity, price, note }: Stock, shown: boolean) {
    const draft = { itemName, quantity, price, note, public: shown }
    // The price is the one that was confirmed when the stock was added.
    const saved = await writes.once([draft], (drafts, key) => saveStock(drafts, key, true))
    writes.succeeded() // it can be listed again
    queryClient.setQueryData(stockKeys.own, saved)
    listingsChanged(queryClient)
    void queryClient.invalidateQueries({ queryKey: keys.ready })
  }
  const failed = (error: unknown) => void showToast(messageFor(error, t('common_save_failed')), 'error')

  return async function listIt(entry: Stock) {
    try {
      await save(entry, true)
      const { quantity, itemName: item } = entry
      void showToast(t('stock_listed', { quantity, item }), 'info', {
        label: t('common_undo'),
        run: () => void save(entry, false).catch(failed),
      })
    } catch (error) {
      failed(error)
    }
  }
}
