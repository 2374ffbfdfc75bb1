import { describeSearch } from '@/api/savedSearch'
import type { Saved, SavedDraft } from '@/api/types'
import { formatDayAndTime } from '@/lib/format'
import { categoryName } from '@/lib/market'
import { t } from '@/lib/texts'

export const ways = {
  direct: t('finding_way_direct'),
  digest: t('finding_way_digest'),
  inbox: t('finding_way_inbox'),
}
export const pauses: Record<number, string> = {
  0: t('finding_pause_none'),
  60: t('finding_pause_hour'),
  360: t('finding_pause_six_hours'),
  1440: t('finding_pause_day'),
}

/** Whether a new search with a bell is named here, because the server would name it in English: by its professions, or where
 * nothing but the switch "For me" describes it. */
export const namedHere = (draft: SavedDraft): boolean =>
  draft.category?.some((name) => categoryName(name) !== name) ||
  Boolean(draft.forMe && !draft.items?.length && describeSearch(draft) === t('lib_search_for_me'))

/** What a saved search finds and how its bell notifies, in a few words. */
export function wordsOf(search: Saved): string {
  const { items, kind, minQuantity, bell, way, pause, snoozedUntil } = search
  const named = items.length > 0 || kind !== ''
  const board = describeSearch(search)
  const snoozed = bell && snoozedUntil && Date.parse(snoozedUntil) > Date.now()
  const parts = [
    items.length > 1 && t('finding_items', { count: items.length }),
    kind && t('finding_kind', { kind }),
    (!named || board !== t('lib_search_all')) && board,
    minQuantity > 0 && t('finding_at_least', { quantity: minQuantity }),
    snoozed && t('finding_quiet_until', { time: formatDayAndTime(snoozedUntil) }),
    bell && way !== 'direct' && ways[way],
    bell && pause > 0 && t('finding_pause_of', { minutes: pause }),
  ]
  return parts.filter(Boolean).join(' · ')
}
