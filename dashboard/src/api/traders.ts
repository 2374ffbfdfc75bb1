// Records of traders, and what a buyer asks of sellers.
import { queryOptions } from '@tanstack/react-query'
import type { components } from './api.gen'
import { client, keyed, read } from './client'

type Schemas = components['schemas']
export type TradeRecord = Schemas['Record']
export type Standing = Schemas['Standing']
type StandingDraft = Schemas['StandingDraft']
type LeastRecord = Schemas['LeastRecord']

export const traderQuery = (id: number) =>
  queryOptions({
    queryKey: ['traders', 'one', id],
    queryFn: ({ signal }) => read(client.GET('/api/traders/{id}', { params: { path: { id } }, signal })),
  })

// What is asked within a moment is asked at once, as a list of offers does.
let waiting: Map<number, ((record: Promise<TradeRecord>) => void)[]> | null = null
const mostAtOnce = 60

function fetchRecord(id: number): Promise<TradeRecord> {
  return new Promise((resolve) => {
    if (!waiting) {
      waiting = new Map()
      setTimeout(() => {
        const asked = [...(waiting ?? [])]
        waiting = null
        for (let i = 0; i < asked.length; i += mostAtOnce) {
          const part = asked.slice(i, i + mostAtOnce)
          const query = { user: part.map(([user]) => user) }
          const records = read(client.GET('/api/traders', { params: { query } }))
          part.forEach(([, listeners], at) => {
            const one = records.then(({ records }) => {
              const record = records[at]
              if (!record) throw new Error('a record is missing')
              return record
            })
            for (const listener of listeners) listener(one)
          })
        }
      })
    }
    waiting.set(id, [...(waiting.get(id) ?? []), resolve])
  })
}

export const recordQuery = (id: number) =>
  queryOptions({ queryKey: ['traders', 'record', id], queryFn: () => fetchRecord(id), staleTime: 60_000, retry: false })

export const termsQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['traders', 'terms', orderId],
    queryFn: ({ signal }) => read(client.GET('/api/orders/{id}/terms', { params: { path: { id: orderId } }, signal })),
  })

const at = (id: number, key: string) => ({ path: { id }, ...keyed(key) })

export const putStanding = (id: number, body: StandingDraft, key: string) =>
  read(client.PUT('/api/orders/{id}/standing', { body, params: at(id, key) }))

export const endStanding = (id: number, key: string) =>
  read(client.DELETE('/api/orders/{id}/standing', { params: at(id, key) }))

export const putLeastRecord = (id: number, body: LeastRecord, key: string) =>
  read(client.PUT('/api/orders/{id}/least-record', { body, params: at(id, key) }))

export const removeLeastRecord = (id: number, key: string) =>
  read(client.DELETE('/api/orders/{id}/least-record', { params: at(id, key) }))
