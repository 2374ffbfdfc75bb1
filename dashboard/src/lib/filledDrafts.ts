// A draft can be filled in for the user, from an earlier request or for an item. What they typed before is kept.
import { dropDraft, readDraft, readFilledFrom, saveDraft } from './drafts'
import { prefix } from './ownDrafts'
import { remember, remembered } from './storage'

const suffix = '.earlier'

/** Fills a draft in from something, or for an item that was named already. What the user typed before is kept. */
export function fillDraft(name: string, values: object, filledFrom = '') {
  const typed = readFilledFrom(name) === null ? readDraft(name) : null
  if (typed) saveEarlier(name, [...readEarlier(name), typed])
  saveDraft(name, values, filledFrom)
}

/** Returns what the user typed before the draft was filled in; null for nothing. */
export const earlierDraft = <V extends object>(name: string): Partial<V> | null => readEarlier<V>(name).at(-1) ?? null

/** Returns to what the user typed before. What they have typed since is kept in its place. */
export function restoreEarlier(name: string) {
  const earlier = readEarlier(name)
  const back = earlier.pop()
  if (!back) return
  const typed = readFilledFrom(name) === null ? readDraft(name) : null
  saveEarlier(name, typed ? [...earlier, typed] : earlier)
  saveDraft(name, back)
}

/** Deletes a draft that was sent. What the user typed before it is the draft again. */
export function finishDraft(name: string) {
  dropDraft(name)
  restoreEarlier(name)
}

function readEarlier<V extends object>(name: string): Partial<V>[] {
  try {
    return JSON.parse(remembered(prefix + name + suffix, 'tab') ?? '[]')
  } catch {
    return []
  }
}

function saveEarlier(name: string, drafts: object[]) {
  remember(prefix + name + suffix, drafts.length > 0 ? JSON.stringify(drafts) : null, 'tab')
}
