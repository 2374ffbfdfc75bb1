import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { client, read } from './client'
import { keys } from './keys'
import { leaveBrowser } from './me'

/** Where the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: ({ signal }) => read(client.GET('/api/me/sessions', { signal })),
})

export const endSession = (id: string) => read(client.DELETE('/api/me/sessions/{id}', { params: { path: { id } } }))

/** Ends every session of the user, this one too. */
export async function signOutEverywhere(queryClient: QueryClient) {
  await read(client.DELETE('/api/me/sessions'))
  leaveBrowser(queryClient)
}

/** The address of the account export. */
export const accountExportAddress = '/api/me/data'

/** Hides everything of the user's and signs them out everywhere. It is deleted after 14 days. */
export async function deleteAccount(queryClient: QueryClient) {
  await read(client.DELETE('/api/me'))
  leaveBrowser(queryClient)
}

/** Shows everything of a user again who is leaving. */
export async function cancelLeaving(queryClient: QueryClient) {
  await read(client.POST('/api/me/cancel-leaving'))
  await queryClient.invalidateQueries()
}
