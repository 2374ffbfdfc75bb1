import { Ellipsis } from 'lucide-react'
import { type ComponentProps, lazy, Suspense } from 'react'
import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'

const Menu = lazy(() => import('./OwnerMenu'))

/** Shows the button immediately; the menu is loaded with the first own request on the page. */
export function OwnerMenu(props: { order: Order; offerCount?: number }) {
  return (
    <Suspense fallback={<OwnerMenuButton order={props.order} disabled />}>
      <Menu {...props}>
        <OwnerMenuButton order={props.order} />
      </Menu>
    </Suspense>
  )
}

function OwnerMenuButton({ order, ...props }: { order: Order } & ComponentProps<typeof Button>) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      className="size-7"
      aria-label={`Actions for your request ${order.itemName}`}
      {...props}
    >
      <Ellipsis />
    </Button>
  )
}
