/** Form drafts survive an accidental close, until the tab is closed. */
const prefix = 'tradepost.draft.'

export function readDraft<V extends object>(name: string): Partial<V> | null {
  try {
    const text = sessionStorage.getItem(prefix + name)
    return text ? (JSON.parse(text) as Partial<V>) : null
  } catch {
    return null
  }
}

export function saveDraft(name: string, values: object) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(values))
  } catch {
    // Storage may be full or blocked: the draft then lasts until the form is closed.
  }
}

export function dropDraft(name: string) {
  try {
    sessionStorage.removeItem(prefix + name)
  } catch {
    // As above.
  }
}

/** Deletes every draft. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // As above.
  }
}

const ownerKey = 'tradepost.drafts-of'

/** Assigns the drafts of this tab to a user. Drafts of another user are deleted first. */
export function claimDrafts(userId: number) {
  try {
    const owner = sessionStorage.getItem(ownerKey)
    if (owner && owner !== String(userId)) dropDrafts()
    sessionStorage.setItem(ownerKey, String(userId))
  } catch {
    // As above.
  }
}
