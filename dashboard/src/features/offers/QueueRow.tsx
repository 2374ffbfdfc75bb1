import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Ban, Ellipsis, Flag, Text, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { recordQuery } from '@/api/traders'
import type { OfferOutcome, Order, ReceivedOffer } from '@/api/types'
import { SoftButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { LookAlikeIcon } from '@/components/look-alike-icon'
import { Notice } from '@/components/notice'
import { PageLink } from '@/components/page-link'
import { PageMenu } from '@/components/page-menu'
import { QuantityInput } from '@/components/quantity-input'
import { inWords } from '@/components/trade-record'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { cn } from '@/lib/cn'
import { formatDayAndTime, formatNumber, shortSpan } from '@/lib/format'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { OfferDetails } from './OfferDetails'
import { BlockQuestion, ReportForm } from './OfferMore'
import { DeleteQuestion } from './OfferRow'
import type { Proposal } from './proposals'
import { useAcceptOffer, useDeleteOffer } from './useOfferWrites'
import { whyInWords } from './why'

/** The columns of the offers, where the window has room for them. */
export const queueColumns =
  'grid grid-cols-[2.25rem_13rem_11.5rem_minmax(0,1fr)_4rem_6rem_9.5rem_3rem_11.75rem] items-center gap-x-2 px-3 text-sm'

type Props = {
  offer: ReceivedOffer
  order: Order
  proposal: Proposal
  ticked: boolean
  /** What is typed as the quantity; undefined while the proposal stands. */
  typed: string | undefined
  /** Whether there is room for columns: else it has two lines. */
  wide: boolean
  onTick: (on: boolean) => void
  onType: (quantity: string | undefined) => void
  onAccepted: (accepted: NonNullable<OfferOutcome['accepted']>) => void
  onDeclined: () => void
}

/** An offer in the list of those that wait: what decides in one line, the rest below it on demand. */
export function QueueRow(props: Props) {
  const { offer, order, proposal, ticked, typed, wide, onTick, onType, onAccepted, onDeclined } = props
  const [below, setBelow] = useState<'details' | 'delete' | 'report' | 'block' | null>(null)
  const [meetBy, setMeetBy] = useState<string | undefined>()
  const accept = useAcceptOffer(order, offer)
  const deletion = useDeleteOffer(order, offer, onDeclined)
  const id = useId()
  const seller = offer.sellerName
  const failure = accept.failure || deletion.failure
  const quantity = proposal.accept
  const sum = BigInt(offer.pricePerUnit) * BigInt(quantity)
  const may = quantity > 0 && !accept.isPending && !deletion.isPending && order.status === 'active' && !order.expired

  async function run() {
    if (!may) return
    const done = await accept.run(quantity, meetBy)
    if (!done) return
    onType(undefined)
    onAccepted(done)
  }

  const tick = (
    <Checkbox
      aria-label={t('offers_choose', { seller })}
      className="size-5 justify-self-center pointer-coarse:size-6"
      checked={ticked}
      onCheckedChange={(on) => onTick(on === true)}
    />
  )
  const quantityInput = (
    <QuantityInput
      className={wide ? 'h-8 w-20 justify-self-end px-2' : 'h-10 w-28 pointer-coarse:h-11'}
      aria-label={t('offers_quantity_to_accept_label', { seller })}
      min={1}
      max={proposal.most}
      value={typed === '' ? '' : String(quantity)}
      disabled={proposal.most < 1}
      onValue={onType}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        void run()
      }}
    />
  )
  const details = {
    'aria-expanded': below === 'details',
    'aria-controls': below === 'details' ? `${id}-below` : undefined,
    onClick: () => setBelow(below === 'details' ? null : 'details'),
  }
  const acceptButton = (
    <SoftButton
      size="sm"
      outlined={ticked}
      className="pointer-coarse:h-11"
      disabled={!may}
      aria-label={t('offers_accept_some_label', { quantity, seller })}
      onClick={run}
    >
      {accept.isPending ? t('offers_accepting') : wide ? t('offers_accept') : t('offers_accept_short')}
    </SoftButton>
  )
  const menu = (
    <PageMenu
      button={
        <Button
          variant="ghost"
          size="icon-sm"
          className="pointer-coarse:size-11"
          aria-label={t('offers_more', { seller })}
        >
          <Ellipsis />
        </Button>
      }
    >
      {(choose) => (
        <>
          <DropdownMenuItem onSelect={choose(() => setBelow('details'))}>
            <Text /> {t('offers_show_all')}
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={choose(() => setBelow('report'))}>
            <Flag /> {t('offers_report')}
          </DropdownMenuItem>
          {offer.verified && (
            <DropdownMenuItem onSelect={choose(() => setBelow('block'))}>
              <Ban /> {t('offers_block')}
            </DropdownMenuItem>
          )}
          <DropdownMenuItem variant="destructive" onSelect={choose(() => setBelow('delete'))}>
            <Trash2 /> {t('offers_delete')}
          </DropdownMenuItem>
        </>
      )}
    </PageMenu>
  )
  return (
    <li
      data-offer={offer.id}
      className={cn(
        'border-b [contain-intrinsic-size:auto_4rem] [content-visibility:auto] last:border-b-0',
        ticked && 'bg-accent/60',
      )}
    >
      {wide ? (
        <div className={cn(queueColumns, 'h-9.5')}>
          {tick}
          <span className="flex min-w-0 items-center gap-1.5">
            <Seller offer={offer} />
            {offer.sellerId && isOn('records') && <ShortRecord userId={offer.sellerId} />}
          </span>
          <span className="truncate text-primary text-xs" title={whyInWords(offer)}>
            {whyInWords(offer)}
          </span>
          <button
            type="button"
            {...details}
            title={t('offers_show_all')}
            className="flex h-full min-w-0 items-center gap-2 rounded-sm text-left hover:underline hover:decoration-1 hover:underline-offset-4"
          >
            <Terms offer={offer} order={order} />
            <span dir="auto" className="truncate">
              {offer.message}
            </span>
          </button>
          <span className="tabular text-right">
            <span className="sr-only">{t('offers_column_offers')} </span>
            {formatNumber(offer.quantityOffered)}
          </span>
          {quantityInput}
          <span className="flex justify-end text-right [&_*]:flex-nowrap" aria-live="polite">
            <Sum sum={sum} quantity={quantity} />
          </span>
          <Age at={offer.createdAt} />
          <span className="flex items-center justify-end gap-1">
            {acceptButton}
            {menu}
          </span>
        </div>
      ) : (
        <div className="grid min-h-16 grid-cols-[2.5rem_minmax(0,1fr)_auto_auto] items-center">
          {tick}
          <button type="button" {...details} className="grid h-full min-w-0 content-center gap-y-0.5 text-left text-sm">
            <span className="flex min-w-0 items-center gap-1.5">
              <Seller offer={offer} />
              <span className="tabular ml-auto shrink-0 pr-2 text-xs">
                {formatNumber(quantity)} · <Sum sum={sum} quantity={quantity} />
              </span>
            </span>
            <span className="flex min-w-0 items-center gap-1.5 pr-2 text-muted-foreground text-xs">
              <Terms offer={offer} order={order} />
              {whyInWords(offer) && <span className="min-w-0 text-primary">{whyInWords(offer)} ·</span>}
              <bdi dir="auto" className="min-w-0 flex-1 basis-0 truncate">
                {offer.message}
              </bdi>
            </span>
          </button>
          {acceptButton}
          {menu}
        </div>
      )}
      {(below || failure) && (
        <Below id={`${id}-below`}>
          {failure && <Notice>{failure}</Notice>}
          {below === 'details' && (
            <OfferDetails
              offer={offer}
              order={order}
              quantity={wide ? undefined : quantityInput}
              onMeetBy={setMeetBy}
              onClose={() => setBelow(null)}
            />
          )}
          {below === 'delete' && <DeleteQuestion offer={offer} deletion={deletion} onKept={() => setBelow(null)} />}
          {below === 'report' && <ReportForm offer={offer} onDone={() => setBelow(null)} />}
          {below === 'block' && <BlockQuestion offer={offer} order={order} onDone={() => setBelow(null)} />}
        </Below>
      )}
    </li>
  )
}

