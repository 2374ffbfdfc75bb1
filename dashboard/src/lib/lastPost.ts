/** What a user last posted with, remembered in this browser for their next request. */
type LastPost = { buyerContact: string; ign: string; category: string }

const key = 'tradepost.last-post'

export function readLastPost(userId: number): LastPost | null {
  try {
    const saved = JSON.parse(localStorage.getItem(key) ?? 'null')
    return saved?.userId === userId ? saved.values : null
  } catch {
    return null
  }
}

export function saveLastPost(userId: number, { buyerContact, ign, category }: LastPost) {
  try {
    localStorage.setItem(key, JSON.stringify({ userId, values: { buyerContact, ign, category } }))
  } catch {
    // Storage may be full or blocked: the user chooses again.
  }
}

export function forgetLastPost() {
  try {
    localStorage.removeItem(key)
  } catch {
    // As above.
  }
}
