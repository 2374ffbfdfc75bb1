import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { keys } from '@/api/keys'
import { afterSale, putOrder, updateOrderOptimistically } from '@/api/orderCache'
import { logSale } from '@/api/sales'
import type { Order } from '@/api/types'
import { showUndoable } from '@/api/undo'
import { DraftNotice } from '@/components/draft-notice'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { ProgressBar } from '@/components/progress-bar'
import { Success } from '@/components/success'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { useDraftForm } from '@/hooks/useDraftForm'
import { formatNumber } from '@/lib/format'
import { t } from '@/lib/texts'
import { saleForm } from '@/lib/validation'
import { RecentSales } from './RecentSales'

export default function SalesDialog({ open, onClose, order }: OrderDialogProps) {
  const [logged, setLogged] = useState<number | null>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('sales_title')} description={<Typed>{order.itemName}</Typed>}>
        {logged !== null ? (
          <Success title={t('sales_updated')} orderId={order.id} onDone={onClose}>
            {order.status === 'fulfilled'
              ? t('sales_more_sold_completed', { count: logged })
              : t('sales_more_sold', { count: logged })}
          </Success>
        ) : (
          <SalesForm order={order} onLogged={setLogged} onCancel={onClose} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type FormProps = { order: Order; onLogged: (quantity: number) => void; onCancel: () => void }

function SalesForm({ order, onLogged, onCancel }: FormProps) {
  const queryClient = useQueryClient()
  const remaining = order.quantity - order.sold
  const { form, submit, notice, sending, errorOf, restored, startOver } = useDraftForm({
    name: `sale.${order.id}`,
    defaults: { quantitySold: '', notes: '' },
    schema: saleForm(remaining),
    failure: t('common_failed_to_update_order'),
    sale: true,
    async send(sale, key) {
      const quantity = sale.quantitySold
      const rollback = updateOrderOptimistically(queryClient, order.id, (now) => afterSale(now, quantity))
      try {
        const done = await logSale(order.id, sale, key)
        putOrder(queryClient, done.order)
        // The dialog closes, and the card moves to Completed.
        if (done.order.status === 'fulfilled') {
          showUndoable(queryClient, t('sales_is_completed', { item: order.itemName }), {
            kind: 'sale',
            id: done.sale.id,
          })
        }
      } catch (error) {
        rollback()
        if (error instanceof ApiError && error.current) putOrder(queryClient, error.current)
        throw error
      }
      for (const queryKey of [keys.sales(order.id), keys.me, keys.ownLists, keys.counts]) {
        void queryClient.invalidateQueries({ queryKey })
      }
      onLogged(quantity)
    },
  })
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody className="grid content-start gap-5">
        <Totals order={order} />
        <RecentSales orderId={order.id} />
        <DraftNotice shown={restored} onStartOver={startOver} />
        {remaining > 0 && order.status === 'active' ? (
          <>
            <Field
              label={t('sales_quantity_sold')}
              error={errorOf('quantitySold')}
              help={t('sales_left', { count: remaining })}
            >
              {(field) => (
                <Input
                  {...field}
                  {...form.register('quantitySold')}
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={remaining}
                />
              )}
            </Field>
            <Field label={t('sales_notes')} optional error={errorOf('notes')}>
              {(field) => <Textarea {...field} {...form.register('notes')} rows={2} />}
            </Field>
          </>
        ) : (
          !sending && (
            <Notice tone="success">
              {remaining > 0 ? t('sales_request_fulfilled') : t('sales_request_completed')}
            </Notice>
          )
        )}
      </DialogBody>
      {notice && <Notice className="mx-5 mb-3">{notice}</Notice>}
      <DialogFooter>
        <Button variant="ghost" className="max-sm:hidden" onClick={onCancel}>
          {t('common_cancel')}
        </Button>
        <Button type="submit" className="max-sm:h-11" disabled={sending || order.status !== 'active'}>
          {sending ? t('sales_updating') : t('sales_update')}
        </Button>
      </DialogFooter>
    </form>
  )
}

function Totals({ order }: { order: Order }) {
  const totals = [
    [t('sales_total_count'), order.quantity],
    [t('sales_sold_count'), order.sold],
    [t('sales_left_count'), order.quantity - order.sold],
  ] as const
  return (
    <div className="grid gap-3 rounded-md bg-muted/60 p-3.5">
      <dl className="grid grid-cols-4 gap-2 text-center">
        {totals.map(([name, value]) => (
          <div key={name} className="flex min-w-0 flex-col-reverse">
            <dt className="text-muted-foreground text-xs">{name}</dt>
            <dd className="tabular truncate font-display text-lg">{formatNumber(value)}</dd>
          </div>
        ))}
        <div className="flex min-w-0 flex-col-reverse">
          <dt className="text-muted-foreground text-xs">{t('sales_progress')}</dt>
          <dd className="tabular font-display text-lg">{t('sales_percent', { percent: order.progress })}</dd>
        </div>
      </dl>
      <ProgressBar progress={order.progress} label={t('sales_sold_count')} className="bg-background" />
    </div>
  )
}
