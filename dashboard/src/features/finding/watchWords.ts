import type { Watch, WatchDraft } from '@/api/types'
import { printCopper } from '@/lib/copper'
import { filterTexts } from '@/lib/fields'
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

/** What a watch does, in a few words. */
export function stateOf(watch: Watch): string {
  if (watch.paused) return t('finding_paused')
  if (watch.snoozedUntil && Date.parse(watch.snoozedUntil) > Date.now()) {
    return t('finding_quiet_until', { time: formatDayAndTime(watch.snoozedUntil) })
  }
  const parts = [
    ways[watch.way],
    watch.minQuantity > 0 && t('finding_at_least', { quantity: watch.minQuantity }),
    watch.minPrice > 0 && t('finding_from_price', { price: printCopper(BigInt(watch.minPrice)) }),
    watch.maxPrice > 0 && t('finding_up_to_price', { price: printCopper(BigInt(watch.maxPrice)) }),
    watch.level > 0 && t('finding_level', { level: String(watch.level) }),
    watch.importance.map((importance) => t('finding_importance', { importance })).join(', '),
    ...filterTexts(watch).map(({ text }) => text),
    watch.pause > 0 && t('finding_pause_of', { minutes: watch.pause }),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** The draft of a watch, to add it again. */
export function draftOf({ id: _, paused: __, snoozedUntil: ___, createdAt, updatedAt, ...draft }: Watch): WatchDraft {
  return draft
}

const filterOf = (watch: WatchDraft) => {
  const { items = [], kind = '', q = '', category = [], importance = [], level = 0, forMe = false } = watch
  const { minPrice = 0, maxPrice = 0, minQuantity = 0 } = watch
  const texts = filterTexts(watch).map(({ text }) => text.toLowerCase())
  const lists = [[...items].sort(), [...category].sort(), [...importance].sort()]
  return JSON.stringify([lists, texts, kind, q.trim().toLowerCase(), level, forMe, minPrice, maxPrice, minQuantity])
}

/** Reports whether the same requests fit two watches. */
export const sameWatch = (watch: WatchDraft, other: WatchDraft): boolean => filterOf(watch) === filterOf(other)
