import { Suspense } from 'react'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useReady } from '@/hooks/useReady'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import type { Row } from './listRows'

const OnePress = lazy(() => import('@/components/one-press'))

type Props = { row: Row; tabIndex?: number; phone?: boolean }

/** What a row is for: an offer, by one press or the form, or the offers on an own request. On a phone there is room for
 * one button. */
export function RowAction({ row: { order, own, offered, offerCount }, tabIndex, phone = false }: Props) {
  const { open } = useDialogs()
  const ready = useReady(order.id)
  const item = order.itemName
  const [text, name] = !own
    ? offered
      ? [t('common_change'), t('orders_change_offer_on', { item })]
      : [t('common_offer'), t('orders_offer_on', { item })]
    : offerCount === undefined
      ? [t('common_offers'), t('orders_view_offers_of', { item })]
      : [t('orders_offers_row', { count: offerCount }), t('orders_view_offers_of_row', { item, count: offerCount })]
  const button = (
    <Button
      variant={phone ? 'outline' : 'ghost'}
      size="sm"
      tabIndex={tabIndex}
      aria-label={name}
      className={
        phone ? 'relative min-w-16 px-2.5 pointer-coarse:h-11' : 'tabular relative px-2 text-primary hover:bg-accent'
      }
      onClick={() => open({ name: own ? 'offers' : 'offer', request: order.id })}
    >
      {text}
    </Button>
  )
  if (own || !(ready || offered?.undoUntil)) return button
  return (
    <Suspense fallback={button}>
      <OnePress
        order={order}
        offered={offered}
        ready={ready}
        tabIndex={tabIndex}
        className={phone ? 'min-w-16' : '@max-[46rem]:hidden'}
      >
        {phone && button}
      </OnePress>
      {!phone && button}
    </Suspense>
  )
}
