import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { messageFor } from '@/api/client'
import { completionsQuery, itemQuery } from '@/api/items'
import { describeSearch, searchOf } from '@/api/savedSearch'
import type { Item, Watch, WatchDraft } from '@/api/types'
import { addWatch, triedQuery, watchesKey } from '@/api/watches'
import { CoinInput } from '@/components/coin-input'
import { ItemCombobox } from '@/components/item-combobox'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { filterAt } from '@/hooks/useBrowseFilter'
import { useDelayedValue } from '@/hooks/useDelayedValue'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { clampText } from '@/lib/clamp'
import { parseCopper, printCopper } from '@/lib/copper'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { pauses, sameWatch, ways } from './watchWords'

/** The item whose page is shown; undefined on other pages. */
function useShownItem() {
  const { pathname } = useLocation()
  const id = Number(/^\/items\/(\d+)/.exec(pathname)?.[1] ?? 0)
  return useQuery({ ...itemQuery(id), enabled: id > 0 }).data
}

/** The item that the words of a search name; undefined for none. */
function useNamedItem(words: string) {
  const { data } = useQuery({ ...completionsQuery(words), enabled: words !== '' && isOn('items') })
  return words === '' ? undefined : data?.named
}

/** What a watch is for: what the board shows, an item, or all items of its kind. */
type Subject = 'words' | 'item' | 'kind'

const subjectOf = (item: Item, subject: Subject) => (subject === 'kind' ? { kind: item.kind } : { items: [item.id] })

function subjects({ name, kind }: Item, words: string | undefined): { value: Subject; label: string }[] {
  return [
    ...(words ? [{ value: 'words' as const, label: t('finding_subject_words', { words }) }] : []),
    { value: 'item', label: t('finding_subject_item', { item: name }) },
    ...(kind ? [{ value: 'kind' as const, label: t('finding_subject_kind', { kind }) }] : []),
  ]
}

/** Watches the item whose page is shown, or what the board shows now. */
export function WatchForm({ watches }: { watches: readonly Watch[] }) {
  const [params] = useSearchParams()
  const queryClient = useQueryClient()
  const { sort: _, view: __, name: ___, ...shown } = searchOf(filterAt(params), 'cards', '')
  const page = useShownItem()
  const named = useNamedItem(page ? '' : (shown.q ?? ''))
  const board = Boolean(shown.q || shown.category?.length || shown.forMe)
  const [typed, setTyped] = useState('')
  const [picked, pick] = useState<Item>()
  const item = page ?? picked ?? named
  const [chosen, choose] = useState<Subject>()
  const subject: Subject = chosen ?? (page || picked ? 'item' : 'words')
  const filter =
    !item || subject === 'words' ? shown : { ...(page || picked ? {} : shown), q: '', ...subjectOf(item, subject) }
  const narrow = item !== undefined || board
  const [least, setLeast] = useState('')
  const [price, setPrice] = useState(() => (shown.minPrice ? printCopper(BigInt(shown.minPrice)) : ''))
  const [left, setLeft] = useState(false)
  const [way, setWay] = useState<keyof typeof ways>('direct')
  const [pause, setPause] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [sending, setSending] = useState(false)
  const writes = useIdempotencyKey<WatchDraft>()
  const { copper, error: badPrice } = parseCopper(price)
  const draft: WatchDraft = { ...filter, minPrice: Number(copper ?? 0n), minQuantity: Number(least) || 0, way, pause }
  const tried = useQuery({ ...triedQuery(useDelayedValue(draft, 300)), enabled: narrow && !badPrice })
  const full = watches.length >= limits.watches
  const known = watches.some((watch) => sameWatch(watch, draft))

  async function submit(event: FormEvent) {
    event.preventDefault()
    setLeft(true)
    if (sending || badPrice) return
    setSending(true)
    setProblem(undefined)
    try {
      const watch = await writes.once(draft, addWatch)
      await queryClient.invalidateQueries({ queryKey: watchesKey })
      showToast(t('finding_watched', { name: watch.name }))
      document.querySelector<HTMLElement>('[role=dialog]')?.focus() // the button is gone
    } catch (error) {
      setProblem(messageFor(error, t('finding_save_failed')))
    }
    setSending(false)
  }

  const choice = !page && !board && isOn('items') && (
    <Field label={t('finding_watch_item')} help={item ? undefined : t('finding_watch_what')}>
      {(control) => (
        <ItemCombobox
          {...control}
          known
          value={typed}
          onValue={(name) => {
            setTyped(name)
            pick(undefined)
          }}
          onTake={(option) => pick(option.item)}
        />
      )}
    </Field>
  )
  // The field stays where it is while an item is chosen, with the focus.
  if (!narrow && !choice) return <p className="text-muted-foreground text-sm">{t('finding_watch_what')}</p>
  const words = describeSearch({ ...shown, minPrice: 0, name: '' })
  return (
    <form onSubmit={submit} className="grid gap-4">
      {choice}
      {narrow && (
        <>
          {item && (item.kind || named) ? (
            <fieldset className="grid text-sm">
              <legend className="mb-1 font-medium">{t('finding_watch')}</legend>
              {subjects(item, page || picked ? undefined : words).map(({ value, label }) => (
                <label key={value} className="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
                  <input
                    type="radio"
                    name="subject"
                    checked={subject === value}
                    onChange={() => choose(value)}
                    className="size-4.5 shrink-0 cursor-pointer accent-primary"
                  />
                  <span dir="auto" className="min-w-0 wrap-anywhere">
                    {label}
                  </span>
                </label>
              ))}
            </fieldset>
          ) : (
            <div className="text-sm">
              <p className="font-medium">{item ? t('finding_watch_item') : t('finding_watch_board')}</p>
              <p dir="auto" className="text-muted-foreground">
                {item ? item.name : words}
              </p>
            </div>
          )}
          <div className="grid grid-cols-2 items-start gap-4">
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
              label={t('finding_price')}
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
                  value={way}
                  options={ways}
                  onChange={(value) => setWay(value as keyof typeof ways)}
                />
              )}
            </Field>
            <Field label={t('finding_pause_between')}>
              {(control) => (
                <Choice {...control} value={pause} options={pauses} onChange={(value) => setPause(Number(value))} />
              )}
            </Field>
          </div>
          <p role="status" className="min-h-5 text-muted-foreground text-sm">
            {tried.data && t('finding_would_have_fit', { days: tried.data.days, count: tried.data.fired })}
          </p>
          {full && !known && <Notice tone="info">{t('finding_full', { most: limits.watches })}</Notice>}
          {problem && <Notice>{problem}</Notice>}
          {known ? (
            <p className="flex min-h-10 items-center gap-2 text-sm pointer-coarse:min-h-11">
              <Check aria-hidden className="size-4 text-primary" /> {t('finding_watched_already')}
            </p>
          ) : (
            <Button type="submit" className="justify-self-start max-sm:h-11" disabled={sending || full}>
              {sending ? t('common_saving') : t('finding_watch')}
            </Button>
          )}
        </>
      )}
    </form>
  )
}

type ChoiceProps = {
  value: string | number
  options: Record<string | number, string>
  onChange: (value: string) => void
}

function Choice({ value, options, onChange, ...control }: ChoiceProps & { id?: string }) {
  return (
    <select
      {...control}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-10 w-full min-w-0 rounded-md border border-input bg-transparent px-2.5 text-sm pointer-coarse:h-11 dark:bg-popover"
    >
      {Object.entries(options).map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </select>
  )
}
