import { CircleCheck, Inbox, Link, List, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Order } from '@/api/types'
import { PageMenuContent } from '@/components/page-menu'
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
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
  // The dialog opens after the menu has returned the focus, so that closing it returns the focus too.
  const chosen = useRef<DialogName | null>(null)
  const active = order.status === 'active'

  function choose(name: DialogName) {
    chosen.current = name
  }

  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <PageMenuContent
        onCloseAutoFocus={() => {
          const name = chosen.current
          chosen.current = null
          if (name) setTimeout(() => open({ name, request: order.id }))
        }}
      >
        {active && (
          <>
            <DropdownMenuItem onSelect={() => choose('edit')}>
              <Pencil /> Edit Request
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => choose('offers')}>
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
          <DropdownMenuItem onSelect={() => choose('close')}>
            <CircleCheck /> Close Request
          </DropdownMenuItem>
        )}
        <DropdownMenuItem variant="destructive" onSelect={() => choose('delete')}>
          <Trash2 /> Delete Request
        </DropdownMenuItem>
      </PageMenuContent>
    </DropdownMenu>
  )
}
