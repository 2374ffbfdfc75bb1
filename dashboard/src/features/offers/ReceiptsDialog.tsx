import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import RequestReceipts, { useReceipts } from '@/components/receipts'
import { RequestSummary } from '@/components/request-summary'
import { Typed } from '@/components/typed'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { rich, t } from '@/lib/texts'

/** The receipts of the owner's request. */
export default function ReceiptsDialog({ open, onClose, order }: OrderDialogProps) {
  const { receipts, isPending } = useReceipts({ requests: [order.id] })
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title={rich('offers_receipts_for_item', { item: <Typed>{order.itemName}</Typed> })}
        description={t('offers_receipts_hint')}
        className="sm:max-w-xl"
      >
        <DialogBody className="grid min-h-60 grid-cols-1 content-start gap-4">
          <RequestSummary order={order} />
          <RequestReceipts orderId={order.id} undoable={order.closeReason !== 'closed_early'} />
          {!isPending && receipts.length === 0 && (
            <p className="py-8 text-center text-muted-foreground">{t('offers_no_receipts')}</p>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
