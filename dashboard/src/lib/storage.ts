// What this browser remembers. Storage may be full or blocked: what was to be remembered is then gone.

type Kept = 'browser' | 'tab'

const storageOf = (kept: Kept) => (kept === 'tab' ? sessionStorage : localStorage)

/** Returns what is remembered under a key, by this browser or for as long as this tab is open. */
export function remembered(key: string, kept: Kept = 'browser'): string | null {
  try {
    return storageOf(kept).getItem(key)
  } catch {
    return null
  }
}

/** Remembers a text; null forgets it. */
export function remember(key: string, text: string | null, kept: Kept = 'browser') {
  try {
    if (text === null) storageOf(kept).removeItem(key)
    else storageOf(kept).setItem(key, text)
  } catch {
    // As above.
  }
}
