import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { receivedOffersQuery } from '@/api/offers'
import type { Offer, Order, ReceivedOffers as Received } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { PageLink } from '@/components/page-link'
import { ReceiptCard } from '@/components/receipt'
import { useReceipts } from '@/components/receipts'
import { Button } from '@/components/ui/button'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdle } from '@/hooks/useIdle'
import { useMe } from '@/hooks/useMe'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'
import { rules } from '@/lib/rules.gen'
import { rich, t } from '@/lib/texts'
import { AnswerBar, Outcomes, queueLine } from './AnswerBar'
import { bestUntilFull, type Chosen, proposals } from './proposals'
import { QueueRow, queueColumns } from './QueueRow'
import type { Answered, Choice } from './useAnswers'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** The number of offers that fill the first screen. The others are rendered in small steps. */
const firstScreen = () => (matchMedia('(min-width: 80rem)').matches ? 20 : 10)

/** The offers that wait for the user's answer, by request, the best first. They are answered one by one, or several
 * at once. */
export function ReceivedOffers() {
  const query = useInfiniteQuery(receivedOffersQuery)
  const { data, isPending, isError } = query
  const { counts } = useMe()
  const { go } = useDialogs()
  const wide = useMediaQuery('(min-width: 80rem) and (pointer: fine)')
  const [ticked, setTicked] = useState<Chosen['ticked']>(new Set())
  const [typed, setTyped] = useState<Chosen['typed']>(new Map())
  const [answered, setAnswered] = useState<Answered[]>([]) // at last, so that the offers stay where they are
  const [agreed, setAgreed] = useState<number[]>([]) // offers of which some was accepted here
  const { receipts } = useReceipts({ offers: agreed })
  const slow = useDelayed(isPending)
  const requests = joined(data?.pages.flatMap((page) => page.requests) ?? [])
  const all = requests.flatMap(({ offers }) => offers.map(({ id }) => id))
  const drawn = useIdle(firstScreen, all.length)
  const list = useKeptFocus(all.join())
  const sentence = (
    <p className={queueLine}>
      <span>
        {t('pages_offers_waiting', { count: counts.received })}
        {requests.length > 0 && (
          <span className="text-muted-foreground max-sm:block">
            <span className="max-sm:hidden"> · </span>
            {t('offers_best_first')}
          </span>
        )}
      </span>
    </p>
  )
  if (isPending)
    return (
      <>
        {sentence}
        {slow && <Loading label={t('offers_loading')} boxes={Array<string>(3).fill('h-44 rounded-lg')} />}
      </>
    )
  if (isError)
    return (
      <>
        {sentence}
        <ErrorPanel text={t('common_failed_to_load_offers')} query={query} />
      </>
    )

  let above = 0
  const groups = requests.map((request) => {
    const shown = Math.max(0, drawn - above)
    above += request.offers.length
    return { ...request, shown, proposed: proposals(request.order, request.offers, { ticked, typed }) }
  })
  const choices: Choice[] = groups.flatMap(({ order, offers, proposed }) =>
    offers
      .filter(({ id }) => ticked.has(id))
      .map((offer) => ({ order, offer, accept: proposed.get(offer.id)?.accept ?? 0 })),
  )
  const tick = (ids: number[], on: boolean) =>
    setTicked((now) => new Set(on ? [...now, ...ids] : [...now].filter((id) => !ids.includes(id))))
  const type = (id: number, quantity: string | undefined) =>
    setTyped((now) => {
      const { [id]: _, ...others } = Object.fromEntries(now)
      const all = quantity === undefined ? others : { ...others, [id]: quantity }
      return new Map(Object.entries(all).map(([key, text]) => [Number(key), text]))
    })
  const agree = (ids: number[]) => setAgreed((earlier) => [...new Set([...ids, ...earlier])])
  const clear = () => {
    setTicked(new Set())
    setTyped(new Map())
  }
  const found = receipts.length > 0 && (
    <section aria-label={t('common_receipts')} className="mt-4 grid gap-3 lg:grid-cols-2">
      {receipts.map((receipt) => (
        <ReceiptCard
          key={receipt.id}
          receipt={receipt}
          item
          undoable={!answered.some(({ outcome }) => outcome.accepted?.sale.id === receipt.id)}
        />
      ))}
    </section>
  )

  return (
    <div ref={list}>
      {choices.length === 0 ? (
        sentence
      ) : (
        <AnswerBar
          choices={choices}
          onAnswered={(outcomes) => {
            setAnswered(outcomes)
            agree(outcomes.filter(({ outcome }) => outcome.accepted).map(({ offer }) => offer.id))
            clear()
          }}
          onClear={clear}
        />
      )}
      {answered.length > 0 && (
        <div className="mb-3">
          <Outcomes answered={answered} />
        </div>
      )}
      {requests.length === 0 && (
        <>
          {found}
          <Suspense fallback={<i data-loading hidden />}>
            <EmptyState
              drawing="signpost"
              title={t('offers_none_waiting')}
              hint={t('offers_none_waiting_hint')}
              action={<Button onClick={() => go('/mine')}>{t('common_my_requests')}</Button>}
            />
          </Suspense>
        </>
      )}
      {requests.length > 0 && (
        <div className="border-y bg-card max-sm:-mx-4 sm:rounded-lg sm:border-x">
          {wide && <Columns />}
          {groups
            .filter(({ shown }) => shown > 0)
            .map(({ order, offers, shown, proposed }) => (
              <Group
                key={order.id}
                order={order}
                offers={offers}
                onBest={() => tick(bestUntilFull(order, offers), true)}
              >
                {offers.slice(0, shown).map((offer) => (
                  <QueueRow
                    key={offer.id}
                    offer={offer}
                    order={order}
                    proposal={proposed.get(offer.id) ?? { accept: 0, most: 0 }}
                    ticked={ticked.has(offer.id)}
                    typed={typed.get(offer.id)}
                    wide={wide}
                    onTick={(on) => tick([offer.id], on)}
                    onType={(quantity) => type(offer.id, quantity)}
                    onDeclined={() => {
                      tick([offer.id], false)
                      setAnswered([declined(offer, order)])
                    }}
                    onAccepted={(accepted) => {
                      tick([offer.id], false)
                      setAnswered([{ offer, order, outcome: { id: offer.id, accepted, problem: null } }])
                      agree([offer.id])
                    }}
                  />
                ))}
              </Group>
            ))}
        </div>
      )}
      <MoreButton pages={query} className="mt-4" />
      {requests.length > 0 && found}
    </div>
  )
}

