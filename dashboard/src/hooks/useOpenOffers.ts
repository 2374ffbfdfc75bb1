import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { openOffersQuery } from '@/api/offers'
import type { OpenOffer } from '@/api/types'
import { useMe } from './useMe'

/** The user's open offers, by request. The public board does not have them. */
export function useOpenOffers(): ReadonlyMap<number, OpenOffer> {
  const { user } = useMe()
  const { data } = useQuery({ ...openOffersQuery, enabled: user !== null })
  return useMemo(() => new Map(data?.map((offer) => [offer.orderId, offer])), [data])
}
