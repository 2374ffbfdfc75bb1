import type { Slip } from '@/api/slips'
import { formatCopper } from '@/lib/copper'
import { countOf, formatNumber } from '@/lib/format'

const itemsNamed = 4

/** How one of the two is called in the game, or else in Discord. */
const nameOf = ({ inGameNames, name, contact }: Slip['with']) => inGameNames[0] || name || contact

/** The message that the reader sends in the game: who they are, what each brings, and where. */
export function lineForGame(slip: Slip): string {
  const net = BigInt(slip.net)
  const mine = parts(slip.bring, net > 0n ? net : 0n)
  const theirs = parts(slip.get, net < 0n ? -net : 0n)
  return [
    `Hi ${nameOf(slip.with)}, ${nameOf(slip.you)} here.`,
    mine && `I bring ${mine}.`,
    theirs && `You bring ${theirs}.`,
    slip.place ? `We meet: ${slip.place.text}` : 'Where shall we meet?',
  ]
    .filter(Boolean)
    .join(' ')
}

function parts(items: Slip['bring'], coins: bigint): string {
  const shown = items.slice(0, itemsNamed).map((i) => `${formatNumber(i.quantity)} ${i.itemName}`)
  const more = items.length - shown.length
  if (more > 0) shown.push(`${countOf(more, 'more item')}`)
  if (coins > 0n) shown.push(formatCopper(coins))
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
