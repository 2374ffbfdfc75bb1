import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Receipt } from '@/api/types'
import { copyText } from '@/lib/clipboard'
import { cn } from '@/lib/cn'
import { formatCopper } from '@/lib/copper'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { SoftButton } from './buttons'
import { DiscordMark } from './discord-mark'
import { Button } from './ui/button'

type Props = {
  receipt: Receipt
  className?: string
  /** More buttons. */
  children?: ReactNode
}

/** The message to send to the other side, and the way to them. */
export function MessageToSend({ receipt, className, children }: Props) {
  const line = lineToSend(receipt)
  const { discordUrl, name } = receipt.with
  async function copy() {
    showToast(
      (await copyText(line)) ? t('handover_message_copied') : t('handover_message_not_copied', { message: line }),
    )
  }
  return (
    <div className={cn('grid gap-2.5', className)}>
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
        {children}
      </div>
    </div>
  )
}

function lineToSend({ side, with: other, itemName, quantity, pricePerUnit, total, ign, crossed }: Receipt): string {
  const places = {
    named: other.name && 'yes',
    name: other.name,
    quantity,
    item: itemName,
    price: formatCopper(BigInt(pricePerUnit)),
    total: formatCopper(BigInt(total)),
  }
  if (crossed) return t('handover_line_crossed', { ...places, side })
  return side === 'buyer'
    ? t('handover_line_buyer', { ...places, inGame: ign ? 'yes' : '', ign: ign ?? '' })
    : t('handover_line_seller', places)
}
