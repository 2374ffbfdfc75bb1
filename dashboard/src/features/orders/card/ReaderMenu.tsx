import { useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, Ban, Flag, Link, List, ShieldX, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { allowOrderNames, vouch } from '@/api/moderation'
import type { Order } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { type DialogName, useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { shareOrder } from '@/lib/share'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'

async function vouchForBuyer({ userId }: Order) {
  try {
    await vouch(userId, `vouch.${userId}.${uuid()}`)
    showToast(t('orders_vouched'))
  } catch (error) {
    showToast(messageFor(error, t('orders_vouch_failed')))
  }
}

async function allowNames({ id }: Order) {
  try {
    await allowOrderNames(id, `allow-names.${id}.${uuid()}`)
    showToast(t('orders_name_allowed'))
  } catch (error) {
    showToast(messageFor(error, t('orders_allow_failed')))
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
  const queryClient = useQueryClient()
  const allow = () =>
    allowNames(order).finally(() => {
      for (const queryKey of [keys.orders, keys.reports, keys.audit]) void queryClient.invalidateQueries({ queryKey })
    })
  const dialog = (name: DialogName) => () => open({ name, request: order.id })
  return (
    <PageMenu button={children} opened>
      {(choose) => (
        <>
          <DropdownMenuItem onSelect={() => shareOrder(order.id)}>
            <Link /> {t('common_copy_link')}
          </DropdownMenuItem>
          {order.listId && (
            <DropdownMenuItem onSelect={() => go(`/lists/${order.listId}`)}>
              <List /> {t('orders_show_whole_list')}
            </DropdownMenuItem>
          )}
          <DropdownMenuItem onSelect={choose(dialog('report'))}>
            <Flag /> {t('orders_report')}
          </DropdownMenuItem>
          {user?.moderator && (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuItem onSelect={() => vouchForBuyer(order)}>
                <BadgeCheck /> {t('orders_vouch')}
              </DropdownMenuItem>
              {order.lookAlike && (
                <DropdownMenuItem onSelect={allow}>
                  <UserCheck /> {t('orders_allow_name')}
                </DropdownMenuItem>
              )}
              <DropdownMenuItem variant="destructive" onSelect={choose(dialog('remove'))}>
                <ShieldX /> {t('orders_remove')}
              </DropdownMenuItem>
              <DropdownMenuItem variant="destructive" onSelect={choose(dialog('block'))}>
                <Ban /> {t('orders_block_buyer')}
              </DropdownMenuItem>
            </>
          )}
        </>
      )}
    </PageMenu>
  )
}
