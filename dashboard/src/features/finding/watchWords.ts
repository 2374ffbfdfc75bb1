import type { Watch, WatchDraft } from '@/api/types'
import { printCopper } from '@/lib/copper'
import { filterTexts } from '@/lib/fields'
import { formatDayAndTime, formatNumber } from '@/lib/format'

export const ways = { direct: 'Direct message', digest: 'One message a day', inbox: 'Inbox only' }
export const pauses: Record<number, string> = { 0: 'None', 60: 'An hour', 360: 'Six hours', 1440: 'A day' }

/** What a watch does, in a few words. */
export function stateOf(watch: Watch): string {
  if (watch.paused) return 'Paused'
  if (watch.snoozedUntil && Date.parse(watch.snoozedUntil) > Date.now()) {
    return `Quiet until ${formatDayAndTime(watch.snoozedUntil)}`
  }
  const parts = [
    ways[watch.way],
    watch.minQuantity > 0 && `at least ${formatNumber(watch.minQuantity)}`,
    watch.minPrice > 0 && `from ${printCopper(BigInt(watch.minPrice))}`,
    watch.maxPrice > 0 && `up to ${printCopper(BigInt(watch.maxPrice))}`,
    watch.level > 0 && `level ${watch.level}`,
    watch.importance.join(', '),
    ...filterTexts(watch).map(({ text }) => text),
    watch.pause > 0 && `pause: ${(pauses[watch.pause] ?? `${formatNumber(watch.pause)} minutes`).toLowerCase()}`,
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
