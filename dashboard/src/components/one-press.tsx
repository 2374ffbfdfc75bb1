import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { deleteOffer, readyQuery, sendOffer } from '@/api/offers'
import { putOrder } from '@/api/orderCache'
import type { OfferDraft, OpenOffer, Order, Ready } from '@/api/types'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useMe } from '@/hooks/useMe'
import { cn } from '@/lib/cn'
import { copperInWords } from '@/lib/copper'
import { limits } from '@/lib/market'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { SoftButton } from './buttons'
import { Amount } from './coins'

type Props = {
  order: Pick<Order, 'id' | 'itemName' | 'maxPricePerUnit'> & Partial<Pick<Order, 'quantity' | 'sold'>>
  /** The user's open offer on it, which the button undoes as long as that is possible. */
  offered?: OpenOffer
  /** How many it offers, and why that would be refused. */
  ready?: Pick<Ready, 'quantity' | 'why'>
  /** In one line, where there is room. */
  wide?: boolean
  tabIndex?: number
  className?: string
  /** Takes its place once it cannot be undone any more. */
  children?: ReactNode
}

/** Offers what the user has of a request, with one press, and then undoes it. It is one button, so that nothing moves. */
export default function OnePress({ order, offered, ready, children, ...look }: Props) {
  const queryClient = useQueryClient()
  const { user } = useMe()
  const sends = useIdempotencyKey<OfferDraft>()
  const undos = useIdempotencyKey<number>()
  const [pending, setPending] = useState(false)
  const minutes = useMinutesUntil(offered?.undoUntil)
  const item = order.itemName
  // Others may have sold meanwhile.
  const { quantity: most = Number.POSITIVE_INFINITY, sold = 0 } = order
  const quantity = Math.min(ready?.quantity ?? 0, most - sold)
  const why = ready?.why

  async function run(act: () => Promise<unknown>) {
    if (pending) return
    setPending(true)
    try {
      await act()
    } catch (error) {
      if (error instanceof ApiError && error.current) putOrder(queryClient, error.current)
      showToast(messageFor(error, offered ? t('lib_failed_to_undo') : t('offers_send_failed')), 'error')
    }
    void queryClient.invalidateQueries({ queryKey: keys.sentOffers }) // open ones and what is ready, too
    setPending(false)
  }

  async function send() {
    if (!user) return
    const { message } = await queryClient.ensureQueryData(readyQuery)
    const draft: OfferDraft = {
      sellerName: [...user.displayName].slice(0, limits.sellerName).join(''),
      sellerContact: user.username,
      message,
      quantityOffered: quantity,
      replaces: 0,
      price: order.maxPricePerUnit,
    }
    const { offer, accepted = 0 } = await sends.once(draft, (content, key) => sendOffer(order.id, content, key))
    if (accepted) showToast(t('notices_offer_accepted_now'))
    else {
      showToast(t('notices_you_offered', { quantity }))
      putOpenOffer(queryClient, order.id, {
        id: offer.id,
        orderId: order.id,
        quantityOffered: offer.quantityOffered,
        quantityAccepted: 0,
        price: offer.pricePerUnit,
        undoUntil: new Date(Date.now() + undoFor).toISOString(),
      })
    }
  }

  async function undo(offer: OpenOffer) {
    // It can offer again before it stops to undo, whichever answer comes first: it never loses its place or the focus. An answer
    // that is on its way is of the time when the offer stood.
    await queryClient.cancelQueries({ queryKey: readyQuery.queryKey })
    putReady(queryClient, { orderId: order.id, quantity: offer.quantityOffered, why: null })
    await undos.once(offer.id, deleteOffer)
    putOpenOffer(queryClient, order.id)
    showToast(t('parts_offer_undone'))
  }

  if (offered) {
    if (minutes === 0) return children
    return (
      <TwoLines
        {...look}
        outlined
        pending={pending}
        label={t('parts_undo_offer', { item, minutes })}
        first={t('parts_undo_minutes', { minutes })}
        onPress={() => run(() => undo(offered))}
      >
        <Amount value={BigInt(offered.price) * BigInt(offered.quantityOffered)} />
      </TwoLines>
    )
  }
  if (quantity === 0) return null
  const sum = BigInt(order.maxPricePerUnit) * BigInt(quantity)
  return (
    <TwoLines
      {...look}
      outlined={!!why}
      pending={pending || !!why}
      label={t('parts_offer_for_item', { quantity, item, sum: copperInWords(sum) })}
      why={why ?? undefined}
      first={t('parts_offer_for', { quantity })}
      onPress={() => (why ? showToast(why) : void run(send))}
    >
      {why ? <span className="underline">{t('parts_why_not')}</span> : <Amount value={sum} />}
    </TwoLines>
  )
}

type TwoLinesProps = Pick<Props, 'wide' | 'tabIndex' | 'className'> & {
  outlined?: boolean
  pending: boolean
  label: string
  why?: string
  first: string
  onPress: () => void
  children: ReactNode
}

/** It is never disabled, which would lose the focus. */
function TwoLines({ wide, className, pending, label, why, first, onPress, children, ...props }: TwoLinesProps) {
  return (
    <SoftButton
      {...props}
      size="sm"
      aria-label={label}
      aria-description={why}
      title={why}
      aria-disabled={pending}
      className={cn(
        'tabular relative shrink-0 gap-x-1.5 gap-y-0 px-2.5 py-0 pointer-coarse:h-11 aria-disabled:opacity-70 [&_svg]:size-[0.8em]!',
        wide ? 'font-medium' : 'h-9 flex-col font-medium text-xs leading-4 [&_*]:flex-nowrap [&_*]:leading-4',
        className,
      )}
      onClick={onPress}
    >
      <span>{first}</span>
      {children}
    </SoftButton>
  )
}

const undoFor = 600_000 // ms, as the server says once it is asked

const putReady = (queryClient: QueryClient, one: Ready) =>
  queryClient.setQueryData(
    readyQuery.queryKey,
    (old) => old && { ...old, ready: [...old.ready.filter(({ orderId }) => orderId !== one.orderId), one] },
  )

/** Puts the user's open offer on a request in place of another; without one there is none. */
const putOpenOffer = (queryClient: QueryClient, orderId: number, offer?: OpenOffer) =>
  queryClient.setQueryData<OpenOffer[]>(keys.openOffers, (old = []) => [
    ...(offer ? [offer] : []),
    ...old.filter((other) => other.orderId !== orderId),
  ])

/** How many minutes there are until a time; 0 for none. */
function useMinutesUntil(iso: string | null | undefined): number {
  const [, redraw] = useState(0)
  const left = iso ? Math.max(0, new Date(iso).getTime() - Date.now()) : 0
  const minutes = Math.ceil(left / 60_000)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one timer a minute
  useEffect(() => {
    if (minutes === 0) return
    const timer = setTimeout(() => redraw((n) => n + 1), left - (minutes - 1) * 60_000 + 1)
    return () => clearTimeout(timer)
  }, [minutes])
  return minutes
}
