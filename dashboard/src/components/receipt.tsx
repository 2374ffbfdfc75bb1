import { Suspense } from 'react'
import type { Receipt } from '@/api/types'
import { Typed } from '@/components/typed'
import { formatNumber } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { Amount } from './coins'
import { CopyButton } from './copy-button'
import LookAlikes from './look-alikes'
import { MessageToSend } from './message-to-send'
import { TradeLink } from './trade-link'
import { UndoButton } from './undo-button'
import { VerifiedTag } from './verified-tag'
import { When } from './when'

const HandoverPart = lazy(() => import('./handover'))

type Props = {
  receipt: Receipt
  /** Shows the item's name, where no heading has it. */
  item?: boolean
  /** A visitor has no page of the trade to open. */
  visitors?: boolean
  /** The buyer may undo it for a while. */
  undoable?: boolean
  onUndone?: (sale: number) => void
}

/** What one accept agreed: the other user, quantity, price and contact. */
export function ReceiptCard({ receipt, item = false, visitors = false, undoable = false, onUndone }: Props) {
  const { side, with: other, quantity, pricePerUnit, total, ign, acceptedAt } = receipt
  const buying = side === 'buyer'
  const name = other.name || (buying ? t('handover_receipt_seller_left') : t('handover_receipt_buyer_left'))
  const typed = <Typed>{name}</Typed>
  return (
    <article
      aria-label={t('handover_receipt_label', { quantity, item: receipt.itemName, side, name })}
      className="grid grid-cols-1 gap-3 rounded-lg border border-primary/30 bg-card p-3.5"
    >
      <header className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 text-base wrap-anywhere">
          {buying ? rich('handover_you_buy', { name: typed }) : rich('handover_you_sell', { name: typed })}
        </h3>
        <When at={acceptedAt} className="pt-1" />
      </header>
      <p className="tabular flex flex-wrap items-baseline gap-x-1.5 text-sm">
        <span>
          <strong className="font-semibold">{formatNumber(quantity)}</strong>
          {item && (
            <>
              {' '}
              <Typed>{receipt.itemName}</Typed>
            </>
          )}{' '}
          ×
        </span>
        <Amount value={pricePerUnit} />
        <span>=</span>
        <Amount value={total} size="medium" />
      </p>
      {(other.contact || ign) && (
        <dl className="flex flex-wrap gap-x-5 text-sm">
          {other.contact && (
            <Detail name="Discord">
              <span dir="auto" className="truncate">
                {other.contact}
              </span>
              <CopyButton text={other.contact} label={t('offers_copy_discord_name', { contact: other.contact })} />
              <VerifiedTag verified={other.verified} />
            </Detail>
          )}
          {ign && (
            <Detail name={buying ? t('handover_you_in_game') : t('handover_in_game')}>
              <span dir="auto" className="truncate">
                {ign}
              </span>
              <CopyButton text={ign} label={t('handover_copy_in_game', { name: ign })} />
            </Detail>
          )}
        </dl>
      )}
      <LookAlikes mark={other.lookAlike} contact={other.contact} name={buying ? other.name : ign} />
      {isOn('handover') && other.discordUrl && (
        <Suspense fallback={<div className="h-17" />}>
          <HandoverPart sale={receipt.id} />
        </Suspense>
      )}
      {isOn('handover') && !other.discordUrl && !visitors && <TradeLink sale={receipt.id} />}
      <MessageToSend receipt={receipt} className="border-t pt-3">
        {undoable && receipt.undo && (
          <UndoButton
            act={receipt.undo}
            what={
              receipt.crossed
                ? t('offers_undo_crossing', { name: other.name })
                : t('offers_undo_accept', { seller: other.name })
            }
            onUndone={() => onUndone?.(receipt.id)}
          />
        )}
      </MessageToSend>
    </article>
  )
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-7 min-w-0 max-w-full items-baseline gap-1.5">
      <dt className="shrink-0 text-muted-foreground">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-1">{children}</dd>
    </div>
  )
}
