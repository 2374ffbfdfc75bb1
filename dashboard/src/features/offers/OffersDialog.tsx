import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offersQuery } from '@/api/offers'
import type { Order } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { RequestSummary } from '@/components/request-summary'
import { Dialog, DialogBody, DialogContent } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import type { OrderDialogProps } from '@/hooks/useDialogs'
import { countOf } from '@/lib/format'
import { light } from '@/lib/lights'
import { OfferRow } from './OfferRow'

/** The offers on a request, for its owner: take a quantity of one, or delete it. */
export default function OffersDialog({ open, onClose, order }: OrderDialogProps) {
  const { data, isPending, isError, isFetching, refetch } = useQuery(offersQuery(order.id))
  const [accepted, setAccepted] = useState<string[]>([])
  const slow = useDelayed(isPending)

  function close() {
    onClose()
    if (accepted.length > 0) light(order.id)
  }

  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && close()}>
      <DialogContent
        title={`Offers for "${order.itemName}"`}
        description={data ? countOf(data.total, 'offer') : 'Loading offers'}
        className="sm:max-w-xl"
      >
        <DialogBody className="grid min-h-60 content-start gap-4">
          <RequestSummary order={order} />
          <Accepted sentences={accepted} order={order} />
          {isError && (
            <ErrorPanel
              text="Failed to load offers. Please try again."
              retryLabel="Try Again"
              retrying={isFetching}
              onRetry={() => refetch()}
            />
          )}
          {slow && <Loading />}
          {data?.offers.length === 0 && (
            <p className="py-8 text-center text-muted-foreground">
              No offers yet
              <span className="mt-1 block text-sm">You get a direct message when one arrives.</span>
            </p>
          )}
          {data && data.offers.length > 0 && (
            <>
              <ul className="grid gap-3">
                {data.offers.map((offer) => (
                  <OfferRow
                    key={offer.id}
                    offer={offer}
                    order={order}
                    onAccepted={(sentence) => setAccepted((earlier) => [sentence, ...earlier])}
                  />
                ))}
              </ul>
              <NextSteps />
            </>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function Accepted({ sentences, order }: { sentences: string[]; order: Order }) {
  if (sentences.length === 0) return null
  return (
    <Notice tone="success">
      {sentences.map((sentence, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only ever added in front of, and two may read alike
        <p key={sentences.length - i}>{sentence}</p>
      ))}
      {order.status === 'fulfilled' && <p className="font-medium">That was the last of it: Request Completed!</p>}
    </Notice>
  )
}

function NextSteps() {
  return (
    <section className="rounded-md border border-dashed px-3.5 py-3 text-sm">
      <h3 className="text-base">Next Steps</h3>
      <p className="mt-1 text-muted-foreground">
        Contact the sellers on Discord to agree on time and place. Accept the quantity that you take; it is logged as a
        sales update at once.
      </p>
    </section>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading offers" className="grid gap-3">
      {[0, 1].map((i) => (
        <Skeleton key={i} className="h-36 rounded-lg" />
      ))}
    </div>
  )
}
