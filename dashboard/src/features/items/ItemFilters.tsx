import type { ReactNode } from 'react'
import type { CatalogueFilter } from '@/api/items'
import Choice from '@/components/choice'
import { Field } from '@/components/labelled-field'
import { Input } from '@/components/ui/input'
import { useTyped } from '@/hooks/useTyped'
import { clampText } from '@/lib/clamp'
import { categories, categoryName, limits } from '@/lib/market'
import { t } from '@/lib/texts'

const any = 'any'
const professions = [
  { value: any, label: t('items_any_profession') },
  ...categories.map((name) => ({ value: name, label: categoryName(name) })),
]

type Props = { filter: CatalogueFilter; onChange: (changes: CatalogueFilter) => void; children?: ReactNode }

/** Narrows the list of items: by word, profession and level. */
export function ItemFilters({ filter, onChange, children }: Props) {
  return (
    <search className="mb-4 grid grid-cols-6 items-start gap-x-2 gap-y-3 max-sm:*:col-span-3 max-sm:[&>:nth-child(1)]:col-span-4 max-sm:[&>:nth-child(2)]:col-span-2 max-[24rem]:[&>:nth-child(n+3)]:col-span-6 sm:grid-cols-[minmax(0,1fr)_8rem_14rem] sm:gap-x-3">
      <TypedField
        label={t('common_item')}
        value={filter.q ?? ''}
        placeholder={t('items_search_hint')}
        onValue={(q) => onChange({ q })}
      />
      <TypedField
        label={t('items_my_level')}
        number
        value={filter.level ? String(filter.level) : ''}
        placeholder={t('items_any_level')}
        onValue={(level) => onChange({ level: Number(level) || 0 })}
      />
      <Field label={t('items_profession')}>
        {(control) => (
          <Choice
            {...control}
            className="w-full pointer-coarse:h-11"
            options={professions}
            value={filter.profession ?? any}
            onValue={(chosen) => onChange({ profession: chosen === any ? '' : chosen })}
          />
        )}
      </Field>
      {children}
    </search>
  )
}

type FieldProps = {
  label: string
  value: string
  placeholder: string
  number?: boolean
  onValue: (value: string) => void
}

/** A field whose value is used once nothing was typed for a moment. */
function TypedField({ label, value, placeholder, number = false, onValue }: FieldProps) {
  const [typed, setTyped] = useTyped(value, onValue)
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          {...(number ? { type: 'number', inputMode: 'numeric', min: 1, max: limits.level } : { type: 'search' })}
          className="h-10 pointer-coarse:h-11"
          placeholder={placeholder}
          maxLength={limits.itemName}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(number ? clampText(event.target.value, 0, limits.level) : event.target.value)}
        />
      )}
    </Field>
  )
}
