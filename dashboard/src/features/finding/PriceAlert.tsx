import { Bell, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { sameSearch } from '@/api/savedSearch'
import type { Item, SavedDraft } from '@/api/types'
import Choice from '@/components/choice'
import { CoinInput } from '@/components/coin-input'
import { Field } from '@/components/labelled-field'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { parseCopper } from '@/lib/copper'
import { t } from '@/lib/texts'
import { priceName, priceOf } from './priceNames'
import { wordsOf } from './savedWords'
import { useSaving } from './useSaving'

const sides = [
  { value: 'sale', label: t('finding_at_price_sale') },
  { value: 'wanted', label: t('finding_at_price_wanted') },
]

/** Tells its reader once an item is for sale, or wanted, at a price: a saved search with a bell for each. */
export default function PriceAlert({ item }: { item: Item }) {
  const saving = useSaving()
  const { open } = useDialogs()
  const title = useId()
  const [side, setSide] = useState('sale')
  const [price, setPrice] = useState('')
  const [left, setLeft] = useState(false)
  const { copper = 0n, error } = parseCopper(price)
  const problem = error ?? (copper > 0n ? undefined : t('finding_at_price_needed'))
  const own = saving.saved.filter((one) => one.watch && one.items[0] === item.id && priceOf(one) > 0)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setLeft(true)
    if (problem || saving.isPending) return
    if (!saving.signedIn) return open({ name: 'sign-in' })
    const bound = Number(copper)
    const draft: SavedDraft = {
      name: priceName(item.name, side === 'sale' ? 'sale' : '', bound),
      items: [item.id],
      way: 'direct',
      ...(side === 'sale' ? { side, maxPrice: bound } : { minPrice: bound }),
    }
    if (!own.some((one) => sameSearch(one, draft))) await saving.save(draft, true)
    setPrice('')
    setLeft(false)
  }

  return (
    <section aria-labelledby={title} className="rounded-lg border bg-card">
      <h2 id={title} className="border-b px-4 py-2 text-lg">
        {t('finding_at_price')}
      </h2>
      {own.length > 0 && (
        <ul aria-label={t('finding_at_price_yours', { item: item.name })} className="divide-y border-b">
          {own.map((one) => (
            <li key={one.id} className="flex min-h-11 items-center gap-2 px-4 text-sm">
              <span className="min-w-0 flex-1 wrap-anywhere">{wordsOf(one)}</span>
              <Button
                variant="ghost"
                size="icon"
                className="pointer-coarse:size-11"
                aria-label={`${t('common_remove')}: ${one.name}`}
                title={t('common_remove')}
                onClick={() => void saving.unsave(one)}
              >
                <X />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="grid gap-3 p-4">
        <div className="grid grid-cols-2 items-start gap-4 max-[36rem]:grid-cols-1">
          <Field label={t('finding_at_price_when')}>
            {(control) => <Choice {...control} className="w-full" value={side} options={sides} onValue={setSide} />}
          </Field>
          <CoinInput
            label={t('listings_price_each')}
            value={price}
            error={left ? problem : undefined}
            onValue={(text) => {
              setPrice(text)
              setLeft(false)
            }}
          />
        </div>
        <p className="text-muted-foreground text-sm">{t('finding_at_price_hint')}</p>
        <Button type="submit" variant="outline" className="justify-self-start pointer-coarse:h-11">
          <Bell aria-hidden /> {t('finding_at_price_tell')}
        </Button>
      </form>
    </section>
  )
}
