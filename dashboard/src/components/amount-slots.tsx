import { cn } from '@/lib/cn'
import { type Copper, coins, coinsOf, copperInWords } from '@/lib/copper'
import { formatNumber } from '@/lib/format'
import { locale } from '@/lib/locale'
import { CoinMark, letterColor } from './coins'

const slotWidth = 38 // px
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

/** Returns the letters of the coins that a column of amounts needs, from largest to smallest. */
export function slotsFor(amounts: Iterable<Copper>): string[] {
  const needed = new Set<string>()
  for (const amount of amounts) for (const { letter } of coinsOf(amount)) needed.add(letter)
  return coins.map(({ letter }) => letter).filter((letter) => needed.has(letter))
}

/** The width of a column with these slots, in px. */
export const widthOfSlots = (slots: readonly string[]) => Math.max(slots.length, 1) * slotWidth + 24

type Props = {
  value: Copper
  slots: readonly string[]
}

/** An amount in a column: each coin has its own slot, so that silver stands under silver. The largest coin is marked. */
export function AmountSlots({ value, slots }: Props) {
  const counted = coinsOf(value)
  return (
    <span
      title={counted.some(({ count }) => count >= 10_000n) ? copperInWords(value) : undefined}
      className="tabular relative grid grid-flow-col auto-cols-[38px] justify-items-end [justify-content:end]"
    >
      <span className="sr-only">{copperInWords(value)}</span>
      {slots.map((slot) => {
        const coin = counted.find(({ letter }) => letter === slot)
        if (!coin) return <span key={slot} aria-hidden="true" />
        const largest = coin === counted[0]
        return (
          <span
            key={slot}
            aria-hidden="true"
            className={cn('whitespace-nowrap', largest ? 'font-semibold' : 'text-muted-foreground')}
          >
            {largest && <CoinMark look={coin.look} className="mr-1 size-[11px] align-[-0.06em]" />}
            {coin.count < 10_000n ? formatNumber(coin.count) : compact.format(coin.count)}
            <span className={cn('inline-block w-[0.7em] pl-px text-left', letterColor[coin.look])}>{coin.letter}</span>
          </span>
        )
      })}
    </span>
  )
}
