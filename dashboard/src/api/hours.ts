// When the user plays, and when the two sides of a trade meet.
import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'

export const hoursQuery = queryOptions({
  queryKey: ['hours'] as const,
  queryFn: ({ signal }) => read(client.GET('/api/me/hours', { signal })),
})

export const saveHours = (hours: number[], key: string) =>
  read(client.PUT('/api/me/hours', { body: { hours }, params: keyed(key) }))
export const learnHours = (learns: boolean, key: string) =>
  read(client.PUT('/api/me/hours/learning', { body: { learns }, params: keyed(key) }))
export const eraseHours = (key: string) => read(client.DELETE('/api/me/hours', { params: keyed(key) }))

const one = (sale: number, key: string) => ({ params: { path: { id: sale }, ...keyed(key) } })

export const acceptMeeting = (sale: number, at: string, key: string) =>
  read(client.POST('/api/handovers/{id}/meeting/accept', { body: { at }, ...one(sale, key) }))
export const chooseMeeting = (sale: number, at: string, key: string) =>
  read(client.PUT('/api/handovers/{id}/meeting', { body: { at }, ...one(sale, key) }))
export const proposeMeeting = (sale: number, instead: string | undefined, key: string) =>
  read(client.POST('/api/handovers/{id}/meeting/next', { body: { instead }, ...one(sale, key) }))
