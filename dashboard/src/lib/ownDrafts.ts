import { remember, remembered } from './storage'

// The drafts of this tab are of one user. The forms have the rest: drafts.ts.
export const prefix = 'tradepost.draft.'

/** Deletes every draft. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked: there are none.
  }
}

const ownerKey = 'tradepost.drafts-of'

/** Assigns the drafts of this tab to a user. Drafts of another user are deleted first. */
export function claimDrafts(userId: number) {
  const owner = remembered(ownerKey, 'tab')
  if (owner && owner !== String(userId)) dropDrafts()
  remember(ownerKey, String(userId), 'tab')
}
