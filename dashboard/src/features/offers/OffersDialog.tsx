import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { offersQuery } from '@/api/offers'
import type { DeclinedOffer, Order } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import RequestReceipts, { useReceipts } from '@/components/receipts'
import { RequestSummary } from '@/components/request-summary'
import { Typed } from '@/components/typed'
import { UndoButton } from '@/components/undo-button'
import { useDelayed } from '@/hooks/useDelayed'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { highlight } from '@/lib/highlights'
import { rich, t } from '@/lib/texts'
import { OfferRow } from './OfferRow'

/** The offers on a request, for its owner to accept or delete. */
export default function OffersDialog({ open, onClose, order }: OrderDialogProps) {
  const query = useQuery(offersQuery(order.id))
  const { data, isPending, isError } = query
  const { receipts } = useReceipts({ requests: [order.id] })
  const [accepted, setAccepted] = useState<Sales>([])
  const declined = data?.declined ?? [] // an older server does not say
  const slow = useDelayed(isPending)
  // What was just accepted is what the owner needs next.
  const receiptsFirst = receipts.length > 0 && (accepted.length > 0 || data?.offers.length === 0)

  function close() {
    onClose()
    if (accepted.length > 0) highlight(order.id)
  }

  const undone = (sale: number) => setAccepted((earlier) => earlier.filter((one) => one.sale !== sale))
  // One that had a receipt, and has none any more, was undone in another window or in Discord.
  const known = useRef(new Set<number>())
  useEffect(() => {
    const standing = new Set(receipts.map(({ id }) => id))
    const gone = (sale: number) => known.current.has(sale) && !standing.has(sale)
    if (accepted.some(({ sale }) => gone(sale))) setAccepted(accepted.filter(({ sale }) => !gone(sale)))
    known.current = standing
  }, [receipts, accepted])

  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && close()}>
      <DialogContent
        title={rich('offers_for_item', { item: <Typed>{order.itemName}</Typed> })}
        description={data ? summary(data.total, receipts.length) : t('offers_loading')}
        className="sm:max-w-xl"
      >
        <DialogBody className="grid min-h-60 grid-cols-1 content-start gap-4">
          <RequestSummary order={order} />
          <Accepted sales={accepted} order={order} />
          {receiptsFirst && <Receipts order={order} onUndone={undone} />}
          {isError && (
            <ErrorPanel text={t('common_failed_to_load_offers')} retryLabel={t('offers_try_again')} query={query} />
          )}
          {slow && <Loading label={t('offers_loading')} boxes={Array<string>(2).fill('h-36 rounded-lg')} />}
          {data?.offers.length === 0 && receipts.length === 0 && declined.length === 0 && (
            <p className="py-8 text-center text-muted-foreground">
              {data.received ? t('offers_none_open') : t('offers_none_yet')}
              <span className="mt-1 block text-sm">
                {data.received ? t('offers_none_open_hint') : t('offers_none_yet_hint')}
              </span>
            </p>
          )}
          {data && data.offers.length > 0 && (
            <ul className="grid gap-3">
              {data.offers.map((offer) => (
                <OfferRow
                  key={offer.id}
                  offer={offer}
                  order={order}
                  onAccepted={(message, sale) => setAccepted((earlier) => [{ message, sale }, ...earlier])}
                />
              ))}
            </ul>
          )}
          {declined.length > 0 && <Declined offers={declined} />}
          {receipts.length > 0 && !receiptsFirst && <Receipts order={order} onUndone={undone} />}
          {((data && data.offers.length > 0) || receipts.length > 0) && <NextSteps />}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

type Sales = { message: string; sale: number }[]

function Accepted({ sales, order }: { sales: Sales; order: Order }) {
  if (sales.length === 0) return null
  return (
    <Notice tone="success">
      {sales.map(({ message, sale }) => (
        <p key={sale}>{message}</p>
      ))}
      {order.status === 'fulfilled' && <p className="font-medium">{t('offers_completed')}</p>}
    </Notice>
  )
}

/** The offers that were declined, as long as that can be undone. */
function Declined({ offers }: { offers: DeclinedOffer[] }) {
  return (
    <ul aria-label={t('offers_declined_list')} className="divide-y rounded-lg border text-sm">
      {offers.map(({ id, sellerName, quantityOffered, undo }) => (
        <li key={id} className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-3.5 py-1">
          <p className="min-w-0 text-muted-foreground wrap-anywhere">
            {rich('offers_declined_of', { quantity: quantityOffered, seller: <Typed>{sellerName}</Typed> })}
          </p>
          {undo && <UndoButton act={undo} what={t('offers_undo_decline', { seller: sellerName })} />}
        </li>
      ))}
    </ul>
  )
}

function Receipts({ order, onUndone }: { order: Order; onUndone: (sale: number) => void }) {
  return (
    <div>
      <h3 className="mb-2 text-base">{t('common_accepted')}</h3>
      <RequestReceipts orderId={order.id} undoable={order.closeReason !== 'closed_early'} onUndone={onUndone} />
    </div>
  )
}

/** "2 offers", "1 offer, 1 accepted", "1 accepted". */
function summary(offers: number, accepted: number): string {
  if (accepted === 0) return t('common_offer_count', { count: offers })
  return offers === 0 ? t('offers_accepted_count', { accepted }) : t('offers_count_and_accepted', { offers, accepted })
}

function NextSteps() {
  return (
    <section className="rounded-md border border-dashed px-3.5 py-3 text-sm">
      <h3 className="text-base">{t('offers_next_steps')}</h3>
      <p className="mt-1 text-muted-foreground">{t('offers_next_steps_hint')}</p>
    </section>
  )
}
