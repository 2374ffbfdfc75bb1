import { Ellipsis } from 'lucide-react'
import type { Order } from '@/api/types'
import { lazyMenu, type MenuButtonProps } from '@/components/lazy-menu'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'

const Owners = lazyMenu(() => import('./OwnerMenu'))
const Readers = lazyMenu(() => import('./ReaderMenu'))

export function OwnerMenu(props: { order: Order; offerCount?: number }) {
  const label = t('orders_actions_own', { item: props.order.itemName })
  return <Owners {...props} button={(button) => <MenuButton label={label} {...button} />} />
}

export function ReaderMenu({ order, tabIndex }: { order: Order; tabIndex?: number }) {
  const label = t('orders_actions', { item: order.itemName })
  return <Readers order={order} button={(button) => <MenuButton label={label} tabIndex={tabIndex} {...button} />} />
}

function MenuButton({ label, ...props }: { label: string } & MenuButtonProps) {
  return (
    <Button variant="ghost" size="icon-sm" className="size-7" aria-label={label} {...props}>
      <Ellipsis />
    </Button>
  )
}