function Below({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div
      id={id}
      className="grid gap-3 border-t border-dashed bg-muted/30 p-3 sm:pl-14 [&>fieldset]:border-0 [&>fieldset]:pt-0 [&>form]:border-0 [&>form]:pt-0"
    >
      {children}
    </div>
  )
}

function Seller({ offer }: { offer: ReceivedOffer }) {
  return (
    <>
      <span dir="auto" className="truncate font-semibold">
        {offer.sellerName}
      </span>
      {offer.lookAlike && <LookAlikeIcon />}
      {offer.verified ? (
        <BadgeCheck role="img" aria-label={t('parts_verified')} className="size-3.5 shrink-0 text-primary" />
      ) : (
        // Where there is little room the name comes first.
        <span className="shrink-0 text-muted-foreground text-xs max-[24rem]:sr-only">
          {t('offers_without_account')}
        </span>
      )}
    </>
  )
}

/** How often a trader has met others, in a link to the rest of the record. */
function ShortRecord({ userId }: { userId: number }) {
  const { data } = useQuery(recordQuery(userId))
  if (!data) return null
  return (
    <PageLink
      to={`/traders/${userId}`}
      title={inWords(data)}
      className="tabular shrink-0 text-muted-foreground text-xs underline-offset-2 hover:text-foreground hover:underline"
    >
      <span className="sr-only">{t('handover_record')}</span>
      {data.new ? t('handover_record_new') : t('handover_record_met', { met: data.met })}
    </PageLink>
  )
}

/** What is particular of an offer: another price than the request has now, or that it ends. */
function Terms({ offer, order }: { offer: ReceivedOffer; order: Order }) {
  const another = offer.pricePerUnit !== order.maxPricePerUnit
  if (!another && !offer.goodUntil) return null
  return (
    <span className="shrink-0 rounded-sm bg-muted px-1.5 text-muted-foreground text-xs leading-5">
      {another && rich('offers_price_each', { price: <Amount value={offer.pricePerUnit} /> })}
      {another && offer.goodUntil && ' · '}
      {offer.goodUntil && t('offers_good_until', { time: formatDayAndTime(offer.goodUntil) })}
    </span>
  )
}

function Sum({ sum, quantity }: { sum: bigint; quantity: number }) {
  if (quantity === 0) return <span className="text-muted-foreground text-xs">{t('offers_enough')}</span>
  return (
    <>
      <span className="sr-only">{t('offers_column_pay')} </span>
      <Amount value={sum} />
    </>
  )
}

function Age({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDayAndTime(at)} className="tabular text-right text-muted-foreground text-xs">
      {shortSpan(at)}
    </time>
  )
}
