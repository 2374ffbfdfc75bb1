import { describeSearch } from '@/api/savedSearch'
import type { Saved } from '@/api/types'
import { formatDayAndTime } from '@/lib/format'
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
