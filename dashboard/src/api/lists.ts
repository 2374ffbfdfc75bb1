// Several requests that were posted at once.
import { queryOptions } from '@tanstack/react-query'
import { uuid } from '@/lib/uuid'
import type { components } from './api.gen'
import { client, keyed, read } from './client'

type Schemas = components['schemas']
export type PostedList = Schemas['PostedList']
export type ListDraft = Schemas['ListDraft']
export type ListFix = Schemas['ListFix']
type ListOfferDraft = Schemas['ListOfferDraft']
export type Plan = Schemas['Plan']
export type PlanLine = Schemas['PlanLine']
export type PlanDraft = Schemas['PlanDraft']
type PlanQuery = Schemas['PlanQuery']

export const listKeys = {
  all: ['lists'] as const,
  one: (id: number) => ['lists', 'one', id] as const,
  mine: ['lists', 'mine'] as const,
}

/** One list. Events name its requests and not the list, so it asks again now and then. */
export const listQuery = (id: number) =>
  queryOptions({
    queryKey: listKeys.one(id),
    queryFn: ({ signal }) => read(client.GET('/api/lists/{id}', { params: { path: { id } }, signal })),
    refetchInterval: 30_000,
    refetchOnWindowFocus: 'always' as const,
  })

export const myListsQuery = queryOptions({
  queryKey: listKeys.mine,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/lists', { signal }))).lists,
})

export const previewList = (body: ListDraft, key: string) =>
  read(client.POST('/api/lists/preview', { body, params: keyed(key) }))

/** The lines of a list that were probably meant otherwise. Nothing is posted. */
export const readListFixes = async (text: string, key: string) =>
  (await read(client.POST('/api/lists/fixes', { body: { text }, params: keyed(key) }))).fixes

export const postList = (body: ListDraft, key: string) => read(client.POST('/api/lists', { body, params: keyed(key) }))

/** The cheapest way to get the items of a text. What is for sale changes, so it is read again each time that it is shown. */
export const planQuery = (body: PlanQuery) =>
  queryOptions({
    queryKey: [...listKeys.all, 'plan', body],
    queryFn: ({ signal }) => read(client.POST('/api/lists/plan', { body, params: keyed(uuid()), signal })),
    staleTime: 0,
    retry: false,
  })

export const postPlan = (body: PlanDraft, key: string) =>
  read(client.POST('/api/lists/planned', { body, params: keyed(key) }))

export const offerOnList = (id: number, body: ListOfferDraft, key: string) =>
  read(client.POST('/api/lists/{id}/offers', { body, params: { path: { id }, ...keyed(key) } }))

/** The messages of an error about lines, by the number of the line; and those about other fields, by their name. */
export function errorsByLine(errors: Record<string, string> = {}): {
  lines: Map<number, string>
  fields: Map<string, string>
} {
  const lines = new Map<number, string>()
  const fields = new Map<string, string>()
  for (const [field, message] of Object.entries(errors)) {
    const number = /^lines\[(\d+)\]$/.exec(field)?.[1]
    if (number) lines.set(Number(number), message)
    else fields.set(field, message)
  }
  return { lines: new Map([...lines].sort(([a], [b]) => a - b)), fields }
}
