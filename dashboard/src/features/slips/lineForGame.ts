import type { Slip } from '@/api/slips'
import { formatCopper } from '@/lib/copper'
import { formatNumber } from '@/lib/format'
import { t } from '@/lib/texts'

const itemsNamed = 4

/** How one of the two is called in the game, or else in Discord. */
const nameOf = ({ inGameNames, name, contact }: Slip['with']) => inGameNames[0] || name || contact

/** The message that the reader sends in the game: who they are, what each brings, and where. */
export function lineForGame(slip: Slip): string {
  const net = BigInt(slip.net)
  const mine = parts(slip.bring, net > 0n ? net : 0n)
  const theirs = parts(slip.get, net < 0n ? -net : 0n)
  return [
    t('slips_line_hi', { partner: nameOf(slip.with), you: nameOf(slip.you) }),
    mine && t('slips_line_i_bring', { what: mine }),
    theirs && t('slips_line_you_bring', { what: theirs }),
    slip.place ? t('slips_line_meet_at', { place: slip.place.text }) : t('slips_line_where'),
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
