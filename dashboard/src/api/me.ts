import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { client, read } from './client'
import { keys } from './keys'
import type { Me } from './types'

export const nobody: Me = { user: null, counts: { active: 0, fulfilled: 0, expired: 0, unread: 0 } }

/** Who is signed in. When that cannot be learned, the reader counts as signed out. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }): Promise<Me> => {
    try {
      return await read(client.GET('/api/me', { signal }))
    } catch (error) {
      if (signal.aborted) throw error
      console.error('session', error)
      return nobody
    }
  },
  staleTime: 60_000,
})

/** Ends the session here, whether or not the server could be told. */
export async function signOut(queryClient: QueryClient) {
  try {
    await read(client.POST('/auth/sign-out'))
  } catch (error) {
    console.error('sign out', error)
  }
  forgetUser(queryClient)
}

/** Clears everything that was one user's own. */
export function forgetUser(queryClient: QueryClient) {
  queryClient.setQueryData(keys.me, nobody)
  for (const queryKey of [keys.ownLists, keys.sentOffers, ['offers'], ['sales'], ['notices']]) {
    queryClient.removeQueries({ queryKey })
  }
}

/** Where signing in begins. It ends at the address where the reader is now. */
export function signInAddress(returnTo = location.pathname + location.search): string {
  return `/auth/discord?return=${encodeURIComponent(returnTo)}`
}
