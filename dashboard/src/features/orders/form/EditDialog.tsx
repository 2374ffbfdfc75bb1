import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { putOrder, refreshLists, updateOrderOptimistically } from '@/api/orderCache'
import { editOrder } from '@/api/orders'
import type { Order } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { DraftNotice } from '@/components/draft-notice'
import { Notice } from '@/components/notice'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { PriceQuestion } from '@/components/price-question'
import { Success } from '@/components/success'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { useDraftForm } from '@/hooks/useDraftForm'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { rich, t } from '@/lib/texts'
import { AdvisedFields } from './Advice'
import { Foot } from './Foot'
import { formClass } from './formClass'
import { FirstFields, OtherFields } from './OrderFields'
import { editForm, type OrderValues, valuesOf } from './orderForm'

export default function EditDialog({ open, onClose, order }: OrderDialogProps) {
  const [saved, setSaved] = useState(false)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('common_edit_request')} className={saved ? 'sm:max-w-xl' : formClass}>
        {saved ? (
          <Success title={t('orders_changes_saved')} orderId={order.id} onDone={onClose} />
        ) : (
          <EditForm order={order} onSaved={() => setSaved(true)} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type FormProps = { order: Order; onSaved: () => void }

function EditForm({ order, onSaved }: FormProps) {
  const queryClient = useQueryClient()
  // The request as it was when the form was filled. Later changes by others do not disturb the form;
  // the version tells the server what the edit is based on.
  const [base, setBase] = useState(order)
  const [conflict, setConflict] = useState<{ reason: string; now: Order } | null>(null)

  const price = usePriceQuestion()
  const { form, submit, notice, sending, errorOf, restored, startOver } = useDraftForm({
    name: `edit.${order.id}`,
    defaults: valuesOf(base),
    schema: editForm(base),
    failure: t('common_failed_to_update_order'),
    async send(edit, key) {
      price.drop()
      const rollback = updateOrderOptimistically(queryClient, order.id, (now) => ({ ...now, ...edit }))
      try {
        putOrder(
          queryClient,
          await editOrder(order.id, { ...edit, version: base.version, ...price.answer(edit.maxPricePerUnit) }, key),
        )
      } catch (error) {
        rollback()
        throw error
      }
      refreshLists(queryClient)
      onSaved()
    },
    onClientError(error) {
      const { status, message, current } = error
      if (price.ask(error)) return true
      if (status !== 409 || !current || current.status !== 'active') return false
      putOrder(queryClient, current)
      setBase(current)
      setConflict({ reason: message, now: current })
      return true
    },
  })

  const hints = conflict ? currentValues(form.watch(), conflict.now) : {}
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <AdvisedFields
        form={form}
        notices={
          <>
            <DraftNotice shown={restored && !conflict} onStartOver={startOver} />
            {conflict && (
              <Notice>
                <p>{conflict.reason}</p>
                <p className="mt-1">
                  {rich('orders_conflict', {
                    link: (text) => <LinkButton onClick={() => form.reset(valuesOf(conflict.now))}>{text}</LinkButton>,
                  })}
                </p>
              </Notice>
            )}
          </>
        }
        first={<FirstFields form={form} errorOf={errorOf} hints={hints} />}
      >
        <OtherFields form={form} errorOf={errorOf} hints={hints} help={t('orders_fold_inside')} />
      </AdvisedFields>
      <PriceQuestion
        className="mx-5 mb-3"
        question={price.question}
        onUse={(meant) => {
          form.setValue('maxPricePerUnit', meant, { shouldDirty: true, shouldValidate: true })
          price.drop()
        }}
        onKeep={() => {
          price.keep(price.question?.prices[0]?.typed ?? 0)
          void submit()
        }}
      />
      {notice && <Notice className="mx-5 mb-3">{notice}</Notice>}
      <Foot form={form} sending={sending}>
        {sending ? t('common_saving') : t('orders_save_changes')}
      </Foot>
    </form>
  )
}

/** The current server values of the fields that differ. */
function currentValues(typed: OrderValues, now: Order): Partial<Record<keyof OrderValues, ReactNode>> {
  const current = valuesOf(now)
  const differing = (Object.keys(current) as (keyof OrderValues)[]).filter((f) => typed[f].trim() !== current[f])
  return Object.fromEntries(
    differing.map((field) => [
      field,
      <span key={field}>
        {rich('orders_value_now', {
          value: <strong className="font-semibold text-foreground">{current[field] || t('orders_empty')}</strong>,
        })}
      </span>,
    ]),
  )
}
