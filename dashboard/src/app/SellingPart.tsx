import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentOffersQuery } from '@/api/offers'
import { savedQuery } from '@/api/searches'
import { fillQuery, stockQuery } from '@/api/stock'
import { useMe } from '@/hooks/useMe'
import { t } from '@/lib/texts'
import { type Part, PlaceTabs } from './PlaceTabs'
import { sells } from './places'

type Props = {
  chosen: string
  /** A second column on a wide screen. */
  beside?: ReactNode
  children: ReactNode
}

/** A part of *Selling*. All of them have their tabs at the same place. */
export function SellingPart({ chosen, beside, children }: Props) {
  return (
    <div className="mx-auto max-w-3xl xl:max-w-none">
      <SellingTabs chosen={chosen} />
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_24rem] xl:items-start xl:gap-6">
        <div>{children}</div>
        {beside}
      </div>
    </div>
  )
}

/** The parts of *Selling*, with their counts. The lists that are read for these are shown at once when they are opened. */
function SellingTabs({ chosen }: { chosen: string }) {
  const { user } = useMe()
  const enabled = user !== null && sells()
  const fill = useQuery({ ...fillQuery, enabled: enabled && chosen === '/selling' }) // the others would rank it for a number
  const offers = useInfiniteQuery({ ...sentOffersQuery('open'), enabled })
  const stock = useQuery({ ...stockQuery, enabled })
  const saved = useQuery({ ...savedQuery, enabled })
  if (!enabled) return null
  const parts: Part[] = [
    { to: '/selling', label: t('pages_for_me_title'), count: fill.data?.length },
    { to: '/selling/offers', label: t('common_my_offers'), count: offers.data?.pages[0]?.counts?.open },
    { to: '/selling/stock', label: t('common_stock'), count: stock.data?.length },
    { to: '/selling/saved', label: t('common_saved'), count: saved.data?.length },
  ]
  return <PlaceTabs label={t('common_selling')} chosen={chosen} parts={parts} />
}
