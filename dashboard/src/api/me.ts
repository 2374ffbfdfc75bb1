import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { claimDrafts, dropDrafts } from '@/lib/drafts'
import { farewellOwed, oweFarewell, settleFarewell } from '@/lib/farewell'
import { client, read } from './client'
import { keys } from './keys'
import { tellTabs } from './session'
import type { Me } from './types'

export const nobody: Me = { user: null, counts: { active: 0, fulfilled: 0, expired: 0, unread: 0 } }

/** Who is signed in. When that cannot be learned, the reader counts as signed out. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }): Promise<Me> => {
    try {
      if (farewellOwed()) await sayFarewell()
      const me = await read(client.GET('/api/me', { signal }))
      if (me.user) claimDrafts(me.user.id)
      return me
    } catch (error) {
      if (signal.aborted) throw error
      console.error('session', error)
      return nobody
    }
  },
  staleTime: 60_000,
  // Whoever comes back to a tab may have signed out meanwhile, in another one or on another device.
  refetchOnWindowFocus: 'always',
})

async function sayFarewell() {
  await read(client.POST('/auth/sign-out'))
  settleFarewell()
}

/** Ends the session here, whether or not the server could be told. Until it has been, it is told again. */
export async function signOut(queryClient: QueryClient) {
  oweFarewell()
  try {
    await sayFarewell()
  } catch (error) {
    console.error('sign out', error)
  }
  dropDrafts()
  forgetUser(queryClient)
  tellTabs({ kind: 'left' })
}

/** Counts the reader as signed out. An answer that is under way comes too late. */
export function forgetUser(queryClient: QueryClient) {
  void queryClient.cancelQueries({ queryKey: keys.me })
  queryClient.setQueryData(keys.me, nobody)
  forgetOwn(queryClient)
}

/** Where the reader's own data are downloaded from. */
export const dataAddress = '/api/me/data'

/** Deletes the reader's account with everything that is theirs, for good. */
export async function leave(queryClient: QueryClient) {
  await read(client.DELETE('/api/me'))
  dropDrafts()
  forgetUser(queryClient)
  tellTabs({ kind: 'left' })
}

/** Clears everything that was one user's own. */
export function forgetOwn(queryClient: QueryClient) {
  for (const queryKey of [
    keys.ownLists,
    keys.oneByOne,
    keys.sentOffers,
    ['offers'],
    ['sales'],
    ['notices'],
    ['moderation'],
  ]) {
    queryClient.removeQueries({ queryKey })
  }
}

/** Where signing in begins. It ends at the address where the reader is now. */
export function signInAddress(returnTo = location.pathname + location.search): string {
  return `/auth/discord?return=${encodeURIComponent(returnTo)}`
}
