import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import { itemOddsQuery, itemPricesQuery } from '@/api/prices'
import { Amount } from '@/components/coins'
import { Button } from '@/components/ui/button'
import { parseCopper, printCopper } from '@/lib/copper'
import { type OddsStep, oddsAt } from '@/lib/odds'
import type { OrderForm } from './OrderFields'

/** What the item that is typed was traded for, and how likely a request at the price is filled. It always takes the same room. */
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
  const window =
    named && (prices?.windows.find((w) => w.days === 30 && w.price) ?? prices?.windows.find((w) => w.price))
  const { here, better } = named && odds && copper ? oddsAt(odds.steps, copper) : {}
  return (
    <output
      className="-mt-3 block h-24 overflow-y-auto text-muted-foreground text-sm sm:h-16"
      aria-label="What it's worth"
    >
      {!named ? (
        'The price of real trades is shown here once the item is known.'
      ) : window?.price ? (
        <p className="flex min-h-8 flex-wrap items-center gap-x-1.5 max-sm:min-h-11">
          Traded for <Amount value={BigInt(window.price.median)} className="text-foreground" />
          <span>
            (<Amount value={BigInt(window.price.low)} /> to <Amount value={BigInt(window.price.high)} />)
          </span>
          in {window.days} days{prices?.young && ', young market'}
          <Button
            variant="link"
            className="h-auto min-h-8 p-0 max-sm:min-h-11"
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
        prices && <p className="flex min-h-8 items-center max-sm:min-h-11">No price yet</p>
      )}
      {here && copper !== undefined && (
        <p>
          At this price{odds?.of === 'kind' && ', of its kind'}: {describe(here)}
          {better && (
            <>
              . At <Amount value={BigInt(better.price) - copper} /> more: {filledOf(better)}
            </>
          )}
          .
        </p>
      )}
    </output>
  )
}

const describe = (step: OddsStep) =>
  step.within
    .map(({ days, filled, low, high }) => `${filled} of ${step.ended} filled within ${days} days (${low}–${high} %)`)
    .join(', ')

const filledOf = (step: OddsStep) => `${step.within.at(-1)?.filled} of ${step.ended}`
