import { useInfiniteQuery } from '@tanstack/react-query'
import { receiptsQuery } from '@/api/receipts'
import type { Receipt } from '@/api/types'
import { t } from '@/lib/texts'
import { MoreButton } from './more-button'
import { ReceiptCard } from './receipt'

/** The user's receipts of some requests or offers, newest first. */
export function useReceipts(of: { requests?: number[]; offers?: number[] }) {
  const none = of.requests?.length === 0 || of.offers?.length === 0
  const query = useInfiniteQuery({ ...receiptsQuery(of), enabled: !none })
  const receipts: Receipt[] = query.data?.pages.flatMap((page) => page.receipts) ?? []
  return { ...query, receipts }
}

type Props = { orderId: number; undoable?: boolean; className?: string; onUndone?: (sale: number) => void }

/** The user's receipts of one request. Shows nothing if there are none. */
export default function RequestReceipts({ orderId, undoable, className, onUndone }: Props) {
  const { receipts, ...query } = useReceipts({ requests: [orderId] })
  if (receipts.length === 0) return null
  return (
    <section aria-label={t('common_receipts')} className={className}>
      <div className="grid grid-cols-1 gap-3">
        {receipts.map((receipt) => (
          <ReceiptCard key={receipt.id} receipt={receipt} undoable={undoable} onUndone={onUndone} />
        ))}
      </div>
      <MoreButton pages={query} className="mt-4" />
    </section>
  )
}
