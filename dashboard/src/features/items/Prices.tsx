import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { dailyPricesQuery } from '@/api/prices'
import type { Item, ItemPrices } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Tag } from '@/components/tag'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table'
import { cn } from '@/lib/cn'
import { printCopper } from '@/lib/copper'
import { formatDay, formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { chartOf, type Price, type PriceDay, pricedDays, singleDays, size } from './chart'

/** What an item was traded for: median, range and a chart. What is asked for it now is said apart. */
export default function Prices({ item }: { item: Item }) {
  const query = useQuery(dailyPricesQuery(item.id))
  const { data, error } = query
  const [days, setDays] = useState(90)
  return (
    <section
      aria-labelledby="worth"
      className={cn('grid content-start gap-4 rounded-lg border bg-card p-4', !data && !error && 'min-h-40')}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="worth" className="text-lg">
          {t('items_worth_title')}
        </h2>
        {data && <Windows windows={data.windows} days={days} onDays={setDays} />}
      </div>
      {data ? (
        <Worth prices={data} days={days} name={item.name} />
      ) : error ? (
        <ErrorPanel text={t('items_failed_to_load_prices')} query={query} />
      ) : (
        <Skeleton className="h-24" />
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm leading-6 pointer-coarse:leading-11">
        <a className="touch underline underline-offset-4" href="/prices/method">
          {t('items_price_method')}
        </a>
        <a
          className="touch underline underline-offset-4"
          href={`/api/public/prices/history.csv?ids=${item.id}`}
          download
        >
          {t('items_price_data')}
        </a>
      </p>
    </section>
  )
}

/** How many trades make a price, and a chart. */
const leastTrades = 5

type WindowsProps = { windows: ItemPrices['windows']; days: number; onDays: (days: number) => void }

function Windows({ windows, days, onDays }: WindowsProps) {
  return (
    <fieldset aria-label={t('items_window')} className="flex rounded-md bg-muted p-1">
      {windows.map((window) => (
        <button
          key={window.days}
          type="button"
          aria-pressed={window.days === days}
          onClick={() => onDays(window.days)}
          className={cn(
            'touch tabular inline-flex h-8 items-center rounded-sm px-3 text-sm transition-colors pointer-coarse:h-11',
            window.days === days
              ? 'bg-card font-medium shadow-card dark:bg-accent dark:text-accent-foreground'
              : 'text-muted-foreground hover:text-foreground',
          )}
        >
          {t('items_window_days', { days: window.days })}
        </button>
      ))}
    </fieldset>
  )
}

function Worth({ prices, days, name }: { prices: ItemPrices; days: number; name: string }) {
  const { windows, asked, young } = prices
  const price = windows.find((window) => window.days === days)?.price
  const course = prices.days?.slice(-days) ?? []
  // Fewer trades are no course: the sentence above says how many it takes.
  const shown = (price || singleDays(course).flatMap(({ paid }) => paid).length >= leastTrades) && course
  return (
    <>
      {price ? (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
          <Figure label={t('items_median_price')} note={<Certainty price={price} />}>
            <Amount value={price.median} size="large" />
          </Figure>
          <Figure label={t('items_usual_range')} note={t('items_usual_range_note')}>
            <Range low={price.low} high={price.high} />
          </Figure>
          <Figure label={t('items_counted')} note={counted(price, young)}>
            <span className="tabular font-bold text-lg">{formatNumber(price.fills)}</span>
          </Figure>
        </dl>
      ) : (
        <p className="text-muted-foreground text-sm">
          {young ? t('items_no_price_young', { days }) : t('items_no_price_hint', { days })}
        </p>
      )}
      {price && young && (
        <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-sm">
          <Tag>{t('items_young_market')}</Tag> {t('items_young_market_note')}
        </p>
      )}
      {prices.onTheirWay > 0 && (
        <p className="text-muted-foreground text-sm">{t('items_on_their_way', { count: prices.onTheirWay })}</p>
      )}
      {shown && <Course days={shown} name={name} />}
      {asked && (
        <p className="border-t pt-3 text-sm">
          {rich('items_asked_now', {
            amount: <Amount value={asked.median} />,
            note: (text) => <span className="text-muted-foreground">{text}</span>,
            buyers: asked.buyers,
          })}
        </p>
      )}
    </>
  )
}

const Range = ({ low, high }: { low: number; high: number }) => (
  <span className="flex flex-wrap items-baseline gap-x-1.5">
    {rich('items_range', {
      low: <Amount value={low} />,
      to: (text) => <span className="text-muted-foreground">{text}</span>,
      high: <Amount value={high} />,
    })}
  </span>
)

/** Where the true median is, 90 times of 100. */
const Certainty = ({ price: { medianFrom, medianTo } }: { price: Price }) =>
  medianFrom === null || medianTo === null ? (
    t('items_unsure')
  ) : (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      {rich('items_sure', { range: <Range low={medianFrom} high={medianTo} /> })}
    </span>
  )

const counted = ({ fills, trades, circles }: Price, young: boolean) =>
  t('items_counted_note', {
    limited: trades > fills ? 'yes' : 'no',
    trades,
    young: young ? 'yes' : 'no',
    circles,
  })

function Figure({ label, note, children }: { label: string; note: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground">{label}</dt>
      <dd>
        {children}
        <span className="block text-muted-foreground text-xs">{note}</span>
      </dd>
    </div>
  )
}

/** How the price went, as a chart or as a table. */
function Course({ days, name }: { days: PriceDay[]; name: string }) {
  const [table, setTable] = useState(false)
  const chart = chartOf(days)
  const [first, last] = [days[0], days.at(-1)]
  if (!chart || !first || !last) return null
  const line = chart.lines.length > 0
  const described = line
    ? t('items_chart', { item: name, days: days.length })
    : t('items_chart_singles', { item: name, days: days.length })
  return (
    <div className="grid gap-2">
      {table ? (
        <PriceTable days={days} />
      ) : (
        <figure>
          <div className="grid h-[206px] grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] gap-x-2 pt-2">
            <div aria-hidden className="tabular grid justify-items-end text-muted-foreground text-xs leading-4">
              {chart.ticks.map(({ price, top }) => (
                <span
                  key={price}
                  className="relative col-start-1 row-start-1 h-0 whitespace-nowrap"
                  style={{ top: `${top}%` }}
                >
                  <span className="relative -top-2">{printCopper(BigInt(price))}</span>
                </span>
              ))}
            </div>
            <svg
              role="img"
              aria-label={described}
              viewBox={`0 0 ${size.width} ${size.height}`}
              preserveAspectRatio="none"
              className="size-full overflow-visible"
            >
              {chart.ticks.map(({ price, top }) => (
                <path
                  key={price}
                  d={`M0,${(top * size.height) / 100}H${size.width}`}
                  className="stroke-border"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
              {chart.bands.map((path) => (
                <path key={path} d={path} className="fill-primary/16" />
              ))}
              {chart.lines.map((path) => (
                <path
                  key={path}
                  d={path}
                  className="fill-none stroke-2 stroke-primary"
                  strokeLinejoin="round"
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
              {chart.points && (
                <path
                  d={chart.points}
                  className="fill-none stroke-[7] stroke-primary"
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                />
              )}
            </svg>
            <figcaption className="tabular col-start-2 flex justify-between pt-1.5 text-muted-foreground text-xs">
              <span>{formatDay(noon(first.day))}</span>
              <span>{formatDay(noon(last.day))}</span>
            </figcaption>
          </div>
        </figure>
      )}
      {/* The button stays where it is, so that it keeps the focus. */}
      <div className="flex flex-wrap items-center gap-x-4 text-muted-foreground text-xs">
        {!table && <Legend line={line} points={chart.points !== ''} />}
        <Button
          variant="ghost"
          size="sm"
          className="-mr-3 ml-auto text-primary pointer-coarse:h-11"
          aria-pressed={table}
          onClick={() => setTable(!table)}
        >
          {table ? t('items_show_chart') : t('items_show_table')}
        </Button>
      </div>
      {!table && !line && <p className="text-muted-foreground text-sm">{t('items_no_line')}</p>}
    </div>
  )
}

function Legend({ line, points }: { line: boolean; points: boolean }) {
  return (
    <>
      {line && (
        <>
          <span>
            <span aria-hidden="true" className="mr-1.5 inline-block h-0.5 w-4 bg-primary align-middle" />
            {t('items_legend_median')}
          </span>
          <span>
            <span aria-hidden="true" className="mr-1.5 inline-block h-2.5 w-4 bg-primary/16 align-middle" />
            {t('items_legend_range')}
          </span>
        </>
      )}
      {points && (
        <span>
          <span aria-hidden="true" className="mr-1.5 inline-block size-2 rounded-full bg-primary" />
          {t('items_legend_singles')}
        </span>
      )}
    </>
  )
}

/** A day is one of UTC: at noon it is the same day nearly everywhere. */
const noon = (day: string) => `${day}T12:00:00Z`

function PriceTable({ days }: { days: PriceDay[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section aria-label={t('items_table')} tabIndex={0} className="max-h-72 overflow-auto rounded-md border">
      {pricedDays(days).length > 0 && <WeekTable days={days} />}
      {singleDays(days).length > 0 && <SinglesTable days={days} />}
    </section>
  )
}

/** The price of each week that has one. */
function WeekTable({ days }: { days: PriceDay[] }) {
  return (
    <table className="w-full text-sm">
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('items_table_week')}</TableHead>
          <TableHead scope="col">{t('items_table_median')}</TableHead>
          <TableHead scope="col">10 %</TableHead>
          <TableHead scope="col">90 %</TableHead>
          <TableHead scope="col" className="text-right">
            {t('items_table_trades')}
          </TableHead>
          <TableHead scope="col" className="text-right">
            {t('items_table_that_day')}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {pricedDays(days)
          .reverse()
          .map(({ day, price, fills }) => (
            <TableRow key={day}>
              <TableCell className="whitespace-nowrap">{formatDay(noon(day))}</TableCell>
              {[price.median, price.low, price.high].map((amount, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: always the same three
                <TableCell key={i}>
                  <Amount value={amount} />
                </TableCell>
              ))}
              <TableCell className="tabular text-right">{formatNumber(price.fills)}</TableCell>
              <TableCell className="tabular text-right">{formatNumber(fills)}</TableCell>
            </TableRow>
          ))}
      </TableBody>
    </table>
  )
}

/** Single trades of days without a price. */
function SinglesTable({ days }: { days: PriceDay[] }) {
  return (
    <table className="w-full text-sm">
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('items_table_day')}</TableHead>
          <TableHead scope="col">{t('items_table_singles')}</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {singleDays(days)
          .reverse()
          .map(({ day, paid }) => (
            <TableRow key={day}>
              <TableCell className="whitespace-nowrap align-top">{formatDay(noon(day))}</TableCell>
              <TableCell>
                <span className="flex flex-wrap gap-x-3">
                  {paid.map((amount, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike
                    <Amount key={i} value={amount} />
                  ))}
                </span>
              </TableCell>
            </TableRow>
          ))}
      </TableBody>
    </table>
  )
}
