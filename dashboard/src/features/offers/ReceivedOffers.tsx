import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { receivedOffersQuery } from '@/api/offers'
import type { Offer, Order, ReceivedOffers as Received } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { Notice } from '@/components/notice'
import { PageLink } from '@/components/page-link'
import { ReceiptCard } from '@/components/receipt'
import { useReceipts } from '@/components/receipts'
import { RequestSummary } from '@/components/request-summary'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { rules } from '@/lib/rules.gen'
import { t } from '@/lib/texts'
import { AnswerBar, Outcomes } from './AnswerBar'
import { OfferRow } from './OfferRow'
import type { Answered } from './useAnswers'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The offers that wait for the user's answer, by request. They are answered one by one, or several
 * at once. */
export function ReceivedOffers() {
  const query = useInfiniteQuery(receivedOffersQuery)
  const { data, isPending, isError } = query
  const { go } = useDialogs()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [answered, setAnswered] = useState<Answered[]>([])
  const [accepted, setAccepted] = useState<{ message: string; sale: number }[]>([])
  const [agreed, setAgreed] = useState<number[]>([]) // offers of which some was accepted here
  const { receipts } = useReceipts({ offers: agreed })
  const slow = useDelayed(isPending)
  if (isPending)
    return slow ? <Loading label={t('offers_loading')} boxes={Array<string>(3).fill('h-44 rounded-lg')} /> : null
  if (isError) return <ErrorPanel text={t('common_failed_to_load_offers')} query={query} />
  const requests = joined(data.pages.flatMap((page) => page.requests))
  const choices = requests.flatMap(({ order, offers }) =>
    offers.filter(({ id }) => chosen.has(id)).map((offer) => ({ order, offer })),
  )

  function choose(id: number, on: boolean) {
    const now = new Set(chosen)
    if (on) now.add(id)
    else now.delete(id)
    setChosen(now)
  }

  return (
    <div className="grid gap-6">
      {accepted.length > 0 && (
        <Notice tone="success">
          {accepted.map(({ message, sale }) => (
            <p key={sale}>{message}</p>
          ))}
        </Notice>
      )}
      <Outcomes answered={answered} />
      {receipts.length > 0 && (
        <section aria-label={t('common_receipts')} className="grid gap-3">
          {receipts.map((receipt) => (
            <ReceiptCard
              key={receipt.id}
              receipt={receipt}
              item
              undoable={!answered.some(({ outcome }) => outcome.accepted)}
              onUndone={(sale) => setAccepted((earlier) => earlier.filter((one) => one.sale !== sale))}
            />
          ))}
        </section>
      )}
      {requests.length === 0 && (
        <Suspense>
          <EmptyState
            drawing="signpost"
            title={t('offers_none_waiting')}
            hint={t('offers_none_waiting_hint')}
            action={<Button onClick={() => go('/mine')}>{t('common_my_requests')}</Button>}
          />
        </Suspense>
      )}
      {requests.map(({ order, offers }) => (
        <Request
          key={order.id}
          order={order}
          offers={offers}
          chosen={chosen}
          onChoose={choose}
          onDeclined={(offer) => {
            const until = new Date(Date.now() + rules.undoMinutes * 60_000).toISOString()
            const undo = { kind: 'offer', id: offer.id, until } as const
            const outcome = { id: offer.id, accepted: null, problem: null, undo }
            setAnswered((earlier) => [{ offer, order, outcome }, ...earlier])
          }}
          onAccepted={(message, sale, offer) => {
            setAccepted((earlier) => [{ message: `${order.itemName}: ${message}`, sale }, ...earlier])
            setAgreed((earlier) => [offer, ...earlier.filter((id) => id !== offer)])
          }}
        />
      ))}
      <MoreButton pages={query} className="mt-0" />
      {choices.length > 0 && (
        <AnswerBar
          choices={choices}
          onAnswered={(outcomes) => {
            setAnswered(outcomes)
            setAccepted([])
            setAgreed(outcomes.filter(({ outcome }) => outcome.accepted).map(({ offer }) => offer.id))
            setChosen(new Set())
          }}
          onClear={() => setChosen(new Set())}
        />
      )}
    </div>
  )
}

/** Joins what two pages have of one request. */
function joined(parts: Received[]): Received[] {
  const requests = new Map<number, Received>()
  for (const part of parts) {
    const before = requests.get(part.order.id)
    requests.set(part.order.id, before ? { ...before, offers: [...before.offers, ...part.offers] } : part)
  }
  return [...requests.values()]
}

type RequestProps = {
  order: Order
  offers: Offer[]
  chosen: ReadonlySet<number>
  onChoose: (id: number, on: boolean) => void
  onAccepted: (message: string, sale: number, offer: number) => void
  onDeclined: (offer: Offer) => void
}

function Request({ order, offers, chosen, onChoose, onAccepted, onDeclined }: RequestProps) {
  const title = `received-${order.id}`
  return (
    <section aria-labelledby={title} className="grid gap-3">
      <RequestSummary
        order={order}
        name={
          <h2 id={title} dir="auto" className="text-lg wrap-anywhere">
            <PageLink to={`/requests/${order.id}`} className="hover:text-primary hover:underline">
              {order.itemName}
            </PageLink>
          </h2>
        }
      />
      <ul className="grid gap-3">
        {offers.map((offer) => (
          <OfferRow
            key={offer.id}
            offer={offer}
            order={order}
            onAccepted={(message, sale) => onAccepted(message, sale, offer.id)}
            onDeclined={() => onDeclined(offer)}
            leading={
              <Checkbox
                aria-label={t('offers_choose', { seller: offer.sellerName })}
                className="mt-1 size-5 pointer-coarse:size-6"
                checked={chosen.has(offer.id)}
                onCheckedChange={(on) => onChoose(offer.id, on === true)}
              />
            }
          />
        ))}
      </ul>
    </section>
  )
}
