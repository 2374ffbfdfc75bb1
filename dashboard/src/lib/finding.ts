/** What this browser remembers of how its user finds requests. */

const forMeKey = 'tradepost.for-me'
const boardKey = 'tradepost.board'

/** Reports whether the board was last limited to what the user's skills are enough for. */
export const wasForMe = () => read(() => localStorage, forMeKey) === '1'

export const rememberForMe = (on: boolean) => write(() => localStorage, forMeKey, on ? '1' : null)

/** The query of the board as it was last shown in this tab: empty, or with its question mark. */
export const lastBoard = () => read(() => sessionStorage, boardKey) ?? ''

export const rememberBoard = (search: string) => write(() => sessionStorage, boardKey, search || null)

/** Forgets it when the user signs out. */
export function forgetFinding() {
  rememberForMe(false)
  rememberBoard('')
}

// Storage may be blocked: what is remembered is then gone.
function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: string | null) {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // As above.
  }
}
