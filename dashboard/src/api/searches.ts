import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { SearchDraft } from './types'

/** The signed-in user's saved searches, by name. */
export const searchesQuery = queryOptions({
  queryKey: keys.searches,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/searches', { signal }))).searches,
  staleTime: 5 * 60_000,
})

export const addSearch = (body: SearchDraft, key: string) =>
  read(client.POST('/api/me/searches', { body, params: keyed(key) }))

export const editSearch = (id: number, body: SearchDraft, key: string) =>
  read(client.PUT('/api/me/searches/{id}', { body, params: { path: { id }, ...keyed(key) } }))

export const deleteSearch = (id: number, key: string) =>
  read(client.DELETE('/api/me/searches/{id}', { params: { path: { id }, ...keyed(key) } }))
