import { cn } from '@/lib/cn'
import { type Copper, coinsOf, copperInWords } from '@/lib/copper'
import { formatNumber } from '@/lib/format'
import type { CoinStyle } from '@/lib/game'

export const letterColor: Record<CoinStyle, string> = {
  platinum: 'text-platinum',
  gold: 'text-gold',
  silver: 'text-silver',
  copper: 'text-copper',
}

/** The drawings of the four coins, once per page; every amount refers to them. Each has its own
 * symbol, not only its own colour: a star, a sun, a moon and a square hole. */
export function CoinDrawings() {
  return (
    <svg aria-hidden="true" className="absolute size-0" focusable="false">
      <defs>
        <symbol id="coin-platinum" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="7" fill="var(--platinum-face)" stroke="var(--platinum-edge)" strokeWidth="1.5" />
          <path d="M8 3.6 9.2 6.8l3.2 1.2-3.2 1.2L8 12.4 6.8 9.2 3.6 8l3.2-1.2z" fill="var(--platinum-edge)" />
        </symbol>
        <symbol id="coin-gold" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="7" fill="var(--gold-face)" stroke="var(--gold-edge)" strokeWidth="1.5" />
          <circle cx="8" cy="8" r="2" fill="var(--gold-edge)" />
          <path
            d="M8 3.4v1.4M8 11.2v1.4M3.4 8h1.4M11.2 8h1.4M4.8 4.8l.9.9M10.3 10.3l.9.9M11.2 4.8l-.9.9M5.7 10.3l-.9.9"
            stroke="var(--gold-edge)"
            strokeWidth="1.3"
            strokeLinecap="round"
          />
        </symbol>
        <symbol id="coin-silver" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="7" fill="var(--silver-face)" stroke="var(--silver-edge)" strokeWidth="1.5" />
          <path d="M10.9 9.6A4 4 0 1 1 7 4.1a3.2 3.2 0 0 0 3.9 5.5z" fill="var(--silver-edge)" />
        </symbol>
        <symbol id="coin-copper" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="7" fill="var(--copper-face)" stroke="var(--copper-edge)" strokeWidth="1.5" />
          <path d="M5.8 5.8h4.4v4.4H5.8z" fill="var(--copper-edge)" />
        </symbol>
      </defs>
    </svg>
  )
}

export function CoinMark({ look, className }: { look: CoinStyle; className?: string }) {
  return (
    <svg aria-hidden="true" className={cn('inline-block size-[0.8em] shrink-0', className)} focusable="false">
      <use href={`#coin-${look}`} />
    </svg>
  )
}

type Props = {
  /** Copper. Totals are strings, because they exceed what a number can represent. */
  value: Copper | number | string
  /** Large on a card, medium as a result, or quiet within a line. The display font has old-style figures, so money is
   * never set in it. */
  size?: 'large' | 'medium' | 'quiet'
  className?: string
}

const sizes = {
  large: 'font-bold text-lg',
  medium: 'font-semibold text-base leading-6',
  quiet: 'font-medium',
}

/** An amount of money by coins, the largest emphasized: "1p 500g 250s". */
export function Amount({ value, size = 'quiet', className }: Props) {
  const copper = BigInt(value)
  return (
    <span className={cn('tabular', sizes[size], className)}>
      <span className="sr-only">{copperInWords(copper)}</span>
      <span aria-hidden="true" className="inline-flex flex-wrap items-baseline gap-x-[0.4em]">
        {coinsOf(copper).map(({ letter, look, count }, i) => (
          <span
            key={letter}
            className={cn('whitespace-nowrap', i > 0 && size === 'large' && 'font-semibold text-[0.85em]')}
          >
            <CoinMark look={look} className="mr-[0.2em] align-[-0.06em]" />
            {formatNumber(count)}
            <span className={letterColor[look]}>{letter}</span>
          </span>
        ))}
      </span>
    </span>
  )
}
