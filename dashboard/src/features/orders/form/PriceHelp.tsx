import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import { itemOddsQuery, itemPricesQuery } from '@/api/prices'
import { Amount } from '@/components/coins'
import { Button } from '@/components/ui/button'
import { parseCopper, printCopper } from '@/lib/copper'
import { describeOdds, oddsAt } from '@/lib/odds'
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
    <output className="grid gap-1 empty:hidden" aria-label="What it's worth">
      {!named ? (
        'The price of real trades is shown here once the item is known.'
      ) : window?.price ? (
        <p className="flex flex-wrap items-center gap-x-1.5">
          Traded for <Amount value={BigInt(window.price.median)} className="text-foreground" />
          <span>
            (<Amount value={BigInt(window.price.low)} /> to <Amount value={BigInt(window.price.high)} />)
          </span>
          in {window.days} days{prices?.young && ', young market'}
          <Button
            variant="link"
            className="h-auto p-0 max-lg:min-h-8 max-sm:min-h-11"
            aria-label={`Use ${printCopper(BigInt(window.price.median))} as the price`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() =>
              form.setValue('maxPricePerUnit', printCopper(BigInt(window.price?.median ?? 0)), {
                shouldDirty: true,
                shouldValidate: form.formState.isSubmitted,
              })
            }
          >
            Use
          </Button>
        </p>
      ) : (
        prices && <p>No price yet</p>
      )}
      {lowest !== undefined && (
        <p>
          Nobody was paid this little; lowest: <Amount value={lowest} />.
        </p>
      )}
      {here && copper !== undefined && (
        <p>
          At this price {describeOdds(here)}
          {better && (
            <>
              ; for <Amount value={BigInt(better.price) - copper} /> more{' '}
              {better.within.map(({ percent }) => `${percent}%`).join(' and ')}
            </>
          )}
          .
        </p>
      )}
    </output>
  )
}
