import type { ComponentProps, ReactElement } from 'react'
import ForSale from '@/features/listings/ForSale'
import { type Board, useOwnOfferCounts } from '@/features/orders/board/Board'
import { OrderCard } from '@/features/orders/card/OrderCard'
import type { Side } from '@/lib/side'

type Props = { side: Side; board: ReactElement<ComponentProps<typeof Board>> }

/** Listings, in place of the board of requests or together with it. */
export default function SaleSide({ side, board }: Props) {
  const { filter, view, viewerId } = board.props
  const counts = useOwnOfferCounts(viewerId)
  return (
    <ForSale
      side={side}
      filter={filter}
      view={view}
      viewerId={viewerId}
      card={(order, own, offered, mark) => (
        <OrderCard order={order} own={own} offered={offered} offerCount={counts.get(order.id)} mark={mark} />
      )}
      requests={board}
    />
  )
}
