import { BadgeCheck, Ban, Flag, Link, List, ShieldX } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageFor } from '@/api/client'
import { vouch } from '@/api/moderation'
import type { Order } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
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
  const dialog = (name: DialogName) => () => open({ name, request: order.id })
  return (
    <PageMenu button={children} opened>
      {(choose) => (
        <>
          <DropdownMenuItem onSelect={() => shareOrder(order.id)}>
            <Link /> Copy Link
          </DropdownMenuItem>
          {order.listId && (
            <DropdownMenuItem onSelect={() => go(`/lists/${order.listId}`)}>
              <List /> Show the Whole List
            </DropdownMenuItem>
          )}
          <DropdownMenuItem onSelect={choose(dialog('report'))}>
            <Flag /> Report…
          </DropdownMenuItem>
          {user?.moderator && (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuItem onSelect={() => vouchForBuyer(order)}>
                <BadgeCheck /> Vouch for buyer
              </DropdownMenuItem>
              <DropdownMenuItem variant="destructive" onSelect={choose(dialog('remove'))}>
                <ShieldX /> Remove…
              </DropdownMenuItem>
              <DropdownMenuItem variant="destructive" onSelect={choose(dialog('block'))}>
                <Ban /> Block buyer…
              </DropdownMenuItem>
            </>
          )}
        </>
      )}
    </PageMenu>
  )
}
