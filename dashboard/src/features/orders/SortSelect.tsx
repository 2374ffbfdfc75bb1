import type { Sort } from '@/api/orders'
import { Field } from '@/components/labelled-field'
import { NativeSelect } from '@/components/native-select'
import { sorts } from '@/hooks/useBrowseFilter'

type Props = { sort: Sort | undefined; onSort: (sort: Sort | undefined) => void; visibleLabel?: boolean }

export function SortSelect({ sort, onSort, visibleLabel = false }: Props) {
  const choose = (value: string) => onSort(value === 'newest' ? undefined : (value as Sort))
  const options = sorts.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
  if (visibleLabel) {
    return (
      <Field label="Sort">
        {(field) => (
          <NativeSelect {...field} value={sort ?? 'newest'} onChange={(event) => choose(event.target.value)}>
            {options}
          </NativeSelect>
        )}
      </Field>
    )
  }
  return (
    <NativeSelect
      aria-label="Sort"
      className="h-10 w-auto text-sm pointer-coarse:h-11"
      value={sort ?? 'newest'}
      onChange={(event) => choose(event.target.value)}
    >
      {options}
    </NativeSelect>
  )
}
