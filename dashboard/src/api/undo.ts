import type { QueryClient } from '@tanstack/react-query'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'
import { client, keyed, messageFor, read } from './client'
import { keys } from './keys'
import { putOrder, refreshLists } from './orderCache'
import type { Undo } from './types'

type Act = Pick<Undo, 'kind' | 'id'>

const changed = [keys.receipts, keys.sentOffers, ['offers'], ['sales'], ['stock']] as const

const undone: Partial<Record<Undo['kind'], string>> = {
  sale: t('common_undone'),
  close: t('lib_undone_close'),
  offer: t('lib_undone_offer'),
}

/** Undoes an act, and shows how it went. Returns whether it is undone. */
export async function undo(
  queryClient: QueryClient,
  { kind, id }: Act,
  { key = uuid(), onFailed }: { key?: string; onFailed?: (error: unknown) => void } = {},
): Promise<boolean> {
  let failure: unknown
  try {
    const path = { kind, id }
    const { order } = await read(client.POST('/api/undo/{kind}/{id}', { params: { path, ...keyed(key) } }))
    if (order) putOrder(queryClient, order)
    if (undone[kind]) showToast(undone[kind])
  } catch (error) {
    failure = error
    if (onFailed) onFailed(error)
    else showToast(messageFor(error, t('lib_failed_to_undo')), 'error')
  }
  refreshLists(queryClient)
  for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey })
  return failure === undefined
}

/** Says what was done, with a button that undoes it. */
export const showUndoable = (queryClient: QueryClient, text: string, act: Act) =>
  showToast(text, 'info', { label: t('common_undo'), run: () => void undo(queryClient, act) })
