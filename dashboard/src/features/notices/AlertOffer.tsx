import { Suspense } from 'react'
import type { Notice } from '@/api/types'
import { LinkButton, SoftButton } from '@/components/buttons'
import { YouOffered } from '@/components/you-offered'
import { useDialogs } from '@/hooks/useDialogs'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import { useReady } from '@/hooks/useReady'
import { lazy } from '@/lib/loaded'
import { suggestQuantity } from '@/lib/suggested'
import { t } from '@/lib/texts'

const OnePress = lazy(() => import('@/components/one-press'))

/** Offers on the request of an alert: what one has of it with one press, or by the form. */
export function AlertOffer({ notice, orderId }: { notice: Notice; orderId: number }) {
  const { open } = useDialogs()
  const ready = useReady(orderId)
  const mine = useOpenOffers().get(orderId)
  const form = () => {
    if ((notice.watchId ?? null) === null) suggestQuantity(orderId, notice.quantity)
    open({ name: 'offer', request: orderId })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {mine && <YouOffered offer={mine} />}
      {(ready || mine) && (
        <Suspense>
          <OnePress
            wide
            order={{ id: orderId, itemName: notice.itemName, maxPricePerUnit: notice.pricePerUnit }}
            offered={mine}
            ready={ready}
          />
        </Suspense>
      )}
      {mine ? (
        <LinkButton className="min-h-6 pointer-coarse:min-h-11" onClick={form}>
          {t('common_change_offer')}
        </LinkButton>
      ) : (
        <SoftButton size="sm" className="pointer-coarse:h-11" outlined={ready !== undefined} onClick={form}>
          {ready ? t('notices_other_quantity') : t('common_offer')}
        </SoftButton>
      )}
    </div>
  )
}
