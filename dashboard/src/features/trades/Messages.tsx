import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SlipLine } from '@/api/slips'
import type { TradeDetails } from '@/api/types'
import { SoftButton } from '@/components/buttons'
import { MessageToSend } from '@/components/message-to-send'
import type { Standing } from '@/components/trade-state'
import { Typed } from '@/components/typed'
import { copyText } from '@/lib/clipboard'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { lineForGame } from './lineForGame'
import { totalsOf } from './totals'

type Props = { trade: TradeDetails; chosen: SlipLine[]; standing: Standing; name: string }

const toSend: Standing[] = ['agreed', 'mine', 'theirs', 'disputed', 'accepted']

/** What to send to the other side, in Discord and in the game, and what both have said. */
export function Messages({ trade, chosen, standing, name }: Props) {
  const { receipt, with: other, you, place, description, message, open } = trade
  const buying = receipt.side === 'buyer'
  const lines = chosen.length > 0 ? chosen : open.filter((line) => line.handover.id === receipt.id)
  const game = other && lines.length > 0 ? lineForGame({ with: other, you, place }, totalsOf(lines)) : ''
  async function copy() {
    showToast((await copyText(game)) ? t('slips_message_copied') : t('slips_copy_failed', { message: game }))
  }
  return (
    <>
      {toSend.includes(standing) && (
        <Part id="to-send" title={t('trades_message')}>
          <MessageToSend receipt={receipt} />
        </Part>
      )}
      {game && (
        <Part id="to-copy" title={t('slips_to_say')}>
          <div className="grid gap-2.5">
            <p dir="ltr" className="rounded-md bg-muted/60 px-3 py-2 text-sm wrap-anywhere">
              {game}
            </p>
            <SoftButton size="sm" className="justify-self-start pointer-coarse:h-11" onClick={copy}>
              <Copy /> {t('slips_copy_message')}
            </SoftButton>
          </div>
        </Part>
      )}
      {(message || description) && (
        <Part id="said" title={t('trades_said')}>
          {message && <Said who={buying ? name : trade.you.name} where={t('trades_said_with_offer')} text={message} />}
          {description && (
            <Said who={buying ? trade.you.name : name} where={t('trades_said_in_request')} text={description} />
          )}
        </Part>
      )}
    </>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-1.5 p-4 sm:px-5">
      <h2 id={id} className="text-base">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Said({ who, where, text }: { who: string; where: string; text: string }) {
  return (
    <p className="min-w-0 wrap-anywhere">
      <strong className="font-semibold">
        <Typed>{who}</Typed>
      </strong>{' '}
      <span className="text-muted-foreground text-sm">{where}</span>{' '}
      <span dir="auto" className="whitespace-pre-line">
        {text}
      </span>
    </p>
  )
}
