import { useQuery } from '@tanstack/react-query'
import { salesQuery } from '@/api/sales'
import type { Order } from '@/api/types'
import { UndoClose, UndoSale } from '@/components/undo-button'

/** Undoes what closed the owner's request: that they closed it, or the sale that filled it. */
export default function UndoClosed({ order, at }: { order: Order; at: string }) {
  if (order.closeReason === 'filled') return <UndoFilled order={order} at={at} />
  return <UndoClose id={order.id} at={at} what={`closing ${order.itemName}`} className="w-full" />
}

function UndoFilled({ order, at }: { order: Order; at: string }) {
  const { data } = useQuery(salesQuery(order.id))
  const filling = data?.sales.find((sale) => sale.createdAt === at && !sale.reversed)
  if (!filling) return null // an edit filled it
  return <UndoSale id={filling.id} at={at} what={`the sale that completed ${order.itemName}`} className="w-full" />
}
