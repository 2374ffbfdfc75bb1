import { Code } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { BrowseFilter } from '@/api/filter'
import type { Importance } from '@/api/types'
import { CoinInput } from '@/components/coin-input'
import { Field } from '@/components/labelled-field'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { clampText } from '@/lib/clamp'
import { coins, parseCopper, printCopper } from '@/lib/copper'
import { type FilterTexts, filterTexts } from '@/lib/fields'
import { importanceNames, importances, limits } from '@/lib/market'
import { t } from '@/lib/texts'

type Props = { filter: BrowseFilter; onChange: (changes: Partial<BrowseFilter>) => void }

/** The filters besides category and search. Every change applies immediately. */
export default function FilterFields({ filter, onChange }: Props) {
  const board = useBoardAddress()
  return (
    <div className="grid gap-5">
      <ImportanceField chosen={filter.importance} onChoose={(importance) => onChange({ importance })} />
      <LevelField level={filter.level} onLevel={(level) => onChange({ level })} />
      {filterTexts(filter).map(({ option, ...text }) => (
        <TextField key={option} {...text} onText={(text) => onChange({ [option]: text } as FilterTexts)} />
      ))}
      <PriceField label={t('orders_min_price')} price={filter.min} onPrice={(min) => onChange({ min })} />
      <PriceField label={t('orders_max_price')} price={filter.max} onPrice={(max) => onChange({ max })} />
      <Button
        variant="ghost"
        className="h-auto min-h-9 justify-start whitespace-normal px-2 py-1.5 text-left text-muted-foreground"
        onClick={() => void import('@/lib/embed').then((embed) => embed.copyEmbedCode(board))}
      >
        <Code aria-hidden /> {t('embed_copy')}
      </Button>
    </div>
  )
}

function ImportanceField(props: { chosen?: Importance[]; onChoose: (importance: Importance[]) => void }) {
  // The checkboxes change immediately; the URL and the board follow.
  const [ticked, setTicked] = useState(props.chosen ?? [])
  useEffect(() => setTicked(props.chosen ?? []), [props.chosen])
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-sm">{t('common_importance')}</legend>
      {importances.toReversed().map((importance) => (
        <label
          key={importance}
          className="flex min-h-8 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11"
        >
          <input
            type="checkbox"
            className="size-4.5 shrink-0 cursor-pointer accent-primary"
            checked={ticked.includes(importance)}
            onChange={(event) => {
              const next = importances.filter((i) => (i === importance ? event.target.checked : ticked.includes(i)))
              setTicked(next)
              props.onChoose(next)
            }}
          />
          {importanceNames[importance]}
        </label>
      ))}
    </fieldset>
  )
}

function LevelField({ level, onLevel }: { level?: number; onLevel: (level?: number) => void }) {
  const [typed, setTyped] = useState(level ? String(level) : '')
  useEffect(() => setTyped(level ? String(level) : ''), [level])
  return (
    <Field label={t('orders_my_level')} help={t('orders_my_level_help')}>
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.level}
          placeholder={t('common_any')}
          className="h-10 pointer-coarse:h-11"
          value={typed}
          onChange={(event) => {
            const text = clampText(event.target.value, 0, limits.level)
            setTyped(text)
            onLevel(Number(text) || undefined)
          }}
        />
      )}
    </Field>
  )
}

function TextField(props: { label: string; text: string; limit: number; onText: (text?: string) => void }) {
  const { label, text, limit, onText } = props
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped((typed) => (typed.trim() === text ? typed : text)), [text])
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={limit}
          placeholder={t('orders_any_text')}
          className="h-10 pointer-coarse:h-11"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            onText(event.target.value.trim() || undefined)
          }}
        />
      )}
    </Field>
  )
}

/** One and a half of the second largest coin, "1g 500s", or of the only one. */
const exampleAmount = printCopper((3n * (coins.slice(0, 2).at(-1)?.worth ?? 1n)) / 2n)

function PriceField(props: { label: string; price?: string; onPrice: (price?: string) => void }) {
  const { label, price, onPrice } = props
  const [typed, setTyped] = useState(price ?? '')
  const [left, setLeft] = useState(false)
  // An incomplete amount stays in the field but filters nothing.
  const reported = useRef(price)
  useEffect(() => {
    if (price === reported.current) return
    reported.current = price
    setTyped(price ?? '')
  }, [price])
  return (
    <CoinInput
      label={label}
      value={typed}
      error={left ? parseCopper(typed).error : undefined}
      help={t('orders_example', { example: exampleAmount })}
      onBlur={() => setLeft(true)}
      onValue={(text) => {
        setTyped(text)
        setLeft(false)
        reported.current = parseCopper(text).copper ? text.trim() : undefined
        onPrice(reported.current)
      }}
    />
  )
}
