import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import type { Schemas } from './types'

export type Token = Schemas['Token']
export type Scope = Schemas['Scope']

/** The tokens of the user's programs. */
export const tokensQuery = queryOptions({
  queryKey: ['tokens'] as const,
  queryFn: ({ signal }) => read(client.GET('/api/me/tokens', { signal })),
})

type TokenDraft = { name: string; scopes: Scope[]; days: 30 | 90 | 365 }

/** Makes a token. Its secret is in this answer only, and null where the answer to the first try was lost. */
export const makeToken = (body: TokenDraft, key: string) =>
  read(client.POST('/api/me/tokens', { body, params: keyed(key) }))

export const endToken = (id: number, key: string) =>
  read(client.DELETE('/api/me/tokens/{id}', { params: { path: { id }, ...keyed(key) } }))
