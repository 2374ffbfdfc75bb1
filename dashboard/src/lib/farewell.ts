// A sign-out that the server has not heard of yet. It is kept in this browser until it gets through: whoever has signed out
// stays signed out, also after a reload, although the cookie is not the page's to delete.
const key = 'tradepost.sign-out-owed'

export function oweFarewell() {
  try {
    localStorage.setItem(key, '1')
  } catch {
    // Storage may be forbidden: the sign-out then holds as long as the page.
  }
}

export function settleFarewell() {
  try {
    localStorage.removeItem(key)
  } catch {
    // As above.
  }
}

export function farewellOwed(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
