// A sign-out that has not reached the server yet. It is stored in this browser until it has: the
// user stays signed out even after a reload, although the page cannot delete the cookie.
const key = 'tradepost.sign-out-owed'

export function markSignOutPending() {
  try {
    localStorage.setItem(key, '1')
  } catch {
    // Storage may be blocked: the sign-out then lasts until the page is closed.
  }
}

export function clearPendingSignOut() {
  try {
    localStorage.removeItem(key)
  } catch {
    // As above.
  }
}

export function isSignOutPending(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
