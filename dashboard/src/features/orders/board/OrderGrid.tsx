import { memo } from 'react'
import type { OpenOffer, Order } from '@/api/types'
import { useIdle } from '@/hooks/useIdle'
import { useNear } from '@/hooks/useNear'
import { cn } from '@/lib/cn'
import { OrderCard } from '../card/OrderCard'
import { LoadMore } from './LoadMore'

type Props = {
  orders: Order[]
  viewerId: number | undefined
  /** Open offers on the user's own requests, by request, if the list itself has no counts. */
  offerCounts?: ReadonlyMap<number, number>
  /** The user's open offers, by request. */
  openOffers?: ReadonlyMap<number, OpenOffer>
  /** New requests, which slide in. */
  arrived?: ReadonlySet<number>
  /** Makes room for a panel beside the grid. */
  narrow?: boolean
  label: string
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
}

/** Up to this many cards are all rendered, so that the browser's own search finds them. */
const renderAllUpTo = 60

/** The number of cards that fill the first screen. The others are rendered in small steps. */
const firstScreen = () => (matchMedia('(min-width: 48rem)').matches ? 12 : 3)

/** Cards in one, two or three columns with infinite scrolling. In a long list only cards in or near
 * the viewport are rendered. */
export function OrderGrid({
  orders,
  viewerId,
  offerCounts,
  openOffers,
  arrived,
  narrow = false,
  label,
  ...more
}: Props) {
  const rendered = useIdle(firstScreen, Math.min(orders.length, renderAllUpTo))
  const always = orders.length <= renderAllUpTo ? rendered : firstScreen()
  return (
    <>
      <ul
        aria-label={label}
        className={cn(
          'grid grid-cols-1 gap-3 md:grid-cols-2',
          'min-[112.5rem]:grid-cols-4',
          narrow ? 'xl:grid-cols-3' : 'lg:grid-cols-3',
        )}
      >
        {orders.map((order, i) => (
          <Place
            key={order.id}
            order={order}
            own={order.userId === viewerId}
            offerCount={order.offerCount ?? offerCounts?.get(order.id)}
            offered={openOffers?.get(order.id)}
            arrived={arrived?.has(order.id) ?? false}
            always={i < always}
          />
        ))}
      </ul>
      {more.hasMore && <LoadMore {...more} />}
    </>
  )
}

type PlaceProps = {
  order: Order
  own: boolean
  offerCount: number | undefined
  offered: OpenOffer | undefined
  arrived: boolean
  always: boolean
}

/** The place of a card. Outside the viewport it keeps the height of the card. */
const Place = memo(function Place({ arrived, always, ...card }: PlaceProps) {
  const { place, near, height } = useNear<HTMLLIElement>(card.order.id)
  const drawn = always || near
  return (
    <li
      ref={place}
      style={drawn ? { containIntrinsicBlockSize: height && `auto ${height}px` } : { height }}
      className={cn(
        drawn
          ? '[contain-intrinsic-size:auto_13.25rem] [content-visibility:auto]'
          : 'min-h-53 rounded-lg border bg-card',
        arrived && 'animate-arrive',
      )}
    >
      {drawn && <OrderCard {...card} />}
    </li>
  )
})
