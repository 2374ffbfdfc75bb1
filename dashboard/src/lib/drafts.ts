/** What was typed into a form survives an accidental close, for as long as the tab lives. */
const prefix = 'tradepost.draft.'

export function readDraft<V extends object>(name: string): Partial<V> | null {
  try {
    const text = sessionStorage.getItem(prefix + name)
    return text ? (JSON.parse(text) as Partial<V>) : null
  } catch {
    return null
  }
}

export function keepDraft(name: string, values: object) {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(values))
  } catch {
    // Storage may be full or forbidden: the draft then lasts as long as the form.
  }
}

export function dropDraft(name: string) {
  try {
    sessionStorage.removeItem(prefix + name)
  } catch {
    // As above.
  }
}

/** Takes every draft away. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // As above.
  }
}

const ownerKey = 'tradepost.drafts-of'

/** Notes whose the drafts of this tab are: what one user has typed, or a visitor who then signed in, is not for another. */
export function claimDrafts(userId: number) {
  try {
    const owner = sessionStorage.getItem(ownerKey)
    if (owner && owner !== String(userId)) dropDrafts()
    sessionStorage.setItem(ownerKey, String(userId))
  } catch {
    // As above.
  }
}
