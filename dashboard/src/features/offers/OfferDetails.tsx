import type { ReactNode } from 'react'
import type { Order, ReceivedOffer } from '@/api/types'
import { ByWhen } from '@/components/by-when'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import LookAlikes from '@/components/look-alikes'
import TradeRecordLine from '@/components/trade-record'
import { Button } from '@/components/ui/button'
import { VerifiedTag } from '@/components/verified-tag'
import { When } from '@/components/when'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'

type Props = {
  offer: ReceivedOffer
  order: Order
  /** The field of the quantity, where the row has no room for it. */
  quantity: ReactNode
  onMeetBy: (time: string | undefined) => void
  onClose: () => void
}

/** All that there is to know of an offer. */
export function OfferDetails({ offer, order, quantity, onMeetBy, onClose }: Props) {
  const { sellerContact: contact, sellerName: seller } = offer
  return (
    <>
      <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
        {offer.message}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <p className="flex min-w-0 flex-wrap items-center gap-x-1">
          <span dir="auto" className="truncate text-muted-foreground">
            {contact}
          </span>
          <CopyButton text={contact} label={t('offers_copy_discord_name', { contact })} />
          <VerifiedTag verified={offer.verified} />
        </p>
        {offer.sellerId && isOn('records') && <TradeRecordLine userId={offer.sellerId} />}
        <When at={offer.createdAt} />
      </div>
      <LookAlikes mark={offer.lookAlike} contact={contact} name={seller} />
      {offer.pricePerUnit !== order.maxPricePerUnit && (
        <p className="flex flex-wrap items-baseline gap-x-1.5 text-muted-foreground text-sm">
          {rich('offers_price_now', { price: <Amount value={order.maxPricePerUnit} /> })}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-3">
        {quantity && (
          <div className="grid gap-1">
            <p aria-hidden="true" className="text-muted-foreground text-sm">
              {t('offers_quantity_to_accept')}
            </p>
            {quantity}
          </div>
        )}
        {isOn('handover') && offer.verified && (
          <ByWhen
            label={t('offers_meet_by')}
            standard={t('offers_meet_by_standard')}
            what={t('offers_meet_by_what', { seller })}
            onChange={onMeetBy}
          />
        )}
        <Button variant="ghost" size="sm" className="ml-auto pointer-coarse:h-11" onClick={onClose}>
          {t('common_close')}
        </Button>
      </div>
    </>
  )
}
