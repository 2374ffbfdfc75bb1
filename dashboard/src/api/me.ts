import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { forgetFinding } from '@/lib/finding'
import { forgetLastPost } from '@/lib/lastPost'
import { claimDrafts, dropDrafts } from '@/lib/ownDrafts'
import { clearPendingSignOut, isSignOutPending, markSignOutPending } from '@/lib/pendingSignOut'
import { forgetVisitor } from '@/lib/visitor'
import { browserSearches } from './browserSearches'
import { browserSkills } from './browserSkills'
import { client, read } from './client'
import { keys } from './keys'
import { notifyTabs } from './session'
import type { Me } from './types'

export const signedOut: Me = {
  user: null,
  counts: { active: 0, fulfilled: 0, archived: 0, expired: 0, unread: 0, received: 0, confirm: 0, cases: 0 },
  todo: [],
}

/** Who is signed in. If the server cannot say, the user counts as signed out. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }): Promise<Me> => {
    try {
      if (isSignOutPending()) await sendSignOut()
      const me = await read(client.GET('/api/me', { signal }))
      if (me.user) claimDrafts(me.user.id)
      return { ...signedOut, ...me } // an older server has fewer of them
    } catch (error) {
      if (signal.aborted) throw error
      console.error('session', error)
      return signedOut
    }
  },
  staleTime: 60_000,
  // The user may have signed out meanwhile, in another tab or on another device.
  refetchOnWindowFocus: 'always',
})

async function sendSignOut() {
  await read(client.POST('/auth/sign-out'))
  clearPendingSignOut()
}

/** Ends the session here, even if the call fails. A failed call is retried on the next page load. */
export async function signOut(queryClient: QueryClient) {
  markSignOutPending()
  try {
    await sendSignOut()
  } catch (error) {
    console.error('sign out', error)
  }
  leaveBrowser(queryClient)
}

/** Clears what this browser keeps of the user, whose session is over. */
export function leaveBrowser(queryClient: QueryClient) {
  dropDrafts()
  forgetVisitor()
  forgetFinding()
  browserSkills.set([])
  browserSearches.set([])
  forgetLastPost()
  markSignedOut(queryClient)
  notifyTabs({ kind: 'left' })
}

/** Marks the user as signed out and cancels the fetch in progress. */
export function markSignedOut(queryClient: QueryClient) {
  void queryClient.cancelQueries({ queryKey: keys.me })
  queryClient.setQueryData(keys.me, signedOut)
  clearOwnQueries(queryClient)
}

/** Clears all cached data of one user. */
export function clearOwnQueries(queryClient: QueryClient) {
  for (const queryKey of [
    keys.ownLists,
    keys.single,
    keys.sentOffers,
    keys.skills,
    keys.searches,
    ['stock'],
    ['watches'],
    ['offers'],
    ['sales'],
    ['notices'],
    ['moderation'],
  ]) {
    queryClient.removeQueries({ queryKey })
  }
}

/** Returns the address that starts the sign-in. Afterwards the user returns to the current page. */
export function signInAddress(returnTo = location.pathname + location.search): string {
  return `/auth/discord?return=${encodeURIComponent(returnTo)}`
}
