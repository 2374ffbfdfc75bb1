import { prefix } from './ownDrafts'

// Form drafts survive an accidental close, until the tab is closed.
const fromSuffix = '.from'

export function readDraft<V extends object>(name: string): Partial<V> | null {
  try {
    const text = sessionStorage.getItem(prefix + name)
    return text ? (JSON.parse(text) as Partial<V>) : null
  } catch {
    return null
  }
}

/** Saves a draft. One that the user did not type, but that was filled in from something, says from what. */
export function saveDraft(name: string, values: object, filledFrom?: string) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(values))
    if (filledFrom !== undefined) sessionStorage.setItem(prefix + name + fromSuffix, filledFrom)
    else sessionStorage.removeItem(prefix + name + fromSuffix)
  } catch {
    // Storage may be full or blocked: the draft then lasts until the form is closed.
  }
}

/** Returns what a draft was filled in from; null for one that the user has typed in since. */
export function readFilledFrom(name: string): string | null {
  try {
    return sessionStorage.getItem(prefix + name + fromSuffix)
  } catch {
    return null
  }
}

export function dropDraft(name: string) {
  try {
    sessionStorage.removeItem(prefix + name)
    sessionStorage.removeItem(prefix + name + fromSuffix)
  } catch {
    // As above.
  }
}
