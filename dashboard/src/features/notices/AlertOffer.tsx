import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { sendOffer } from '@/api/offers'
import type { Notice, OfferDraft } from '@/api/types'
import { LinkButton, SoftButton } from '@/components/buttons'
import { YouOffered } from '@/components/you-offered'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useMe } from '@/hooks/useMe'
import { useOpenOffers } from '@/hooks/useOpenOffers'
import { limits } from '@/lib/market'
import { suggestQuantity } from '@/lib/suggested'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { useKeptFocus } from './useKeptFocus'

/** Offers on the request of an alert: what one has of it with one press, or by the form. */
export function AlertOffer({ notice, orderId }: { notice: Notice; orderId: number }) {
  const { open } = useDialogs()
  const { user } = useMe()
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<OfferDraft>()
  const [sending, setSending] = useState(false)
  const focus = useKeptFocus()
  const { quantity } = notice
  const has = (notice.watchId ?? null) === null
  const mine = useOpenOffers().get(orderId)
  const form = () => {
    if (has) suggestQuantity(orderId, quantity)
    open({ name: 'offer', request: orderId })
  }

  async function offerAll() {
    if (!user || sending) return
    const draft: OfferDraft = {
      sellerName: [...user.displayName].slice(0, limits.sellerName).join(''),
      sellerContact: user.username,
      message: t('notices_i_have', { quantity }),
      quantityOffered: quantity,
      replaces: 0,
    }
    setSending(true)
    try {
      const { accepted } = await writes.once(draft, (offer, key) => sendOffer(orderId, offer, key))
      if (accepted) showToast(t('notices_offer_accepted_now'))
      else showToast(t('notices_you_offered', { quantity }))
    } catch (error) {
      showToast(messageFor(error, t('offers_send_failed')), 'error')
    }
    await queryClient.invalidateQueries({ queryKey: keys.sentOffers })
    setSending(false)
  }

  if (mine) {
    return (
      <div {...focus} className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <YouOffered offer={mine} />
        <LinkButton className="min-h-6 pointer-coarse:min-h-11" onClick={form}>
          {t('common_change_offer')}
        </LinkButton>
      </div>
    )
  }
  return (
    <div {...focus} className="flex flex-wrap gap-2">
      {has && (
        <SoftButton size="sm" className="pointer-coarse:h-11" disabled={sending} onClick={offerAll}>
          {sending ? t('common_sending') : t('notices_offer_quantity', { quantity })}
        </SoftButton>
      )}
      <SoftButton size="sm" className="pointer-coarse:h-11" outlined={has} onClick={form}>
        {has ? t('notices_other_quantity') : t('common_offer')}
      </SoftButton>
    </div>
  )
}
