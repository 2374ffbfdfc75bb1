import type { ComponentProps, ReactElement } from 'react'
import { useSearchParams } from 'react-router'
import SaleSort from '@/features/listings/SaleSort'
import SideSwitch from '@/features/listings/SideSwitch'
import type { Board } from '@/features/orders/board/Board'
import { lazy } from '@/lib/loaded'
import { sideAt } from '@/lib/side'

const SaleSide = lazy(() => import('./SaleSide'))

/** The switch of the board's sides; with the board of requests, what the chosen side shows instead. They are one part, so that
 * the page's first load is no longer for it. */
export default function BrowseSides({ board }: { board?: ReactElement<ComponentProps<typeof Board>> }) {
  const side = sideAt(useSearchParams()[0])
  if (!board)
    return (
      <>
        {side === 'sale' && <SaleSort />}
        <SideSwitch />
      </>
    )
  return side ? <SaleSide side={side} board={board} /> : board
}
