import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import { itemOddsQuery, itemPricesQuery } from '@/api/prices'
import type { ItemPrices } from '@/api/types'
import { Amount } from '@/components/coins'
import { type Copper, parseCopper, printCopper } from '@/lib/copper'
import { joinAnd } from '@/lib/format'
import { describeOdds, type Filled, type Odds, type OddsStep, oddsAt } from '@/lib/odds'
import { rich, t } from '@/lib/texts'
import type { OrderForm } from './orderForm'

type Price = NonNullable<ItemPrices['windows'][number]['price']>

/**
 * Prices of the typed item in trades, and how likely a request at a price is filled; without trades the prices of open requests,
 * and without these when there will be prices. It always says something.
 */
export default function PriceHelp({ form }: { form: OrderForm }) {
  const [typed, price] = form.watch(['itemName', 'maxPricePerUnit'])
  const text = useDeferredValue(typed.trim())
  const named = useQuery({
    ...completionsQuery(text),
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
  }).data?.named
  const prices = useQuery({ ...itemPricesQuery(named?.id ?? 0), enabled: !!named }).data
  const odds = useQuery({ ...itemOddsQuery(named?.id ?? 0), enabled: !!named }).data
  const { copper } = parseCopper(price)
  const window = named && prices?.windows.find((w) => w.days === prices.usual)
  const asked = named && !window?.price ? prices?.asked : undefined
  const { lowest, here, better } = named && odds && copper ? oddsAt(odds, copper) : {}
  const set = (value: number) =>
    form.setValue('maxPricePerUnit', printCopper(BigInt(value)), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  return (
    <section className="grid content-start gap-3">
      <h3 className="text-base text-foreground">{t('orders_sells_for')}</h3>
      <output className="-mt-2 grid gap-2" aria-label={t('orders_worth')}>
        {window?.price ? (
          <>
            <p>
              {t('orders_trades_in', {
                count: window.price.trades,
                days: window.days,
                young: prices?.young ? 'yes' : 'no',
              })}
            </p>
            <Strip price={window.price} typed={copper} />
          </>
        ) : asked ? (
          <p>
            {asked.low < asked.high
              ? rich('orders_asking', {
                  low: <Amount value={asked.low} />,
                  median: <Amount value={asked.median} className="text-foreground" />,
                  high: <Amount value={asked.high} />,
                  buyers: asked.buyers,
                })
              : rich('orders_asking_one', {
                  median: <Amount value={asked.median} className="text-foreground" />,
                  buyers: asked.buyers,
                })}
          </p>
        ) : (
          <p>{t('orders_prices_appear')}</p>
        )}
        {lowest !== undefined && <p>{rich('orders_lowest', { price: <Amount value={lowest} /> })}</p>}
        {here && copper !== undefined && (
          <p>
            {better
              ? rich('orders_odds_better', {
                  odds: describeOdds(here),
                  price: <Amount value={BigInt(better.price) - copper} />,
                  percents: joinAnd(better.within.map(({ percent }) => t('orders_percent', { percent }))),
                })
              : t('orders_odds', { odds: describeOdds(here) })}
          </p>
        )}
      </output>
      {window?.price && <Choices price={window.price} odds={odds} typed={copper} onUse={set} />}
      {asked && (
        <Choice price={asked.median} word={t('orders_median_price')} typed={copper} onUse={set}>
          {null}
        </Choice>
      )}
      {odds?.lowest != null && lowest === undefined && (
        <p>{rich('orders_nothing_below', { price: <Amount value={odds.lowest} /> })}</p>
      )}
    </section>
  )
}

/** The prices from low to high, with a mark at the one that is typed. */
function Strip({ price: { low, median, high }, typed }: { price: Price; typed?: Copper }) {
  const own = Number(typed ?? 0n)
  const margin = Math.max(high - low, high / 10) / 4
  const [from, to] = [low - margin, high + margin]
  const at = (value: number) => Math.min(100, Math.max(0, ((value - from) / (to - from)) * 100))
  return (
    <div>
      <p className="sr-only">
        {rich('orders_traded_range', {
          low: <Amount value={low} />,
          median: <Amount value={median} />,
          high: <Amount value={high} />,
        })}
      </p>
      <div aria-hidden className="relative pt-5 pb-6 text-xs">
        <div className="h-2 rounded-full bg-muted">
          <div
            className="h-full rounded-full bg-primary/45"
            style={{ marginLeft: `${at(low)}%`, width: `${at(high) - at(low)}%` }}
          />
        </div>
        <Mark at={at(median)} className="top-[1.125rem] h-3 w-0.5 bg-primary" />
        {own > 0 && (
          <>
            <Mark at={at(own)} className="top-4 h-4 w-[3px] rounded-full bg-foreground" />
            <Mark at={Math.min(86, Math.max(14, at(own)))} className="top-0 font-semibold text-foreground">
              {t('orders_your_price')}
            </Mark>
          </>
        )}
        <span className="absolute bottom-0 left-0">
          <Amount value={low} />
        </span>
        <span className="absolute right-0 bottom-0">
          <Amount value={high} />
        </span>
      </div>
    </div>
  )
}

function Mark({ at, className, children }: { at: number; className: string; children?: ReactNode }) {
  return (
    <span className={`absolute -translate-x-1/2 whitespace-nowrap ${className}`} style={{ left: `${at}%` }}>
      {children}
    </span>
  )
}

type ChoicesProps = { price: Price; odds?: Odds; typed?: Copper; onUse: (price: number) => void }

/** Three prices to use, with how soon requests at each were filled. */
function Choices({ price: { low, median, high }, odds, typed, onUse }: ChoicesProps) {
  const words = [
    [low, t('orders_low_price')],
    [median, t('orders_median_price')],
    [high, t('orders_high_price')],
  ] as const
  const choices = words.filter(([value], i) => (value === median ? i === 1 : true))
  const filledAt = (value: number) => odds?.near.find(({ price }) => price === value)
  const known = odds && choices.some(([value]) => filledAt(value) || oddsAt(odds, BigInt(value)).here)
  return (
    <>
      {known && (
        <div>
          <h3 className="text-base text-foreground">{t('orders_how_soon')}</h3>
          <p>{t('orders_how_soon_help')}</p>
        </div>
      )}
      <div className="grid gap-1.5">
        {choices.map(([value, word]) => (
          <Choice key={value} price={value} word={word} typed={typed} onUse={onUse}>
            <Soon at={filledAt(value)} odds={odds && oddsAt(odds, BigInt(value)).here} />
          </Choice>
        ))}
      </div>
    </>
  )
}

/** How many requests at about a price were filled, and by how many days how likely it is: in two lines. */
function Soon({ at, odds }: { at?: Filled; odds?: OddsStep }) {
  const within = at ? odds?.within.slice(0, 1) : odds?.within
  return (
    <>
      {at && <span className="block font-semibold text-foreground">{t('orders_filled_near', at)}</span>}
      {within?.map(({ percent, days }) => (
        <span key={days} className="block">
          {t('orders_odds_soon', { percent: String(percent), days: String(days) })}
        </span>
      ))}
    </>
  )
}

type ChoiceProps = { price: number; word: string; typed?: Copper; onUse: (price: number) => void; children: ReactNode }

function Choice({ price, word, typed, onUse, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={typed === BigInt(price)}
      aria-label={t('orders_price_used', { price: printCopper(BigInt(price)), word })}
      // The press leaves the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onUse(price)}
      className="flex min-h-11 items-center justify-between gap-3 rounded-md border bg-card px-3 py-1 text-left transition-colors hover:border-primary aria-pressed:border-primary aria-pressed:bg-accent aria-pressed:text-accent-foreground"
    >
      <span>
        <Amount value={price} className="whitespace-nowrap text-foreground" />
        <span className="block text-xs">{word}</span>
      </span>
      <span className="tabular whitespace-nowrap text-right text-xs">{children}</span>
    </button>
  )
}
