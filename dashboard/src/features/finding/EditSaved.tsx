import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { messageFor } from '@/api/client'
import { completionsQuery, itemQuery } from '@/api/items'
import { describeSearch } from '@/api/savedSearch'
import type { Item, Saved, SavedDraft } from '@/api/types'
import { triedQuery } from '@/api/watches'
import Choice from '@/components/choice'
import { CoinInput } from '@/components/coin-input'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useDelayedValue } from '@/hooks/useDelayedValue'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { draftOf } from '@/hooks/useSearches'
import { clampText } from '@/lib/clamp'
import { parseCopper, printCopper } from '@/lib/copper'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { priceName, priceOf } from './priceNames'
import { pauses, ways } from './savedWords'
import type { useSaving } from './useSaving'

type SavedSide = NonNullable<SavedDraft['side']>

const sides = [
  { value: 'wanted', label: t('listings_wanted') },
  { value: 'sale', label: t('listings_for_sale') },
  { value: 'both', label: t('listings_both') },
]

/** What a search is for: its words, the item that it or they name, or all items of its kind. */
type Subject = 'words' | 'item' | 'kind'

/** The item that a search is for, or that its words name; undefined for none. */
function useItem({ items, q }: Saved): Item | undefined {
  const [id = 0] = items
  const known = useQuery({ ...itemQuery(id), enabled: id > 0 }).data
  const { data } = useQuery({ ...completionsQuery(q), enabled: id === 0 && q !== '' && isOn('items') })
  return known ?? (q && data?.named ? data.named : undefined)
}

function subjects({ q }: Saved, { name, kind }: Item): { value: Subject; label: string }[] {
  return [
    ...(q ? [{ value: 'words' as const, label: t('finding_subject_words', { words: q }) }] : []),
    { value: 'item', label: t('finding_subject_item', { item: name }) },
    ...(kind ? [{ value: 'kind' as const, label: t('finding_subject_kind', { kind }) }] : []),
  ]
}

const about = ({ id, kind }: Item, subject: Subject) => ({
  q: '',
  ...(subject === 'kind' ? { items: [], kind } : { items: [id], kind: '' }),
})

type Props = { search: Saved; saving: ReturnType<typeof useSaving>; onDone: () => void }

