import { prefix } from './ownDrafts'
import { remember, remembered } from './storage'

// Form drafts survive an accidental close, until the tab is closed.
const fromSuffix = '.from'

export function readDraft<V extends object>(name: string): Partial<V> | null {
  try {
    return JSON.parse(remembered(prefix + name, 'tab') ?? 'null')
  } catch {
    return null
  }
}

/** Saves a draft. One that the user did not type, but that was filled in from something, says from what. */
export function saveDraft(name: string, values: object, filledFrom?: string) {
  remember(prefix + name, JSON.stringify(values), 'tab')
  remember(prefix + name + fromSuffix, filledFrom ?? null, 'tab')
}

/** Returns what a draft was filled in from; null for one that the user has typed in since. */
export const readFilledFrom = (name: string) => remembered(prefix + name + fromSuffix, 'tab')

export function dropDraft(name: string) {
  remember(prefix + name, null, 'tab')
  remember(prefix + name + fromSuffix, null, 'tab')
}
