import { Copy } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Receipt } from '@/api/types'
import { Typed } from '@/components/typed'
import { copyText } from '@/lib/clipboard'
import { formatCopper } from '@/lib/copper'
import { formatNumber } from '@/lib/format'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { SoftButton } from './buttons'
import { Amount } from './coins'
import { CopyButton } from './copy-button'
import { DiscordMark } from './discord-mark'
import LookAlikes from './look-alikes'
import { Button } from './ui/button'
import { UndoButton } from './undo-button'
import { VerifiedTag } from './verified-tag'
import { When } from './when'

const HandoverPart = lazy(() => import('./handover'))

type Props = {
  receipt: Receipt
  /** Shows the item's name, where no heading has it. */
  item?: boolean
  /** The buyer may undo it for a while. */
  undoable?: boolean
  onUndone?: (sale: number) => void
}

/** What one accept agreed: the other user, quantity, price and contact. */
export function ReceiptCard({ receipt, item = false, undoable = false, onUndone }: Props) {
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
      <Line receipt={receipt} undoable={undoable} onUndone={onUndone} />
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

/** The message to send to the other side, and the way to them. */
function Line({ receipt, undoable, onUndone }: Pick<Props, 'receipt' | 'undoable' | 'onUndone'>) {
  const line = lineToSend(receipt)
  const { discordUrl, name } = receipt.with
  async function copy() {
    showToast(
      (await copyText(line)) ? t('handover_message_copied') : t('handover_message_not_copied', { message: line }),
    )
  }
  return (
    <div className="grid gap-2.5 border-t pt-3">
      {/* A sentence in the page's language, whatever the names in it are. */}
      <p dir="ltr" className="rounded-md bg-muted/60 px-3 py-2 text-sm wrap-anywhere">
        {line}
      </p>
      <div className="flex flex-wrap gap-2">
        <SoftButton size="sm" className="pointer-coarse:h-11" onClick={copy}>
          <Copy /> {t('handover_copy_message')}
        </SoftButton>
        {discordUrl && (
          <Button asChild variant="outline" size="sm" className="pointer-coarse:h-11">
            <a
              href={discordUrl}
              target="_blank"
              rel="noreferrer"
              aria-label={t('handover_open_in_discord_label', { name })}
            >
              <DiscordMark /> {t('handover_open_in_discord')}
            </a>
          </Button>
        )}
        {undoable && receipt.undo && (
          <UndoButton
            act={receipt.undo}
            what={t('offers_undo_accept', { seller: name })}
            onUndone={() => onUndone?.(receipt.id)}
          />
        )}
      </div>
    </div>
  )
}

function lineToSend({ side, with: other, itemName, quantity, pricePerUnit, total, ign }: Receipt): string {
  const places = {
    named: other.name && 'yes',
    name: other.name,
    quantity,
    item: itemName,
    price: formatCopper(BigInt(pricePerUnit)),
    total: formatCopper(BigInt(total)),
  }
  return side === 'buyer'
    ? t('handover_line_buyer', { ...places, inGame: ign ? 'yes' : '', ign: ign ?? '' })
    : t('handover_line_seller', places)
}
