import { useQuery } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { OrderDraft } from '@/api/types'
import { audienceQuery } from '@/api/watches'
import { useDelayedValue } from '@/hooks/useDelayedValue'
import { t } from '@/lib/texts'
import { type NewOrder, newOrderForm, type OrderValues } from './orderForm'

/** Says roughly how many people will hear of the request once it can be posted, and nothing about who they are. */
export function Audience({ form }: { form: UseFormReturn<OrderValues, unknown, NewOrder> }) {
  const typed = useDelayedValue(useWatch({ control: form.control }), 400)
  const parsed = newOrderForm.safeParse(typed)
  const { data } = useQuery({
    ...audienceQuery((parsed.data ?? {}) as OrderDraft),
    enabled: parsed.success,
    placeholderData: (before) => before,
  })
  return (
    <p role="status" className="empty:hidden">
      {parsed.success && data && data.people > 0 && said(data.people)}
    </p>
  )
}

function said(people: number): string {
  return people < 10 ? t('orders_few_hear') : t('orders_many_hear', { count: people })
}
