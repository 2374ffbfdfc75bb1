import type { ComponentProps, ReactElement } from 'react'
import { useSearchParams } from 'react-router'
import ForSale from '@/features/listings/ForSale'
import SideSwitch from '@/features/listings/SideSwitch'
import type { Board } from '@/features/orders/board/Board'
import { OrderCard } from '@/features/orders/card/OrderCard'
import { sideAt } from '@/lib/side'

/** The switch of the board's sides; with the board of requests, what the chosen side shows instead. They are one part, so that
 * the page's first load is no longer for it. */
export default function BrowseSides({ board }: { board?: ReactElement<ComponentProps<typeof Board>> }) {
  const side = sideAt(useSearchParams()[0])
  if (!board) return <SideSwitch />
  if (!side) return board
  const { filter, view, viewerId } = board.props
  return (
    <ForSale
      side={side}
      filter={filter}
      view={view}
      viewerId={viewerId}
      card={(order, own, offered) => <OrderCard order={order} own={own} offered={offered} />}
      requests={board}
    />
  )
}