/** Changes the name of a saved search and, with a bell, what rings it and how. */
export function EditSaved({ search, saving, onDone }: Props) {
  const item = useItem(search)
  const [name, setName] = useState(search.name)
  const [chosen, choose] = useState<Subject>(search.items.length > 0 ? 'item' : 'words')
  const [least, setLeast] = useState(search.minQuantity ? String(search.minQuantity) : '')
  const [side, setSide] = useState<SavedSide>(search.side ?? '')
  const [price, setPrice] = useState(() => {
    const bound = search.side === 'sale' ? search.maxPrice : search.minPrice
    return bound ? printCopper(BigInt(bound)) : ''
  })
  const [way, setWay] = useState(search.way)
  const [pause, setPause] = useState(search.pause)
  const [left, setLeft] = useState(false)
  const [wrongName, setWrongName] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [sending, setSending] = useState(false)
  const writes = useIdempotencyKey<SavedDraft>()
  const { copper, error: badPrice } = parseCopper(price)
  const { watch } = search
  const bound = Number(copper ?? 0n)
  // The price of a listing is one to pay.
  const prices = side === 'sale' ? { maxPrice: bound, minPrice: 0 } : { minPrice: bound }
  const bell = { minQuantity: Number(least) || 0, ...prices, way, pause }
  const subject = item && chosen !== 'words' && about(item, chosen)
  const draft: SavedDraft = {
    ...draftOf(search),
    name: renamed(name),
    ...(watch && { ...bell, ...subject, ...(isOn('listings') && { side }) }),
  }
  const tried = useQuery({ ...triedQuery(useDelayedValue(draft, 300)), enabled: watch && !badPrice })

  /** A name that says the price of before says the price of now. */
  function renamed(typed: string): string {
    const before = priceOf(search)
    if (!watch || !item || !before || typed !== priceName(item.name, search.side, before)) return typed
    const at = priceOf({ items: search.items, side, ...prices })
    return at ? priceName(item.name, side, at) : ''
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setLeft(true)
    const wrong = saving.problemOf(name, search)
    setWrongName(wrong)
    if (wrong || sending || (watch && badPrice)) return
    setSending(true)
    setProblem(undefined)
    try {
      await writes.once(draft, (content, key) => saving.edit(search, content, key))
      onDone()
    } catch (error) {
      setProblem(messageFor(error, t('finding_save_failed')))
      setSending(false)
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.defaultPrevented) onDone()
  }

  return (
    <form
      aria-label={t('finding_change', { name: search.name })}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      className="grid gap-4 py-3"
    >
      <Field label={t('finding_name')} help={watch ? t('finding_name_help') : undefined} error={wrongName}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            value={name}
            maxLength={limits.searchName}
            autoComplete="off"
            className="h-10 pointer-coarse:h-11"
            onChange={(event) => {
              setName(event.target.value)
              setWrongName(undefined)
            }}
          />
        )}
      </Field>
      {watch && (
        <>
          {item && (item.kind || search.q) && (
            <fieldset className="grid text-sm">
              <legend className="mb-1 font-medium">{t('finding_for')}</legend>
              {subjects(search, item).map(({ value, label }) => (
                <label key={value} className="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
                  <input
                    type="radio"
                    name="subject"
                    checked={chosen === value}
                    onChange={() => choose(value)}
                    className="size-4.5 shrink-0 cursor-pointer accent-primary"
                  />
                  <span dir="auto" className="min-w-0 wrap-anywhere">
                    {label}
                  </span>
                </label>
              ))}
            </fieldset>
          )}
          <div className="grid grid-cols-2 items-start gap-4 max-[24rem]:grid-cols-1">
            {isOn('listings') && (
              <Field label={t('finding_side')} className="col-span-full">
                {(control) => (
                  <Choice
                    {...control}
                    className="w-full"
                    value={side || 'wanted'}
                    options={sides}
                    onValue={(value) => setSide(value === 'wanted' ? '' : (value as SavedSide))}
                  />
                )}
              </Field>
            )}
            <Field label={t('finding_least')} help={least === '' ? t('finding_any_quantity') : undefined}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={least}
                  className="h-10 pointer-coarse:h-11"
                  onChange={(event) => setLeast(clampText(event.target.value, 0, limits.quantity))}
                />
              )}
            </Field>
            <CoinInput
              label={side === 'sale' ? t('finding_price_most') : t('finding_price')}
              value={price}
              error={left ? badPrice : undefined}
              help={t('finding_any_price')}
              onBlur={() => setLeft(true)}
              onValue={(text) => {
                setPrice(text)
                setLeft(false)
              }}
            />
            <Field label={t('finding_way')}>
              {(control) => (
                <Choice
                  {...control}
                  className="w-full"
                  value={way}
                  options={listed(ways)}
                  onValue={(value) => setWay(value as Saved['way'])}
                />
              )}
            </Field>
            <Field label={t('finding_pause_between')}>
              {(control) => (
                <Choice
                  {...control}
                  className="w-full"
                  value={String(pause)}
                  options={listed(pauses)}
                  onValue={(value) => setPause(Number(value))}
                />
              )}
            </Field>
          </div>
          <p role="status" className="min-h-5 text-muted-foreground text-sm">
            {tried.data &&
              (side
                ? t('finding_would_have_matched', { days: tried.data.days, count: tried.data.fired })
                : t('finding_would_have_fit', { days: tried.data.days, count: tried.data.fired }))}
          </p>
        </>
      )}
      {!watch && <p className="text-muted-foreground text-sm">{describeSearch(search)}</p>}
      {problem && <Notice>{problem}</Notice>}
      <div className="flex gap-2">
        <Button type="submit" className="pointer-coarse:h-11" disabled={sending}>
          {sending ? t('common_saving') : t('common_save')}
        </Button>
        <Button variant="ghost" className="pointer-coarse:h-11" onClick={onDone}>
          {t('common_cancel')}
        </Button>
      </div>
    </form>
  )
}

const listed = (options: Record<string | number, string>) =>
  Object.entries(options).map(([value, label]) => ({ value, label }))
