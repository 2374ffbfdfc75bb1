import { CircleCheck, Inbox, Link, List, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { type DialogName, useDialogs } from '@/hooks/useDialogs'
import { formatNumber } from '@/lib/format'
import { shareOrder } from '@/lib/share'

type Props = {
  order: Order
  offerCount?: number
  /** The button that opens it. */
  children: ReactNode
}

/** The owner's actions on a request. A closed one can only be shared and deleted. */
export default function OwnerMenu({ order, offerCount, children }: Props) {
  const { open, go } = useDialogs()
  const active = order.status === 'active'
  const dialog = (name: DialogName) => () => open({ name, request: order.id })
  return (
    <PageMenu button={children}>
      {(choose) => (
        <>
          {active && (
            <>
              <DropdownMenuItem onSelect={choose(dialog('edit'))}>
                <Pencil /> Edit Request
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={choose(dialog('offers'))}>
                <Inbox /> View Offers{offerCount === undefined ? '' : ` (${formatNumber(offerCount)})`}
              </DropdownMenuItem>
            </>
          )}
          <DropdownMenuItem onSelect={() => shareOrder(order.id)}>
            <Link /> Copy Link
          </DropdownMenuItem>
          {order.listId && (
            <DropdownMenuItem onSelect={() => go(`/lists/${order.listId}`)}>
              <List /> Show the Whole List
            </DropdownMenuItem>
          )}
          <DropdownMenuSeparator />
          {active && (
            <DropdownMenuItem onSelect={choose(dialog('close'))}>
              <CircleCheck /> Close Request
            </DropdownMenuItem>
          )}
          <DropdownMenuItem variant="destructive" onSelect={choose(dialog('delete'))}>
            <Trash2 /> Delete Request
          </DropdownMenuItem>
        </>
      )}
    </PageMenu>
  )
}
