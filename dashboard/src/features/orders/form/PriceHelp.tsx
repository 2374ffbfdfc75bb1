import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import { itemOddsQuery, itemPricesQuery } from '@/api/prices'
import { Amount } from '@/components/coins'
import { Button } from '@/components/ui/button'
import { parseCopper, printCopper } from '@/lib/copper'
import { joinAnd } from '@/lib/format'
import { describeOdds, oddsAt } from '@/lib/odds'
import { rich, t } from '@/lib/texts'
import type { OrderForm } from './OrderFields'

/** What the item that is typed was traded for, and how likely a request at the price is filled. */
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
  const { lowest, here, better } = named && odds && copper ? oddsAt(odds, copper) : {}
  return (
    <output className="grid gap-1 empty:hidden" aria-label={t('orders_worth')}>
      {!named ? (
        t('orders_price_later')
      ) : window?.price ? (
        <p className="flex flex-wrap items-center gap-x-1.5">
          {rich('orders_traded_for', {
            price: <Amount value={BigInt(window.price.median)} className="text-foreground" />,
            range: (text) => <span>{text}</span>,
            low: <Amount value={BigInt(window.price.low)} />,
            high: <Amount value={BigInt(window.price.high)} />,
            days: window.days,
            young: prices?.young ? 'yes' : 'no',
          })}
          <Button
            variant="link"
            className="h-auto p-0 max-lg:min-h-8 max-sm:min-h-11"
            aria-label={t('orders_use_as_price', { price: printCopper(BigInt(window.price.median)) })}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() =>
              form.setValue('maxPricePerUnit', printCopper(BigInt(window.price?.median ?? 0)), {
                shouldDirty: true,
                shouldValidate: form.formState.isSubmitted,
              })
            }
          >
            {t('orders_use_price')}
          </Button>
        </p>
      ) : (
        prices && <p>{t('orders_no_price')}</p>
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
  )
}
