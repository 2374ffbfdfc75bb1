import { CircleCheck, Inbox, Link, List, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { type DialogName, useDialogs } from '@/hooks/useDialogs'
import { shareOrder } from '@/lib/share'
import { t } from '@/lib/texts'

type Props = {
  order: Order
  offerCount?: number
  /** The button that opens it. */
  children: ReactNode
}

/** The owner's actions on a request. A closed one can only be shared and deleted. It is open when it mounts. */
export default function OwnerMenu({ order, offerCount, children }: Props) {
  const { open, go } = useDialogs()
  const active = order.status === 'active'
  const ask = active && order.listingId !== undefined // it can only be withdrawn
  const dialog = (name: DialogName) => () => open({ name, request: order.id })
  return (
    <PageMenu button={children} opened>
      {(choose) => (
        <>
          {active && !ask && (
            <>
              <DropdownMenuItem onSelect={choose(dialog('edit'))}>
                <Pencil /> {t('common_edit_request')}
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={choose(dialog('offers'))}>
                <Inbox />{' '}
                {offerCount === undefined
                  ? t('orders_view_offers')
                  : t('orders_view_offers_count', { count: offerCount })}
              </DropdownMenuItem>
            </>
          )}
          {!ask && (
            <DropdownMenuItem onSelect={() => shareOrder(order.id)}>
              <Link /> {t('common_copy_link')}
            </DropdownMenuItem>
          )}
          {order.listId && (
            <DropdownMenuItem onSelect={() => go(`/lists/${order.listId}`)}>
              <List /> {t('orders_show_whole_list')}
            </DropdownMenuItem>
          )}
          {!ask && <DropdownMenuSeparator />}
          {active && !ask && (
            <DropdownMenuItem onSelect={choose(dialog('close'))}>
              <CircleCheck /> {t('orders_close_request')}
            </DropdownMenuItem>
          )}
          <DropdownMenuItem variant="destructive" onSelect={choose(dialog('delete'))}>
            <Trash2 /> {t('orders_delete_request')}
          </DropdownMenuItem>
        </>
      )}
    </PageMenu>
  )
}
