import { memo, useEffect, useRef } from 'react'
import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useByAndBy } from '@/hooks/useByAndBy'
import { useNear } from '@/hooks/useNear'
import { cn } from '@/lib/cn'
import { OrderCard } from './OrderCard'

type Props = {
  orders: Order[]
  viewerId: number | undefined
  /** Offers waiting on the reader's own requests, by request, where the list itself does not say. */
  offerCounts?: ReadonlyMap<number, number>
  /** Requests that have just come in, to be slid in. */
  arrived?: ReadonlySet<number>
  /** Leaves room for a panel beside the grid. */
  narrow?: boolean
  label: string
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
}

/** So many cards are no burden, and all of them may be drawn: then the browser's own search finds them too. */
const few = 60

/** So many fill the first screen of a phone, and of what is wider. The others of a page follow in small steps. */
const atOnce = () => (matchMedia('(min-width: 48rem)').matches ? 9 : 3)

/** Cards in one, two or three columns. More come as one scrolls, and of many only those in sight or near are drawn. */
export function OrderGrid({ orders, viewerId, offerCounts, arrived, narrow = false, label, ...more }: Props) {
  const counted = useByAndBy(atOnce, Math.min(orders.length, few))
  const drawn = orders.length <= few ? counted : atOnce()
  return (
    <>
      <ul
        aria-label={label}
        className={cn('grid grid-cols-1 gap-4 md:grid-cols-2', narrow ? 'xl:grid-cols-3' : 'lg:grid-cols-3')}
      >
        {orders.map((order, i) => (
          <Place
            key={order.id}
            order={order}
            own={order.userId === viewerId}
            offerCount={order.offerCount ?? offerCounts?.get(order.id)}
            arrived={arrived?.has(order.id) ?? false}
            always={i < drawn}
          />
        ))}
      </ul>
      {more.hasMore && <More {...more} />}
    </>
  )
}

type PlaceProps = { order: Order; own: boolean; offerCount: number | undefined; arrived: boolean; always: boolean }

/** Where a card stands. Out of sight the place keeps the height of its card. */
const Place = memo(function Place({ arrived, always, ...card }: PlaceProps) {
  const { place, near, height } = useNear<HTMLLIElement>(card.order.id)
  const drawn = always || near
  return (
    <li
      ref={place}
      style={drawn ? { containIntrinsicBlockSize: height && `auto ${height}px` } : { height }}
      className={cn(
        drawn ? '[contain-intrinsic-size:auto_25rem] [content-visibility:auto]' : 'min-h-100 rounded-lg border bg-card',
        arrived && 'animate-arrive',
      )}
    >
      {drawn && <OrderCard {...card} />}
    </li>
  )
})

/** Loads on before the reader comes to the end; the button is there for whoever gets there first. */
function More({ loadingMore, onMore }: Pick<Props, 'hasMore' | 'loadingMore' | 'onMore'>) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!mark.current || loadingMore) return
    const observer = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && onMore(), {
      rootMargin: '1200px 0px',
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [loadingMore, onMore])
  return (
    <div ref={mark} className="flex justify-center py-8">
      <Button variant="outline" onClick={onMore} disabled={loadingMore}>
        {loadingMore ? 'Loading...' : 'Load more'}
      </Button>
    </div>
  )
}
