import type { Slip } from '@/api/slips'
import type { TradeDetails } from '@/api/types'
import { formatCopper } from '@/lib/copper'
import { formatNumber } from '@/lib/format'
import { t } from '@/lib/texts'
import type { Totals } from './totals'

const itemsNamed = 4

/** How one of the two is called in the game, or else in Discord. */
const nameOf = ({ inGameNames, name, contact }: Slip['with']) => inGameNames[0] || name || contact

/** The message that the reader sends in the game: who they are, what each brings, and where. */
export function lineForGame(
  { with: other, you, place }: { with: Slip['with']; you: Slip['you']; place: TradeDetails['place'] },
  { bring, get, pay, earn }: Totals,
): string {
  const net = pay - earn
  const mine = parts(bring, net > 0n ? net : 0n)
  const theirs = parts(get, net < 0n ? -net : 0n)
  return [
    t('slips_line_hi', { partner: nameOf(other), you: nameOf(you) }),
    mine && t('slips_line_i_bring', { what: mine }),
    theirs && t('slips_line_you_bring', { what: theirs }),
    place ? t('slips_line_meet_at', { place: place.text }) : t('slips_line_where'),
  ]
    .filter(Boolean)
    .join(' ')
}

function parts(items: Slip['bring'], coins: bigint): string {
  const shown = items.slice(0, itemsNamed).map((i) => `${formatNumber(i.quantity)} ${i.itemName}`)
  const more = items.length - shown.length
  if (more > 0) shown.push(t('slips_line_more', { count: more }))
  if (coins > 0n) shown.push(formatCopper(coins))
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : t('slips_line_and', { first: shown.join(', '), last })
}
