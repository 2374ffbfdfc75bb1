import { BadgeCheck, Ban, Flag, Link, List, ShieldX } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { vouch } from '@/api/moderation'
import type { Order } from '@/api/types'
import { PageMenuContent } from '@/components/page-menu'
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { type DialogName, useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { shareOrder } from '@/lib/share'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'

async function vouchForBuyer({ userId }: Order) {
  try {
    await vouch(userId, `vouch.${userId}.${uuid()}`)
    showToast("The buyer's trades count for prices from now on.")
  } catch (error) {
    showToast(messageFor(error, 'Failed to vouch for the buyer. Please try again.'))
  }
}

type Props = {
  order: Order
  /** The button that opens it. */
  children: ReactNode
}

/** The actions of other users on a request, and those of moderators. It is open when it mounts. */
export default function ReaderMenu({ order, children }: Props) {
  const { open, go } = useDialogs()
  const { user } = useMe()
  const [shown, setShown] = useState(true)
  // The dialog opens after the menu has returned the focus, so that closing it returns the focus too.
  const chosen = useRef<DialogName | null>(null)
  return (
    <DropdownMenu modal={false} open={shown} onOpenChange={setShown}>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <PageMenuContent
        onCloseAutoFocus={() => {
          const name = chosen.current
          chosen.current = null
          if (name) setTimeout(() => open({ name, request: order.id }))
        }}
      >
        <DropdownMenuItem onSelect={() => shareOrder(order.id)}>
          <Link /> Copy Link
        </DropdownMenuItem>
        {order.listId && (
          <DropdownMenuItem onSelect={() => go(`/lists/${order.listId}`)}>
            <List /> Show the Whole List
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => (chosen.current = 'report')}>
          <Flag /> Report…
        </DropdownMenuItem>
        {user?.moderator && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={() => vouchForBuyer(order)}>
              <BadgeCheck /> Vouch for buyer
            </DropdownMenuItem>
            <DropdownMenuItem variant="destructive" onSelect={() => (chosen.current = 'remove')}>
              <ShieldX /> Remove…
            </DropdownMenuItem>
            <DropdownMenuItem variant="destructive" onSelect={() => (chosen.current = 'block')}>
              <Ban /> Block buyer…
            </DropdownMenuItem>
          </>
        )}
      </PageMenuContent>
    </DropdownMenu>
  )
}
