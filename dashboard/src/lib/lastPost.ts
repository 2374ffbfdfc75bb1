import { remember, remembered } from './storage'

/**
 * How a user can be reached, as they last posted, remembered in this browser for their next request. The category is not: it is that of
 * the item, and an item that nobody knows has the default.
 */
type LastPost = { buyerContact: string; ign: string }

const key = 'tradepost.last-post'

export function readLastPost(userId: number): LastPost | null {
  try {
    const saved = JSON.parse(remembered(key) ?? 'null')
    if (saved?.userId !== userId) return null
    const { buyerContact, ign } = saved.values // an older page has remembered more
    return { buyerContact, ign }
  } catch {
    return null
  }
}

export function saveLastPost(userId: number, { buyerContact, ign }: LastPost) {
  remember(key, JSON.stringify({ userId, values: { buyerContact, ign } }))
}

export const forgetLastPost = () => remember(key, null)
