// Open trades between the user and one partner.
import { queryOptions } from '@tanstack/react-query'
import type { components } from './api.gen'
import { client, keyed, read } from './client'
import { keys } from './keys'

type Schemas = components['schemas']
export type Slip = Schemas['Slip']
export type SlipLine = Schemas['SlipLine']

/** Below the receipts: what refreshes them refreshes slips. */
export const slipQuery = (partner: number) =>
  queryOptions({
    queryKey: [...keys.receipts, 'slip', partner],
    queryFn: ({ signal }) => read(client.GET('/api/me/slips/{id}', { params: { path: { id: partner } }, signal })),
  })

export const putMeetingPlace = (partner: number, place: string, key: string) =>
  read(client.PUT('/api/me/slips/{id}/place', { body: { place }, params: { path: { id: partner }, ...keyed(key) } }))

export const putInGameName = (inGameName: string, key: string) =>
  read(client.PUT('/api/me/in-game-name', { body: { inGameName }, params: { ...keyed(key) } }))
