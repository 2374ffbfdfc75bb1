import { Ellipsis } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'

const Menu = lazy(() => import('./ReaderMenu'))

/** Loads the menu on the first click, because most users never open it. */
export function ReaderMenu({ order, tabIndex }: { order: Order; tabIndex?: number }) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <ReaderMenuButton order={order} tabIndex={tabIndex} aria-haspopup="menu" onClick={() => setWanted(true)} />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Menu order={order}>
        <ReaderMenuButton order={order} tabIndex={tabIndex} />
      </Menu>
    </Suspense>
  )
}

function ReaderMenuButton({ order, ...props }: { order: Order } & ComponentProps<typeof Button>) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      className="size-7"
      aria-label={`Actions for the request ${order.itemName}`}
      {...props}
    >
      <Ellipsis />
    </Button>
  )
}
