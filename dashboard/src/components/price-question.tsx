import type { UnusualPrice } from '@/api/types'
import { printCopper } from '@/lib/copper'
import { rich, t } from '@/lib/texts'
import { Notice } from './notice'
import { Button } from './ui/button'

type Props = {
  question: { text: string; prices: readonly UnusualPrice[] } | null
  /** Takes the price that was probably meant, as it is typed; left out where there is no field for it. */
  onUse?: (price: string) => void
  onKeep: () => void
  className?: string
}

/** Asks whether a price is meant that is far from what is known. */
export function PriceQuestion({ question, onUse, onKeep, className }: Props) {
  const [first] = question?.prices ?? []
  if (!question || !first) return null
  const print = (copper: number) => printCopper(BigInt(copper))
  const several = question.prices.length > 1
  return (
    <Notice className={className}>
      {several ? (
        <>
          <p>{t('parts_unusual_prices')}</p>
          <ul>
            {question.prices.map(({ field, itemName, typed, suggested }) => (
              <li key={`${field} ${itemName}`}>
                {rich('parts_unusual_price', {
                  item: <bdi>{itemName}</bdi>,
                  typed: print(typed),
                  suggested: print(suggested),
                })}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>{onUse ? question.text : `${first.itemName}: ${question.text}`}</p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-4">
        {onUse && !several && (
          <Button
            variant="link"
            className="h-auto min-h-8 p-0 text-current underline max-sm:min-h-11"
            onClick={() => onUse(print(first.suggested))}
          >
            {t('parts_use_price', { price: print(first.suggested) })}
          </Button>
        )}
        <Button variant="link" className="h-auto min-h-8 p-0 text-current underline max-sm:min-h-11" onClick={onKeep}>
          {several ? t('parts_keep_prices') : t('parts_keep_price', { price: print(first.typed) })}
        </Button>
      </p>
    </Notice>
  )
}
