import { useRef, useState } from 'react'
import type { PlanLine } from '@/api/lists'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { QuantityInput } from '@/components/quantity-input'
import { Tag } from '@/components/tag'
import TradeRecordLine from '@/components/trade-record'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { type Edit, unpricedOf } from './planSums'

type Props = { line: PlanLine; edit: Edit | undefined; onEdit: (part: Partial<Edit>) => void }

/** One line of a plan: what is bought from whom, what is requested, and the buttons that change it. */
export function PlanLineRow({ line, edit, onEdit }: Props) {
  const { number, itemName, itemId, quantity, listings, request, odds, price } = line
  const [typed, setTyped] = useState<string>()
  const row = useRef<HTMLLIElement>(null)
  const focus = () => row.current?.focus() // the button goes
  if (line.why !== null)
    return (
      <li className="px-3 py-2 text-sm">
        <p className="wrap-anywhere">{line.text}</p>
        <p className="text-destructive">{t('lists_plan_wrong_line', { number, why: line.why })}</p>
      </li>
    )
  const bought = listings.filter(({ take }) => take > 0)
  const asRequest = edit?.request === true
  const unpriced = unpricedOf(line)
  function change(value: string) {
    setTyped(value)
    if (Number(value) > 0 && Number(value) !== quantity) onEdit({ quantity: Number(value) })
  }
  return (
    <li ref={row} tabIndex={-1} aria-label={itemName} className="grid gap-1 px-3 py-2 outline-none">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">
          {itemId === null ? (
            <Typed>{itemName}</Typed>
          ) : (
            <PageLink to={`/items/${itemId}`} className="touch hover:text-primary hover:underline">
              {itemName}
            </PageLink>
          )}
        </p>
        {quantity === 0 ? (
          <Button
            variant="outline"
            size="sm"
            className="pointer-coarse:h-11"
            onClick={() => {
              onEdit({ quantity: undefined })
              focus()
            }}
          >
            {t('lists_plan_take_back')}
          </Button>
        ) : (
          <QuantityInput
            aria-label={t('lists_plan_quantity', { item: itemName })}
            className="no-spinner tabular h-8 w-20 shrink-0 text-sm pointer-coarse:h-11"
            min={1}
            max={1_000_000}
            value={typed ?? String(quantity)}
            onValue={change}
          />
        )}
      </div>
      {quantity === 0 && <p className="text-muted-foreground text-sm">{t('lists_plan_line_left_out')}</p>}
      <ul className="tabular grid gap-0.5 text-sm">
        {bought.map(({ id, seller, take, price, atOnce }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2">
            <span>
              {rich('lists_plan_from', {
                quantity: take,
                seller: <bdi>{seller.displayName}</bdi>,
                price: <Amount value={price} />,
              })}
            </span>
            {atOnce && <Tag tone="accent">{t('lists_plan_now')}</Tag>}
          </li>
        ))}
        {request > unpriced && price !== null && (
          <li className="text-muted-foreground">
            {rich('lists_plan_by_request', { quantity: request, price: <Amount value={price} /> })}
            {odds && <> · {t('lists_plan_odds', odds)}</>}
          </li>
        )}
        {unpriced > 0 && <li className="text-muted-foreground">{t('lists_plan_no_price', { quantity: unpriced })}</li>}
      </ul>
      {quantity > 0 && (
        <details className="min-w-0 text-sm">
          <summary className="cursor-pointer py-0.5 text-muted-foreground pointer-coarse:min-h-11 pointer-coarse:py-3">
            {t('lists_plan_listings', { count: listings.length })}
          </summary>
          <ul className="grid gap-1 pb-1">
            {listings.map(({ id, seller, left, price, note }) => (
              <li key={id}>
                <p className="tabular wrap-anywhere">
                  {rich('stock_seller', {
                    seller: <bdi className="font-medium">{seller.displayName}</bdi>,
                    quantity: left,
                    price: <Amount value={price} />,
                  })}
                  {note && <bdi className="text-muted-foreground"> · {note}</bdi>}
                </p>
                {isOn('records') && <TradeRecordLine userId={seller.id} />}
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap gap-2 py-1">
            {(bought.length > 0 || asRequest) && (price !== null || asRequest) && (
              <Button
                variant="outline"
                size="sm"
                className="pointer-coarse:h-11"
                aria-pressed={asRequest}
                aria-label={t('lists_plan_as_request_named', { item: itemName })}
                onClick={() => onEdit({ request: !asRequest })}
              >
                {asRequest ? t('lists_plan_from_listings') : t('lists_plan_as_request')}
              </Button>
            )}
            <Button
              variant="outline"
              size="sm"
              className="pointer-coarse:h-11"
              aria-label={t('lists_plan_leave_out_named', { name: itemName })}
              onClick={() => {
                setTyped(undefined)
                onEdit({ quantity: 0 })
                focus()
              }}
            >
              {t('lists_plan_leave_out')}
            </Button>
          </div>
        </details>
      )}
    </li>
  )
}
