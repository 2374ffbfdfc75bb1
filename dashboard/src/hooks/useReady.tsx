import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { readyQuery } from '@/api/offers'
import type { Ready } from '@/api/types'
import { useMe } from './useMe'

const Offers = createContext<Ready[] | undefined>(undefined)

/** Reads once what one press offers, for all requests below it. The public board does not have that. */
export function ReadyOffers({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...readyQuery, enabled: useMe().user !== null })
  return <Offers value={data?.ready}>{children}</Offers>
}

/** What one press offers on a request, of the user's stock; undefined for nothing. */
export const useReady = (order: number): Ready | undefined =>
  useContext(Offers)?.find(({ orderId }) => orderId === order)
