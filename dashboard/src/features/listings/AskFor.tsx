import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShoppingBag } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { askFor, asksQuery, listingsChanged } from '@/api/listings'
import type { Listing } from '@/api/types'
import { SoftButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Input } from '@/components/ui/input'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useMe } from '@/hooks/useMe'
import { clamp, clampText } from '@/lib/clamp'
import { cn } from '@/lib/cn'
import { copperInWords } from '@/lib/copper'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** The user's open ask for a listing. */
function useAskFor(id: number) {
  const { user } = useMe()
  const { data } = useQuery({ ...asksQuery, enabled: user !== null })
  return data?.find((ask) => ask.listingId === id)
}

type Props = { listing: Listing; row?: boolean }

/** Asks the seller for a quantity with one press. A visitor signs in first. */
export function AskFor({ listing, row = false }: Props) {
  const { id, itemName, left, price, seller } = listing
  const queryClient = useQueryClient()
  const { user } = useMe()
  const { open } = useDialogs()
  const asked = useAskFor(id)
  const writes = useIdempotencyKey<{ quantity: number; price: number }>()
  const [typed, setTyped] = useState(String(left))
  const [busy, setBusy] = useState(false)
  const pressed = useRef(false)
  const quantity = clamp(Number(typed) || 0, 0, left)
  const sum = BigInt(price) * BigInt(quantity)

  if (user?.id === seller.id)
    return (
      <PageLink to="/selling/stock" className="touch text-primary text-sm underline underline-offset-4">
        {t('listings_change_own')}
      </PageLink>
    )
  if (asked)
    return (
      <p
        ref={(said) => {
          if (pressed.current) said?.focus() // the button is gone
          pressed.current = false
        }}
        tabIndex={-1}
        role="status"
        className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm outline-none"
      >
        <Tag tone="accent">{t('listings_you_asked', { quantity: asked.quantity })}</Tag>
        <PageLink to="/mine" className="touch text-primary underline underline-offset-4">
          {t('common_my_requests')}
        </PageLink>
      </p>
    )
  if (left === 0) return <p className="text-muted-foreground text-sm">{t('listings_all_asked')}</p>
  if (user?.blockedFor) return null

  async function ask() {
    if (!user) {
      open({ name: 'sign-in', mode: 'sign-in' })
      return
    }
    if (busy || quantity === 0) return
    setBusy(true)
    try {
      pressed.current = true
      const order = await writes.once({ quantity, price }, (content, key) => askFor(id, content, key))
      const agreed = order.status === 'fulfilled'
      const said = { quantity, item: itemName, seller: seller.displayName }
      showToast(agreed ? t('listings_agreed', said) : t('listings_asked', said))
    } catch (error) {
      showToast(messageFor(error, t('listings_ask_failed')), 'error')
    }
    setBusy(false)
    listingsChanged(queryClient)
  }

  return (
    <div className={cn('flex min-w-0 items-center gap-2', !row && 'flex-1 flex-wrap justify-between')}>
      <Input
        type="number"
        inputMode="numeric"
        step={1}
        min={1}
        max={left}
        aria-label={t('listings_how_many', { item: itemName })}
        className="no-spinner tabular h-9 w-24 shrink-0 text-sm max-sm:w-20 pointer-coarse:h-11"
        value={typed}
        onChange={(event) => setTyped(clampText(event.target.value, 0, left))}
        onBlur={() => quantity === 0 && setTyped(String(left))}
      />
      <SoftButton
        className={cn(
          'tabular ml-auto h-9 min-w-0 px-3 pointer-coarse:h-11 [&:hover_*]:text-inherit',
          row && '@4xl:min-w-64', // one width, so that the numbers of a list stand below each other
        )}
        aria-disabled={busy || quantity === 0}
        aria-label={t('listings_ask_for_item', { quantity, item: itemName, sum: copperInWords(sum) })}
        onClick={() => void ask()}
      >
        <ShoppingBag aria-hidden className="max-sm:hidden" />
        <span>{t('listings_ask_for', { quantity })}</span>
        <span className={row ? 'max-lg:hidden' : undefined}>
          <Amount value={sum} />
        </span>
      </SoftButton>
    </div>
  )
}
