import type { ComponentProps } from 'react'
import type { Sort } from '@/api/orders'
import { NativeSelect } from '@/components/native-select'
import { sorts } from '@/hooks/useBrowseFilter'

type Props = { sort: Sort | undefined; onSort: (sort: Sort | undefined) => void }

export function SortSelect({ sort, onSort, ...props }: Props & ComponentProps<typeof NativeSelect>) {
  return (
    <NativeSelect
      {...props}
      value={sort ?? 'newest'}
      onChange={({ target: { value } }) => onSort(value === 'newest' ? undefined : (value as Sort))}
    >
      {sorts.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </NativeSelect>
  )
}
