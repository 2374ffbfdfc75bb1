import { messageFor } from '@/api/client'
import type { Saved, SavedDraft } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { draftOf, useSearches } from '@/hooks/useSearches'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'

export type Saving = ReturnType<typeof useSaving>

/** Saves and removes searches with one press each, says so, and takes either back. */
export function useSaving() {
  const searches = useSearches(true)
  const { signedIn, add, remove } = searches
  const writes = useIdempotencyKey()

  async function say(act: Promise<unknown>) {
    try {
      await act
      showToast(t('common_undone'))
    } catch (error) {
      showToast(messageFor(error, t('finding_undo_failed')), 'error')
    }
  }

  return {
    ...searches,
    async save(draft: SavedDraft, bell: boolean) {
      try {
        const one = await writes.once([draft, bell], (_, key) => add(draft, bell, key))
        const key = uuid()
        showToast(saidOf(signedIn, bell, draft.side), 'info', {
          label: t('common_undo'),
          run: () => void say(remove(one, key)),
        })
      } catch (error) {
        showToast(messageFor(error, t('finding_save_failed')), 'error')
      }
    },
    async unsave(one: Saved): Promise<boolean> {
      try {
        await writes.once([one.id, one.watch], (_, key) => remove(one, key))
        const key = uuid()
        showToast(t('finding_removed', { name: one.name }), 'info', {
          label: t('common_undo'),
          run: () => void say(add(draftOf(one), one.watch, key)),
        })
        return true
      } catch (error) {
        showToast(messageFor(error, t('finding_delete_failed')), 'error')
        return false
      }
    },
  }
}

function saidOf(signedIn: boolean, bell: boolean, side: SavedDraft['side']): string {
  if (bell) return side ? t('finding_saved_bell_sale') : t('finding_saved_bell')
  if (!signedIn) return t('finding_saved_browser')
  return isOn('watches') ? t('finding_saved_wide') : t('finding_saved_plain')
}
