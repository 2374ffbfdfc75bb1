import { Ellipsis } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'

const Owners = lazy(() => import('./OwnerMenu'))
const Readers = lazy(() => import('./ReaderMenu'))

/** Shows the button immediately; the menu is loaded with the first own request on the page. */
export function OwnerMenu(props: { order: Order; offerCount?: number }) {
  const label = t('orders_actions_own', { item: props.order.itemName })
  return (
    <Suspense fallback={<MenuButton label={label} disabled />}>
      <Owners {...props}>
        <MenuButton label={label} />
      </Owners>
    </Suspense>
  )
}

/** Loads the menu on the first click, because most users never open it. */
export function ReaderMenu({ order, tabIndex }: { order: Order; tabIndex?: number }) {
  const [wanted, setWanted] = useState(false)
  const label = t('orders_actions', { item: order.itemName })
  const button = <MenuButton label={label} tabIndex={tabIndex} aria-haspopup="menu" onClick={() => setWanted(true)} />
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Readers order={order}>
        <MenuButton label={label} tabIndex={tabIndex} />
      </Readers>
    </Suspense>
  )
}

function MenuButton({ label, ...props }: { label: string } & ComponentProps<typeof Button>) {
  return (
    <Button variant="ghost" size="icon-sm" className="size-7" aria-label={label} {...props}>
      <Ellipsis />
    </Button>
  )
}