/** An offer that was declined on its own, as one of several is. */
function declined(offer: Offer, order: Order): Answered {
  const until = new Date(Date.now() + rules.undoMinutes * 60_000).toISOString()
  const undo = { kind: 'offer', id: offer.id, until } as const
  return { offer, order, outcome: { id: offer.id, accepted: null, problem: null, undo } }
}

/** Keeps the focus in a list: when the row that has it goes, the row in its place gets it. */
function useKeptFocus(rows: string) {
  const list = useRef<HTMLDivElement>(null)
  const place = useRef(-1)
  const all = () => [...(list.current?.querySelectorAll('[data-offer]') ?? [])]
  useEffect(() => {
    const element = list.current
    const note = () => {
      const row = document.activeElement?.closest('[data-offer]')
      place.current = row ? all().indexOf(row) : -1
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the rows have changed
  useEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const rest = all()
    const next = rest[Math.min(place.current, rest.length - 1)]?.querySelector<HTMLElement>('[role=checkbox]')
    const target = next ?? document.getElementById('content')
    target?.focus({ preventScroll: next === undefined })
  }, [rows])
  return list
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

function Columns() {
  return (
    <div
      aria-hidden="true"
      className={cn(queueColumns, 'h-7 rounded-t-lg bg-muted font-medium text-muted-foreground text-xs')}
    >
      <span />
      <span>{t('offers_column_seller')}</span>
      <span>{t('offers_column_why')}</span>
      <span>{t('offers_column_message')}</span>
      <span className="text-right">{t('offers_column_offers')}</span>
      <span className="pl-4">{t('offers_column_accept')}</span>
      <span className="text-right">{t('offers_column_pay')}</span>
      <span className="text-right">{t('offers_column_age')}</span>
    </div>
  )
}

type GroupProps = { order: Order; offers: Offer[]; onBest: () => void; children: ReactNode }

/** The offers on a request, under its name. */
function Group({ order, offers, onBest, children }: GroupProps) {
  const title = `received-${order.id}`
  return (
    <section aria-labelledby={title} className="[&:not(:last-child)]:border-b">
      <header className="flex h-8 items-center gap-2 border-b bg-muted/60 px-3 text-sm max-xl:h-auto max-xl:min-h-12 pointer-coarse:h-auto pointer-coarse:min-h-12">
        <CategoryIcon category={order.category} className="size-4 shrink-0 text-muted-foreground" />
        <div className="flex min-w-0 items-baseline gap-x-2 max-sm:block max-sm:leading-5">
          <h2 id={title} dir="auto" className="min-w-0 font-sans font-semibold text-sm">
            <PageLink
              to={`/requests/${order.id}`}
              className="block truncate leading-6 hover:text-primary hover:underline"
            >
              {order.itemName}
            </PageLink>
          </h2>
          <p className="tabular shrink-0 text-muted-foreground max-sm:whitespace-nowrap max-sm:text-xs">
            {t('common_left_of', { left: order.quantity - order.sold, quantity: order.quantity })}
            {' · '}
            {rich('offers_price_each', { price: <Amount value={order.maxPricePerUnit} /> })}
            <span className="max-sm:hidden"> · {t('common_offer_count', { count: offers.length })}</span>
          </p>
        </div>
        <LinkButton
          className="touch ml-auto text-right text-xs max-sm:shrink max-sm:whitespace-normal max-sm:leading-4"
          aria-label={t('offers_choose_best_label', { item: order.itemName })}
          onClick={onBest}
        >
          {t('offers_choose_best')}
        </LinkButton>
      </header>
      <ul>{children}</ul>
    </section>
  )
}
