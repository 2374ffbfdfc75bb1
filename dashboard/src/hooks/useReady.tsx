import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { readyQuery } from '@/api/offers'
import type { Ready } from '@/api/types'
import { isOn } from '@/lib/site'
import { useMe } from './useMe'

const Offers = createContext<ReadonlyMap<number, Ready> | undefined>(undefined)

/** Reads once what one press offers, for all requests below it. The public board does not have that. */
export function ReadyOffers({ children }: { children: ReactNode }) {
  const { user } = useMe()
  const { data } = useQuery({ ...readyQuery, enabled: user !== null && isOn('stock') })
  const offers = useMemo(() => new Map(data?.ready.map((ready) => [ready.orderId, ready])), [data])
  return <Offers value={offers}>{children}</Offers>
}

/** What one press offers on a request, of the user's stock; undefined for nothing. */
export const useReady = (order: number): Ready | undefined => useContext(Offers)?.get(order)
